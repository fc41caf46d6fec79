/** The step of a deletion that takes a mailbox's consents back at their vendors, and holds nothing up. Choice 135. */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import { as } from '../clusters/steps.ts';
import type { WorkflowInput } from '../contracts/workflow-input.ts';
import { readFailure } from '../engine/failures.ts';
import { policies } from '../engine/policies.ts';
import { putBackOf } from '../engine/put-back.ts';
import type { Step } from '../engine/saga.ts';

/** After its retries it is given up: the vendor may be away for ever, and the owner can do it without us. */
export function revokeConsentsStep(input: WorkflowInput<'deleteMailbox'>): Step {
  const { operationId, mailboxId, pace } = input;
  const policy = policies(pace);
  const step = proxyActivities<Activities>(policy.compensate);
  const db = proxyActivities<Activities>(policy.dbWrite);
  const mailbox = { operationId, mailboxId };
  const whyLeft = async (): Promise<string | null> => {
    try {
      const { left } = await step.revokeConsents.executeWithOptions(
        as('consent_revoke', 'Take its consent back at the vendor'),
        [mailbox],
      );
      return left;
    } catch (error) {
      if (putBackOf(error)) throw error;
      return readFailure(error).message;
    }
  };
  return {
    name: 'consent_revoke',
    async run(tell) {
      const why = await whyLeft();
      if (why === null) return;
      tell(why);
      await db.noteConsentsLeft.executeWithOptions(
        as('consent_revoke.note', 'Note that it stays there'),
        [{ ...mailbox, why }],
      );
    },
  };
}
