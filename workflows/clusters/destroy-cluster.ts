/** Takes a cluster down: campaigns, warm-ups and inbox first, then host, DNS and server. Choice 13. */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import { destroyStepApplies } from '../../src/domain/operations/operations.ts';
import type { WorkflowInput } from '../contracts/workflow-input.ts';
import { policies } from '../engine/policies.ts';
import type { Step } from '../engine/saga.ts';
import { as, at } from './steps.ts';
import { runTeardown } from './teardown.ts';

export async function destroyCluster(input: WorkflowInput<'destroyCluster'>): Promise<void> {
  await runTeardown(input, destroySteps(input));
}

/** In order of dependency: what uses the cluster stops first, the server goes last. */
function destroySteps(input: WorkflowInput<'destroyCluster'>): Step[] {
  const { operationId, clusterId, deletesServer } = input;
  const policy = policies(input.pace);
  const step = proxyActivities<Activities>(policy.compensate);
  const long = proxyActivities<Activities>(policy.longRun);
  const cluster = { operationId, clusterId };
  return [
    {
      name: 'mailboxes_release',
      run: () =>
        step.releaseClusterMailboxes.executeWithOptions(
          as('mailboxes_release', 'Take its mailboxes out of campaigns and warm-ups'),
          [cluster],
        ),
    },
    {
      name: 'inbox_last_look',
      skippable: true,
      run: () =>
        long.readLeavingMailboxes.executeWithOptions(
          as('inbox_last_look', 'Read what has come, a last time'),
          [cluster],
        ),
    },
    {
      name: 'mail_server_remove',
      // Deleting the server removes the mail host too; on a server that stays, logins would go on
      // working.
      applies: destroyStepApplies('mail_server_remove', input),
      run: () =>
        step.removeClusterFromHost.executeWithOptions(
          as('mail_server_remove', 'Remove the domain and its mailboxes from the host'),
          [cluster],
        ),
    },
    {
      name: 'dns_withdraw',
      // A domain that has left the registrar has no records of ours there.
      skippable: true,
      run: () =>
        step.withdrawClusterRecords.executeWithOptions(
          { ...as('dns_withdraw', 'Withdraw the records that we added'), ...at(input.registrar) },
          [{ ...cluster, deletesServer }],
        ),
    },
    {
      name: 'server_delete',
      // The comparison with the vendor records finds a server that was left, and deletes it.
      skippable: true,
      applies: destroyStepApplies('server_delete', input),
      run: () =>
        step.deleteClusterServer.executeWithOptions(
          { ...as('server_delete', 'Delete the server'), ...at(input.vps) },
          [cluster],
        ),
    },
  ];
}
