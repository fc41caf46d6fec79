/** The inbox of a cluster: rounds of hours that hold its mailboxes open. W10. */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import { syncNowSignal, type SyncInboxInput } from '../contracts/sync-inbox.ts';
import { runJob } from '../engine/job.ts';
import { policies } from '../engine/policies.ts';

export async function syncInbox(input: SyncInboxInput): Promise<void> {
  const { clusterId, operationId, pace } = input;
  const { syncClusterInbox } = proxyActivities<Activities>(policies(pace).mailSession);
  await runJob(
    input,
    (job) =>
      job.pages('sync', () =>
        syncClusterInbox.executeWithOptions({ activityId: 'sync' }, [{ clusterId, operationId }]),
      ),
    { wakeOn: [syncNowSignal] },
  );
}
