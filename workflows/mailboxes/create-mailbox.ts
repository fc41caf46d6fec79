/** Makes one mailbox on its cluster's mail host. */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import type { WorkflowInput } from '../contracts/workflow-input.ts';
import { policies } from '../engine/policies.ts';
import { runSaga } from '../engine/saga.ts';
import { as } from '../clusters/steps.ts';

export async function createMailbox(input: WorkflowInput<'createMailbox'>): Promise<void> {
  const { operationId, mailboxId, email } = input;
  const policy = policies(input.pace);
  const keyed = proxyActivities<Activities>(policy.remoteWriteKeyed);
  const undo = proxyActivities<Activities>(policy.compensate);
  const mailbox = { operationId, mailboxId };
  await runSaga(input, [
    {
      name: 'mailbox_create',
      run: () =>
        keyed.createMailboxOnHost.executeWithOptions(as('mailbox_create', `Make ${email}`), [
          mailbox,
        ]),
      undo: () =>
        undo.removeMailboxFromHost.executeWithOptions(
          as('mailbox_create.undo', `Remove ${email}`),
          [mailbox],
        ),
    },
  ]);
}
