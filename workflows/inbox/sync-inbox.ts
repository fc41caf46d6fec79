/**
 * The inbox of a cluster: its shard keeps connections to the mailboxes open for as long as there are any.
 * docs/workflow-rules.md#long-jobs.
 */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import type { WorkflowInput } from '../contracts/workflow-input.ts';
import { syncNowSignal } from '../contracts/sync-inbox.ts';
import { as } from '../clusters/steps.ts';
import { runJob } from '../engine/job.ts';
import { policies } from '../engine/policies.ts';

export async function syncInbox(input: WorkflowInput<'syncInbox'>): Promise<void> {
  const { clusterId, operationId, pace } = input;
  const { syncClusterInbox } = proxyActivities<Activities>(policies(pace).mailSession);
  await runJob(
    input,
    (job) =>
      job.sessions('sync', () =>
        syncClusterInbox.executeWithOptions(as('sync', 'A session of reading'), [
          { clusterId, operationId },
        ]),
      ),
    { wakeOn: [syncNowSignal] },
  );
}
