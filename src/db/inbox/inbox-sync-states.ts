/** The sync state of each mailbox: written by the sync, shown to users, and requests to sync now. */
import { sql, type Kysely } from 'kysely';
import type { SyncTrouble } from '../../domain/inbox/inbox.ts';
import { tellMailboxHealth } from '../mailboxes/mailbox-health.ts';
import type { Database } from '../tables.ts';

/** A restart of the host or a broken connection is not reported. */
const TELL_AFTER_MS = 60_000;

/**
 * How often the time of the last sync is written while nothing happens: each minute would be too many writes.
 */
const SYNCED_EVERY_MS = 5 * 60_000;

/**
 * What a look has to do besides what the host tells, in one statement: the folders in which the host lacks changes of
 * ours, whether warm-up has asked for something, and whether the row has to be told that the mailbox was read. The row says it, not what the process remembers:
 * others write there, too.
 */
export async function readLookNeeds(
  db: Kysely<Database>,
  mailboxId: number,
  at: Date,
): Promise<LookNeeds> {
  const stale = new Date(at.getTime() - SYNCED_EVERY_MS);
  const { rows } = await sql<{
    paths: string[] | null;
    is_to_be_noted: boolean;
    is_warmup_due: boolean;
  }>`/*read-look-needs*/
    select array(select distinct place.path from messages as m
        join message_places as place on place.message_id = m.id
        where m.mailbox_id = ${mailboxId} and m.seen_unpushed) as paths,
      coalesce((select sync.synced_at is null or sync.synced_at <= ${stale}::timestamptz
          or sync.failing_since is not null or sync.is_told or sync.sync_asked_at is not null
          or sync.warmup_asked_at is not null
        from mailbox_syncs as sync where sync.mailbox_id = ${mailboxId}), true) as is_to_be_noted,
      exists (select from mailbox_syncs
        where mailbox_id = ${mailboxId} and warmup_asked_at is not null) as is_warmup_due`.execute(
    db,
  );
  const { paths, is_to_be_noted: isToBeNoted, is_warmup_due: isWarmupDue } = rows[0]!;
  return { pushedPaths: new Set(paths), isToBeNoted, isWarmupDue };
}

export interface LookNeeds {
  pushedPaths: ReadonlySet<string>;
  isToBeNoted: boolean;
  /** Warm-up has asked for its messages to be handled. */
  isWarmupDue: boolean;
}

/**
 * The mailbox was read completely. Requests made before `startedAt` are served. Clients who were told that it
 * fails are told that it has recovered. Where nothing has changed the row is not written.
 */
export async function noteMailboxRead(
  db: Kysely<Database>,
  mailboxId: number,
  { startedAt, at, hasNews = false }: { startedAt: Date; at: Date; hasNews?: boolean },
): Promise<void> {
  const stale = new Date(at.getTime() - SYNCED_EVERY_MS);
  const { rows } = await sql<{ is_told: boolean }>`
    insert into mailbox_syncs (mailbox_id, synced_at) values (${mailboxId}, ${at})
    on conflict (mailbox_id) do update set synced_at = excluded.synced_at, error = null,
      reason = null, failing_since = null,
      sync_asked_at = case when mailbox_syncs.sync_asked_at > ${startedAt}::timestamptz
        then mailbox_syncs.sync_asked_at end,
      warmup_asked_at = case when mailbox_syncs.warmup_asked_at > ${startedAt}::timestamptz
        then mailbox_syncs.warmup_asked_at end
      where ${hasNews} or coalesce(mailbox_syncs.synced_at <= ${stale}::timestamptz, true)
        or mailbox_syncs.failing_since is not null or mailbox_syncs.is_told
        or mailbox_syncs.sync_asked_at <= ${startedAt}::timestamptz
        or mailbox_syncs.warmup_asked_at <= ${startedAt}::timestamptz
    returning is_told`.execute(db);
  // If the process dies before this line, the next sync sends the event.
  if (rows[0]?.is_told) await tell(db, mailboxId, { reason: null, at });
}

/**
 * The mailbox could not be read. Clients are told once: at once when the login is refused, otherwise when the
 * failure lasts.
 */
export async function noteMailboxFailing(
  db: Kysely<Database>,
  mailboxId: number,
  { reason, error, at }: { reason: SyncTrouble; error: string; at: Date },
): Promise<void> {
  const { rows } = await sql<{ failing_since: Date; is_told: boolean }>`
    insert into mailbox_syncs (mailbox_id, error, reason, failing_since, looked_at)
    values (${mailboxId}, ${error}, ${reason}, ${at}, ${at})
    on conflict (mailbox_id) do update set error = excluded.error, reason = excluded.reason,
      looked_at = excluded.looked_at,
      failing_since = coalesce(mailbox_syncs.failing_since, excluded.failing_since)
    returning failing_since, is_told`.execute(db);
  const { failing_since: since, is_told: wasNotified } = rows[0]!;
  const lasts = at.getTime() - since.getTime() >= TELL_AFTER_MS;
  if (wasNotified || (reason !== 'login_refused' && !lasts)) return;
  await tell(db, mailboxId, { reason, at });
}

/** How often a look that goes on for long says so. */
const LONG_LOOK_MS = 60_000;

/** To be called as a look gets on: nobody is to think that the mailbox was forgotten, or that it still fails. */
export function longLookOf(
  { db, clock }: { db: Kysely<Database>; clock: { now(): Date } },
  mailboxId: number,
): () => Promise<void> {
  let saidAt = performance.now();
  return async () => {
    if (performance.now() - saidAt < LONG_LOOK_MS) return;
    saidAt = performance.now();
    await sql`
      insert into mailbox_syncs (mailbox_id, looked_at) values (${mailboxId}, ${clock.now()})
      on conflict (mailbox_id) do update set looked_at = excluded.looked_at,
        error = null, reason = null, failing_since = null`.execute(db);
  };
}

/** Since when the mailbox could not be read; null when the last sync was complete. */
export async function failingSince(db: Kysely<Database>, mailboxId: number): Promise<Date | null> {
  const row = await db
    .selectFrom('mailbox_syncs')
    .select('failing_since')
    .where('mailbox_id', '=', mailboxId)
    .executeTakeFirst();
  return row?.failing_since ?? null;
}

/** Records that clients are told, and writes the event, in one transaction; a second caller does nothing. */
const tell = (
  db: Kysely<Database>,
  mailboxId: number,
  { reason, at }: { reason: SyncTrouble | null; at: Date },
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const isFailing = reason !== null;
    const { numUpdatedRows } = await trx
      .updateTable('mailbox_syncs')
      .set({ is_told: isFailing })
      .where('mailbox_id', '=', mailboxId)
      .where('is_told', '!=', isFailing)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    const health = isFailing ? 'failing' : 'healthy';
    await tellMailboxHealth(trx, [{ mailboxId, aspect: 'sync', health, reason }], at);
  });

/** An active mailbox; all null before its first sync. */
export interface SyncState {
  mailboxId: number;
  /** Null: a connected mailbox. */
  clusterId: number | null;
  email: string;
  syncedAt: Date | null;
  failingSince: Date | null;
  reason: SyncTrouble | null;
  askedAt: Date | null;
}

/** A page of the user's active mailboxes, oldest first, and how many there are. */
export async function listSyncStates(
  db: Kysely<Database>,
  { userId, mailboxId }: { userId: string; mailboxId?: number | undefined },
  page: { limit: number; offset: number },
): Promise<{ rows: SyncState[]; total: number }> {
  let mailboxes = db
    .selectFrom('mailboxes')
    .where('mailboxes.user_id', '=', userId)
    .where('mailboxes.status', '=', 'active');
  if (mailboxId !== undefined) mailboxes = mailboxes.where('mailboxes.id', '=', mailboxId);
  const rows = await mailboxes
    .leftJoin('mailbox_syncs as sync', 'sync.mailbox_id', 'mailboxes.id')
    .select(['mailboxes.id as mailboxId', 'mailboxes.cluster_id as clusterId', 'mailboxes.email'])
    .select(['sync.synced_at as syncedAt', 'sync.failing_since as failingSince'])
    .select(['sync.reason', 'sync.sync_asked_at as askedAt'])
    .orderBy('mailboxes.id')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const { total } = await mailboxes
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { rows, total: Number(total) };
}

/** Requests a sync of the user's active mailboxes, or one of them, now; returns how many. */
export async function askForSync(
  db: Kysely<Database>,
  { userId, mailboxId }: { userId: string; mailboxId?: number | undefined },
  at: Date,
): Promise<number> {
  const one = mailboxId === undefined ? sql`` : sql`and id = ${mailboxId}`;
  const { numAffectedRows } = await sql`
    insert into mailbox_syncs (mailbox_id, sync_asked_at)
    select id, ${at} from mailboxes
    where user_id = ${userId} and status = 'active' ${one}
    order by id
    on conflict (mailbox_id) do update
      set sync_asked_at = greatest(mailbox_syncs.sync_asked_at, excluded.sync_asked_at)`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0);
}
