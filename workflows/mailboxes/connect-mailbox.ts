/** Proves a mailbox elsewhere: logs in to both its servers, sends a message to itself, reads it. Choice 105. */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import type { WorkflowInput } from '../contracts/workflow-input.ts';
import { policies } from '../engine/policies.ts';
import { runSaga } from '../engine/saga.ts';
import { as } from '../clusters/steps.ts';

export async function connectMailbox(input: WorkflowInput<'connectMailbox'>): Promise<void> {
  const { operationId, mailboxId, email } = input;
  const policy = policies(input.pace);
  const read = proxyActivities<Activities>(policy.remoteRead);
  const send = proxyActivities<Activities>(policy.remoteWriteKeyed);
  const wait = proxyActivities<Activities>(policy.settle);
  const mailbox = { operationId, mailboxId };
  await runSaga(input, [
    {
      name: 'mailbox_login',
      run: () =>
        read.checkConnectedLogins.executeWithOptions(as('mailbox_login', `Log in to ${email}`), [
          mailbox,
        ]),
    },
    {
      name: 'mailbox_send',
      run: () =>
        send.sendConnectionProof.executeWithOptions(
          as('mailbox_send', 'Send a message to itself'),
          [mailbox],
        ),
    },
    {
      name: 'mailbox_read',
      run: () =>
        wait.readConnectionProof.executeWithOptions(as('mailbox_read', 'Read that message'), [
          mailbox,
        ]),
    },
  ]);
}
