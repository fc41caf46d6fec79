/**
 * Deletes one mailbox: takes it out of campaigns and warm-up, reads it a last time, removes it from the
 * host. Choices 27, 134.
 */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import type { WorkflowInput } from '../contracts/workflow-input.ts';
import { policies } from '../engine/policies.ts';
import { as } from '../clusters/steps.ts';
import { runTeardown } from '../clusters/teardown.ts';
import { revokeConsentsStep } from './revoke-consents.ts';

export async function deleteMailbox(input: WorkflowInput<'deleteMailbox'>): Promise<void> {
  const { operationId, mailboxId } = input;
  const policy = policies(input.pace);
  const step = proxyActivities<Activities>(policy.compensate);
  const long = proxyActivities<Activities>(policy.longRun);
  const mailbox = { operationId, mailboxId };
  await runTeardown(input, [
    {
      name: 'mailbox_release',
      run: () =>
        step.releaseMailbox.executeWithOptions(
          as('mailbox_release', 'Take it out of campaigns and warm-up'),
          [mailbox],
        ),
    },
    {
      name: 'inbox_last_look',
      skippable: true,
      run: () =>
        long.readLeavingMailbox.executeWithOptions(
          as('inbox_last_look', 'Read what has come, a last time'),
          [mailbox],
        ),
    },
    {
      name: 'mailbox_remove',
      run: () =>
        step.removeMailboxFromHost.executeWithOptions(
          as('mailbox_remove', 'Remove it from the host'),
          [mailbox],
        ),
    },
    // The last look needs it.
    ...(input.hasConsent === true ? [revokeConsentsStep(input)] : []),
  ]);
}
