/**
 * Gives a mailbox a new password: on the host first, then in our row; when given up, the host gets the
 * old one back.
 */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import type { WorkflowInput } from '../contracts/workflow-input.ts';
import { policies } from '../engine/policies.ts';
import { runSaga } from '../engine/saga.ts';
import { as } from '../clusters/steps.ts';

export async function rotateCredentials(input: WorkflowInput<'rotateCredentials'>): Promise<void> {
  const { operationId, mailboxId } = input;
  const policy = policies(input.pace);
  const keyed = proxyActivities<Activities>(policy.remoteWriteKeyed);
  const undo = proxyActivities<Activities>(policy.compensate);
  const mailbox = { operationId, mailboxId };
  await runSaga(input, [
    {
      name: 'credentials_set',
      run: () =>
        keyed.changeMailboxSecret.executeWithOptions(
          as('credentials_set', 'Set it at the host, then in our row'),
          [mailbox],
        ),
      undo: () =>
        undo.restoreMailboxSecret.executeWithOptions(
          as('credentials_set.undo', 'Set the one of before'),
          [mailbox],
        ),
    },
  ]);
}
