/** Rebuilds of servers: which operation has one, and what it has asked of the vendor. */
import { sql, type Kysely, type Selectable } from 'kysely';
import { invalid } from '../../domain/errors.ts';
import type { Database } from '../tables.ts';
import type { ServerRebuildsTable } from './cluster-tables.ts';

export type ServerRebuild = Selectable<ServerRebuildsTable>;

export interface RebuildKey {
  serverId: number;
  operationId: number;
}

/**
 * Gives the server's row to this operation. What an earlier one has asked for, and the backup that belongs to it,
 * stay: its request may come late. Safe to repeat.
 */
export async function beginRebuild(
  db: Kysely<Database>,
  { serverId, operationId }: RebuildKey,
): Promise<void> {
  await sql`
    insert into server_rebuilds as r (server_id, operation_id) values (${serverId}, ${operationId})
    on conflict (server_id) do update set operation_id = excluded.operation_id, done_at = null,
      backup = case when r.wiped_at is null and r.claim is null then null else r.backup end,
      queue_backup = case when r.wiped_at is null and r.claim is null then null else r.queue_backup end,
      backup_settled_at = null, updated_at = now()
    where r.operation_id < excluded.operation_id`.execute(db);
}

/** Throws 400 INVALID_STATE (not retried) where another operation has taken it over. */
export async function getRebuild(
  db: Kysely<Database>,
  { serverId, operationId }: RebuildKey,
): Promise<ServerRebuild> {
  const row = await findRebuild(db, serverId);
  if (row?.operation_id === operationId) return row;
  throw invalid('INVALID_STATE', 'Another rebuild of this server has begun meanwhile');
}

export const findRebuild = (
  db: Kysely<Database>,
  serverId: number,
): Promise<ServerRebuild | undefined> =>
  db.selectFrom('server_rebuilds').selectAll().where('server_id', '=', serverId).executeTakeFirst();

/** `isOfNow`: this rebuild has made it, of a host that rests since. */
export interface SettledBackup {
  name: string;
  isOfNow?: boolean;
}

/** The first choice stays: an attempt that comes late may have made another file. */
export async function settleBackup(
  db: Kysely<Database>,
  key: RebuildKey,
  backup: SettledBackup | null,
): Promise<void> {
  const settled = { backup: backup?.name ?? null, backup_settled_at: new Date() };
  await ofOperation(db, key)
    .set({
      ...settled,
      ...(backup?.isOfNow && { queue_backup: backup.name }),
      updated_at: new Date(),
    })
    .where('backup_settled_at', 'is', null)
    .execute();
}

/** What was in the queue of the saved host is being delivered: a second system would deliver it again. */
export async function forgetQueue(db: Kysely<Database>, key: RebuildKey): Promise<void> {
  await ofOperation(db, key).set({ queue_backup: null, updated_at: new Date() }).execute();
}

/**
 * Writes the request down before it is sent; undefined where another attempt has one under way, where the new system
 * is there, where nothing is settled about a backup, and where the operation is being given up.
 */
export const claimReinstall = (
  db: Kysely<Database>,
  key: RebuildKey,
  request: { claim: string; listedBefore: string | null; askedUntil: Date },
): Promise<ServerRebuild | undefined> =>
  ofOperation(db, key)
    .set({
      claim: request.claim,
      listed_before: request.listedBefore,
      asked_until: request.askedUntil,
      answered_at: null,
      asks: sql`asks + 1`,
      updated_at: new Date(),
    })
    .where('claim', 'is', null)
    .where('done_at', 'is', null)
    .where('backup_settled_at', 'is not', null)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('operations')
          .select('operations.id')
          .where('operations.id', '=', key.operationId)
          .where('operations.finished_at', 'is', null)
          .where('operations.state', '<>', 'compensating'),
      ),
    )
    .returningAll()
    .executeTakeFirst();

/** The vendor has taken it. */
export async function noteAnswer(
  db: Kysely<Database>,
  serverId: number,
  claim: string,
  at: Date,
): Promise<void> {
  await ofClaim(db, serverId, claim).set({ answered_at: at, updated_at: new Date() }).execute();
}

/** It made nothing, and will not. Only this request: a later one may be under way. */
export async function forgetClaim(
  db: Kysely<Database>,
  serverId: number,
  claim: string,
): Promise<void> {
  await ofClaim(db, serverId, claim).set({ claim: null, updated_at: new Date() }).execute();
}

/** Nothing is asked for any more. Only where this request, or none (null), is the open one. */
export async function endReinstall(
  db: Kysely<Database>,
  key: RebuildKey,
  claim: string | null,
): Promise<boolean> {
  const now = new Date();
  const { numUpdatedRows } = await ofOperation(db, key)
    .set({ claim: null, done_at: now, wiped_at: now, updated_at: now })
    .where('done_at', 'is', null)
    .where(sql<boolean>`claim is not distinct from ${claim}::uuid`)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The host is in use again: the systems of all requests up to now are no new ones any more. */
export async function finishRebuild(db: Kysely<Database>, key: RebuildKey): Promise<void> {
  await ofOperation(db, key)
    .set({ used_asks: sql`asks`, wiped_at: null, queue_backup: null, updated_at: new Date() })
    .execute();
}

const ofOperation = (db: Kysely<Database>, { serverId, operationId }: RebuildKey) =>
  db
    .updateTable('server_rebuilds')
    .where('server_id', '=', serverId)
    .where('operation_id', '=', operationId);

const ofClaim = (db: Kysely<Database>, serverId: number, claim: string) =>
  db.updateTable('server_rebuilds').where('server_id', '=', serverId).where('claim', '=', claim);
