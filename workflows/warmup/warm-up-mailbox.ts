/**
 * The warm-up of a mailbox, a session a day: it writes to partners and handles what they wrote.
 * docs/workflow-rules.md#long-jobs.
 */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import type { WorkflowInput } from '../contracts/workflow-input.ts';
import { settingsSignal } from '../contracts/warm-up-mailbox.ts';
import { runJob } from '../engine/job.ts';
import { policies } from '../engine/policies.ts';

export async function warmUpMailbox(input: WorkflowInput<'warmUpMailbox'>): Promise<void> {
  const { mailboxId, operationId, pace } = input;
  const { warmUpRound } = proxyActivities<Activities>(policies(pace).mailSession);
  await runJob(
    input,
    async (job) => {
      for (;;) {
        const session = await job.page('warm_up', () =>
          warmUpRound.executeWithOptions({ activityId: 'warm_up' }, [{ mailboxId, operationId }]),
        );
        if (session.isDone) return;
        if (session.nextAt !== null) await job.rest(session.nextAt);
      }
    },
    { wakeOn: [settingsSignal] },
  );
}
