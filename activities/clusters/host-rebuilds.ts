/** Around the rebuild of a mail host: nobody sends from it meanwhile, and what is only there is saved first. */
import { cancellationSignal } from '@temporalio/activity';
import { WorkflowNotFoundError } from '@temporalio/client';
import type { Context } from '../../src/context.ts';
import {
  beginRebuild,
  finishRebuild,
  forgetQueue,
  getRebuild,
  settleBackup,
  type RebuildKey,
  type ServerRebuild,
  type SettledBackup,
} from '../../src/db/clusters/server-rebuilds.ts';
import { beingMadeAnew } from '../../src/db/clusters/server-access.ts';
import { listBlockedWith } from '../../src/db/operations/waiting-steps.ts';
import { recordRebuild } from '../../src/db/clusters/sending-holds.ts';
import { getServer, type Server } from '../../src/db/clusters/servers.ts';
import { backupBinding, backupName, backupsOf } from '../../src/domain/clusters/host-backup.ts';
import type { BackupChoice } from '../../src/domain/clusters/server-rebuilds.ts';
import { invalid, ProviderError } from '../../src/domain/errors.ts';
import { workflowIdOf } from '../../src/domain/operations/run-keys.ts';
import type { BlockedStepSignal } from '../../workflows/contracts/operator.ts';
import { wakeCampaignsOfServer } from '../campaigns/wakes.ts';
import { rebuildAccess } from '../engine/access.ts';
import { assertNotCancelled } from '../engine/not-cancelled.ts';
import { assertReached } from './rebuilt-hosts.ts';
import { askOfSystem, isWiped } from './server-reinstalls.ts';

type RebuildsContext = Pick<
  Context,
  'db' | 'clock' | 'config' | 'cipher' | 'mailHost' | 'mailTransport' | 'hostBackups' | 'temporal'
>;

/** Each is safe to repeat; where the server is being deleted, nothing is left to do. */
export const hostRebuildActivities = (context: RebuildsContext) => ({
  async holdForRebuild(key: RebuildKey): Promise<void> {
    const { db, clock } = context;
    await db.transaction().execute(async (trx) => {
      await assertNotCancelled({ db: trx }, key);
      if ((await getServer(trx, key.serverId)).status !== 'active') return;
      await beginRebuild(trx, key);
      await getRebuild(trx, key);
      await recordRebuild(trx, key.serverId, key.operationId, clock.now());
    });
  },

  /** Undo. A host that may have been wiped stays held: there is nothing to send from. */
  async releaseRebuild(key: RebuildKey): Promise<void> {
    const server = await getServer(context.db, key.serverId);
    if (server.rebuild_operation_id === null) return retryWhatWaited(context, server);
    if (server.rebuild_operation_id !== key.operationId) return;
    if (!isWiped(await getRebuild(context.db, key))) return release(context, server);
    if (server.status !== 'active') await retryWhatWaited(context, server);
  },

  /** Settles which backup is restored. It is read to its end before anything is wiped. */
  async takeHostBackup({ choice, ...key }: RebuildKey & { choice: BackupChoice }): Promise<void> {
    const server = await getServer(context.db, key.serverId);
    const row = await getRebuild(context.db, key);
    if (server.status !== 'active' || row.backup_settled_at !== null) return;
    const backup = await chosen(context, { server, row, choice });
    if (backup !== null) await readThrough(context, server, backup.name);
    await settleBackup(context.db, key, backup);
  },

  /** Undo. Where no backup was to be made, the host need not answer. */
  async startHostMail({ choice, ...key }: RebuildKey & { choice: BackupChoice }): Promise<void> {
    const server = await getServer(context.db, key.serverId);
    if (server.status !== 'active' || isWiped(await getRebuild(context.db, key))) return;
    // It delivers its queue from here on: nobody else may.
    await forgetQueue(context.db, key);
    const starting = context.mailHost.startMail(rebuildAccess(context, server));
    await (choice === 'fresh' ? starting : starting.catch(quietly));
  },

  /** The end: mail comes in, and once others reach the host clients may send. */
  async openRebuiltHost(key: RebuildKey): Promise<void> {
    const server = await getServer(context.db, key.serverId);
    // It is being deleted: what waited for it has nothing left to do there.
    if (server.status !== 'active') return retryWhatWaited(context, server);
    // A repeat: what it had to tell may not have been told.
    if (server.rebuild_operation_id === null) return retryWhatWaited(context, server);
    if (server.rebuild_operation_id !== key.operationId) return;
    await context.mailHost.openMail(rebuildAccess(context, server));
    await assertReached(context, server);
    await finishRebuild(context.db, key);
    await release(context, server);
  },
});

async function release(context: RebuildsContext, server: Server): Promise<void> {
  const { db, clock } = context;
  const hasResumed = await db
    .transaction()
    .execute((trx) => recordRebuild(trx, server.id, null, clock.now()));
  if (hasResumed) await wakeCampaignsOfServer(context, server.id);
  await retryWhatWaited(context, server);
}

/** Work on its mailboxes and clusters that was given to a person because the host was away goes on by itself. */
async function retryWhatWaited(
  { db, temporal }: RebuildsContext,
  { host_name }: Server,
): Promise<void> {
  const reason = `${host_name} is back`;
  for (const operation of await listBlockedWith(db, beingMadeAnew(host_name))) {
    const { step } = operation;
    const answer: BlockedStepSignal = { actor: 'system', reason, step: step!, action: 'retry' };
    const handle = temporal.workflow.getHandle(workflowIdOf(operation));
    await handle.signal('resolveBlockedStep', answer).catch((error: unknown) => {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    });
  }
}

interface Choice {
  server: Server;
  row: ServerRebuild;
  choice: BackupChoice;
}

/** Mail that comes after a backup would be lost: the host takes none from here on, as far as it answers. */
async function chosen(
  context: RebuildsContext,
  { server, row, choice }: Choice,
): Promise<SettledBackup | null> {
  const { mailHost, hostBackups, clock } = context;
  const access = rebuildAccess(context, server);
  const signal = cancellationSignal();
  const systemOf = await askOfSystem(context, server);
  const isNew = row.wiped_at !== null || (systemOf !== null && systemOf > row.used_asks);
  if (choice === 'fresh' && isNew) {
    if (row.backup !== null) return { name: row.backup };
    throw invalid('INVALID_STATE', 'The host was wiped by an earlier rebuild: name a backup');
  }
  if (choice !== 'fresh') {
    if (!isNew) await mailHost.stopMail(access, signal).catch(quietly);
    if (choice === 'none') return null;
    return { name: choice === 'newest' ? await newest(context, server) : choice };
  }
  await mailHost.stopMail(access, signal);
  const name = backupName(server, clock.now());
  const backup = { name, boundTo: backupBinding(server.intent_name) };
  await mailHost.saveHost(
    access,
    'resting',
    (content) => hostBackups.keep(backup, content),
    signal,
  );
  return { name, isOfNow: true };
}

async function newest({ hostBackups }: RebuildsContext, server: Server): Promise<string> {
  const found = backupsOf(server, await hostBackups.list()).at(-1);
  if (found !== undefined) return found;
  throw new ProviderError('rejected', `There is no backup of ${server.host_name}`, {
    provider: 'host-backups',
    operatorHint: 'Give it up, and name another backup, or none.',
  });
}

async function readThrough(
  { hostBackups }: RebuildsContext,
  { intent_name }: Server,
  name: string,
): Promise<void> {
  const signal = cancellationSignal();
  for await (const part of hostBackups.open({ name, boundTo: backupBinding(intent_name) })) {
    signal.throwIfAborted();
    if (part.length === 0) continue;
  }
}

/** A host that is to be made anew need not answer. */
function quietly(error: unknown): void {
  cancellationSignal().throwIfAborted();
  if (!(error instanceof ProviderError)) throw error;
}
