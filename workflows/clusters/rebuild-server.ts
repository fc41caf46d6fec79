/**
 * Makes a mail host anew: its mail is saved, the vendor installs another system on the same server, and rows and
 * backup make it what it was. Once the vendor has wiped it there is no way back.
 */
import { CancellationScope, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import type { WorkflowInput } from '../contracts/workflow-input.ts';
import { policies } from '../engine/policies.ts';
import { runSaga, type Step } from '../engine/saga.ts';
import { as, at } from './steps.ts';

/** A host may hold many gigabytes. */
const MOVE_LIMIT = '12 hours';

export async function rebuildServer(input: WorkflowInput<'rebuildServer'>): Promise<void> {
  await runSaga(input, [...stepsBefore(input), ...stepsAfter(input)]);
}

function stepsBefore(input: WorkflowInput<'rebuildServer'>): Step[] {
  const { operationId, serverId, vendor, backup: choice, pace } = input;
  const policy = policies(pace);
  const db = proxyActivities<Activities>(policy.dbWrite);
  const mover = proxyActivities<Activities>({ ...policy.longRun, startToCloseTimeout: MOVE_LIMIT });
  const boot = proxyActivities<Activities>(policy.waitForFirstBoot);
  const undo = proxyActivities<Activities>(policy.compensate);
  const server = { operationId, serverId };
  return [
    {
      name: 'rebuild_hold',
      run: () =>
        db.holdForRebuild.executeWithOptions(as('rebuild_hold', 'Nothing is sent from it'), [
          server,
        ]),
      undo: () =>
        undo.releaseRebuild.executeWithOptions(as('rebuild_hold.undo', 'It may send again'), [
          server,
        ]),
    },
    {
      name: 'host_backup',
      run: () =>
        mover.takeHostBackup.executeWithOptions(as('host_backup', 'Save what is only there'), [
          { ...server, choice },
        ]),
      undo: () =>
        undo.startHostMail.executeWithOptions(as('host_backup.undo', 'Take mail again'), [
          { ...server, choice },
        ]),
    },
    {
      name: 'server_reinstall',
      pivot: true,
      isFinal: true,
      // A cancel waits: nobody can say how far the vendor is.
      run: () =>
        CancellationScope.nonCancellable(() =>
          boot.reinstallServer.executeWithOptions(
            { ...as('server_reinstall', 'A new system, once'), ...at(vendor) },
            [server],
          ),
        ),
      undo: () =>
        undo.assertNotWiped.executeWithOptions(
          as('server_reinstall.undo', 'Has the vendor been asked?'),
          [server],
        ),
    },
  ];
}

function stepsAfter(input: WorkflowInput<'rebuildServer'>): Step[] {
  const { operationId, serverId, pace } = input;
  const policy = policies(pace);
  const host = proxyActivities<Activities>(policy.remoteWriteKeyed);
  const long = proxyActivities<Activities>(policy.longRun);
  const boot = proxyActivities<Activities>(policy.waitForFirstBoot);
  const server = { operationId, serverId };
  return [
    {
      name: 'first_boot',
      async run() {
        await boot.awaitNewSystem.executeWithOptions(
          as('first_boot.system', 'Wait for the new system'),
          [server],
        );
        await boot.awaitNewFirstBoot.executeWithOptions(
          as('first_boot.boot', 'Wait for cloud-init'),
          [server],
        );
        await host.closeRebuiltHost.executeWithOptions(
          as('first_boot.close', 'Mail stays out, and all keys but ours'),
          [server],
        );
      },
    },
    {
      name: 'host_restore',
      // Certificates before the host asks for one, mailboxes before their mail.
      run: () => restore(input),
    },
    {
      name: 'host_verify',
      async run() {
        await host.verifyRebuiltHost.executeWithOptions(as('host_verify', 'Is the host well?'), [
          server,
        ]);
        await host.openRebuiltHost.executeWithOptions(
          as('host_verify.open', 'Mail comes in, clients may send'),
          [server],
        );
      },
    },
    {
      name: 'mta_sts_restore',
      // The policies are published again where they change; mail comes without them, too.
      skippable: true,
      run: () =>
        long.serveRebuiltMtaSts.executeWithOptions(
          as('mta_sts_restore', 'Serve the policies that are announced'),
          [server],
        ),
    },
  ];
}

async function restore(input: WorkflowInput<'rebuildServer'>): Promise<void> {
  const { operationId, serverId, pace } = input;
  const policy = policies(pace);
  const host = proxyActivities<Activities>(policy.remoteWriteKeyed);
  const long = proxyActivities<Activities>(policy.longRun);
  const mover = proxyActivities<Activities>({ ...policy.longRun, startToCloseTimeout: MOVE_LIMIT });
  const key = { operationId, serverId };
  await mover.putHostBackup.executeWithOptions(
    as('host_restore.backup', 'Bring the backup to it'),
    [key],
  );
  await long.installRebuiltHost.executeWithOptions(
    as('host_restore.install', 'Install Postfix, Dovecot, OpenDKIM, certificate'),
    [key],
  );
  const { clusterIds } = await host.listRebuiltClusters.executeWithOptions(
    as('host_restore.clusters', 'What it has to serve'),
    [key],
  );
  for (const clusterId of clusterIds) {
    await mover.restoreCluster.executeWithOptions(
      as(`host_restore.cluster_${clusterId}`, 'Its domain, key and mailboxes'),
      [{ ...key, clusterId }],
    );
  }
  await mover.mergeHostBackup.executeWithOptions(
    as('host_restore.merge', 'Put the mail in its place'),
    [key],
  );
}
