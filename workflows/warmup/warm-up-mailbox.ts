/**
 * The warm-up of a mailbox in sessions of its shard: it writes to partners and handles what they wrote.
 * docs/workflow-rules.md#long-jobs.
 */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import type { WorkflowInput } from '../contracts/workflow-input.ts';
import { settingsSignal } from '../contracts/warm-up-mailbox.ts';
import { as } from '../clusters/steps.ts';
import { runJob } from '../engine/job.ts';
import { policies } from '../engine/policies.ts';

export async function warmUpMailbox(input: WorkflowInput<'warmUpMailbox'>): Promise<void> {
  const { mailboxId, operationId, pace } = input;
  const { warmUpRound } = proxyActivities<Activities>(policies(pace).mailSession);
  await runJob(
    input,
    (job) =>
      job.sessions('warm_up', () =>
        warmUpRound.executeWithOptions(as('warm_up', 'A session of warming up'), [
          { mailboxId, operationId },
        ]),
      ),
    { wakeOn: [settingsSignal] },
  );
}
