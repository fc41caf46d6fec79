/** How the sync of an inbox, that of a cluster or of an account's connected mailboxes, uses its rows. */
import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';
import { countMessages, lockInbox } from './inbox-counts.ts';
import { sealedLoginOf, type LoginColumns, type SealedLogin } from '../mailboxes/mailbox-access.ts';
import type { JobRows } from '../job-rows.ts';
import { samePlan } from '../same-plan.ts';
import type { Database } from '../tables.ts';

/**
 * The row is the cluster: its mailboxes are read for as long as it is active. Connected mailboxes are read for as
 * long as their account is there.
 */
export const inboxSyncRows: JobRows = {
  async lockState(trx, id) {
    const cluster = await trx
      .selectFrom('clusters')
      .select('status')
      .where('id', '=', id)
      .forShare()
      .executeTakeFirst();
    if (cluster) return cluster.status === 'active' ? 'active' : 'over';
    const inbox = await trx
      .selectFrom('connected_inboxes')
      .select('id')
      .where('id', '=', id)
      .executeTakeFirst();
    return inbox ? 'active' : 'over';
  },
  // Users cannot pause or cancel it: mailboxes are read while there are any.
  async apply() {},
  async settle() {},
};

/** A mailbox that is to be read. */
export interface SyncedMailbox extends SealedLogin {
  id: number;
  userId: string;
  /** A user is waiting for new messages, or warm-up for the connection. */
  askedAt: Date | null;
  syncedAt: Date | null;
  /** The last look that failed, or that is a long one. */
  lookedAt: Date | null;
  failingSince: Date | null;
}

/** What is live of an inbox, if it is live itself. */
export interface SyncSnapshot {
  isActive: boolean;
  userId: string;
  mailboxes: SyncedMailbox[];
}

const lastRequest = sql<Date | null>`greatest(sync.sync_asked_at, sync.warmup_asked_at)`;

/** Looked up for each mailbox: of a thousand inboxes none reads the states of all, as the planner would have it. */
const syncOfMailbox =
  sql<SyncState>`(select sync_asked_at, warmup_asked_at, synced_at, looked_at, failing_since
  from mailbox_syncs where mailbox_id = mailboxes.id offset 0)`.as('sync');

type SyncState = Pick<
  Selectable<Database['mailbox_syncs']>,
  'sync_asked_at' | 'warmup_asked_at' | 'synced_at' | 'looked_at' | 'failing_since'
>;

/** The active mailboxes of a cluster or, where there is none with this id, of an account's connected ones. */
export const readSyncSnapshot = async (
  db: Kysely<Database>,
  inboxId: number,
): Promise<SyncSnapshot> =>
  (await readClusterSnapshot(db, inboxId)) ??
  (await readConnectedSnapshot(db, inboxId)) ?? { isActive: false, userId: '', mailboxes: [] };

async function readClusterSnapshot(
  db: Kysely<Database>,
  clusterId: number,
): Promise<SyncSnapshot | undefined> {
  const rows = await db
    .selectFrom('clusters')
    .modifyFront(sql`/*read-cluster-inbox*/`)
    .innerJoin('servers', 'servers.id', 'clusters.server_id')
    .leftJoin('mailboxes', (join) =>
      join.onRef('mailboxes.cluster_id', '=', 'clusters.id').on('mailboxes.status', '=', 'active'),
    )
    .leftJoinLateral(syncOfMailbox, (join) => join.onTrue())
    .select(['mailboxes.id', 'mailboxes.email', 'mailboxes.password', 'clusters.user_id'])
    .select(['servers.host_name', sql<null>`null`.as('servers')])
    .select([lastRequest.as('sync_asked_at'), 'sync.synced_at'])
    .select(['sync.looked_at', 'sync.failing_since'])
    .where('clusters.id', '=', clusterId)
    .where('clusters.status', '=', 'active')
    .orderBy('mailboxes.id')
    .execute();
  return snapshotOf(rows);
}

async function readConnectedSnapshot(
  db: Kysely<Database>,
  inboxId: number,
): Promise<SyncSnapshot | undefined> {
  const rows = await db
    .selectFrom('connected_inboxes as inbox')
    .leftJoin('mailboxes', (join) =>
      join
        .onRef('mailboxes.user_id', '=', 'inbox.user_id')
        .on('mailboxes.cluster_id', 'is', null)
        .on('mailboxes.status', '=', 'active'),
    )
    .leftJoin('connected_mailboxes as own', 'own.mailbox_id', 'mailboxes.id')
    .leftJoinLateral(syncOfMailbox, (join) => join.onTrue())
    .select(['mailboxes.id', 'mailboxes.email', 'mailboxes.password', 'inbox.user_id'])
    .select([sql<null>`null`.as('host_name'), 'own.servers'])
    .select([lastRequest.as('sync_asked_at'), 'sync.synced_at'])
    .select(['sync.looked_at', 'sync.failing_since'])
    .where('inbox.id', '=', inboxId)
    .orderBy('mailboxes.id')
    .execute();
  return snapshotOf(rows);
}

interface SnapshotRow extends Omit<LoginColumns, 'email'> {
  user_id: string;
  /** Null: the inbox has no active mailbox. */
  id: number | null;
  email: string | null;
  sync_asked_at: Date | null;
  synced_at: Date | null;
  looked_at: Date | null;
  failing_since: Date | null;
}

function snapshotOf(rows: readonly SnapshotRow[]): SyncSnapshot | undefined {
  const [first] = rows;
  if (first === undefined) return undefined;
  const userId = first.user_id;
  const mailboxes = rows.flatMap(({ id, email, sync_asked_at: askedAt, ...row }) => {
    const login = email === null ? undefined : sealedLoginOf({ ...row, email });
    if (id === null || login === undefined) return [];
    const { synced_at: syncedAt, looked_at: lookedAt, failing_since: failingSince } = row;
    return [{ id, userId, ...login, askedAt, syncedAt, lookedAt, failingSince }];
  });
  return { isActive: true, userId, mailboxes };
}

/** Addresses of all mailboxes of the account, lower case: messages from them are no answers. */
export async function listOwnAddresses(db: Kysely<Database>, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('mailboxes')
    .select('email')
    .where('user_id', '=', userId)
    .where('status', '!=', 'deleted')
    .execute();
  return rows.map(({ email }) => email.toLowerCase());
}

/** Most messages that return in one transaction. */
const RETURNED_AT_ONCE = 500;

/** Moves a user's snoozed messages whose time has come back into the inbox. Choice 34. */
export async function returnSnoozed(
  trx: Transaction<Database>,
  userId: string,
  now: Date,
): Promise<number> {
  await lockInbox(trx, userId);
  const { rows } = await sql<{ thread_id: number; is_read: boolean; in_inbox: boolean }>`
    update messages set snoozed_until = null, in_inbox = not archived
    where id in (select id from messages
      where snoozed_until <= ${now} and user_id = ${userId}
      order by snoozed_until limit ${RETURNED_AT_ONCE})
    returning thread_id, is_read, in_inbox`.execute(trx);
  await countMessages(
    trx,
    userId,
    rows.map(({ thread_id: threadId, is_read: isRead, in_inbox: inInbox }) => ({
      before: { threadId, isRead, inInbox: false },
      after: { threadId, isRead, inInbox },
    })),
  );
  return rows.length;
}

/** Users of the cluster's mailboxes who have a snoozed message whose time has come. */
export async function findSnoozeDue(
  db: Kysely<Database>,
  userIds: readonly string[],
  now: Date,
): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`/*find-snooze-due*/
    select distinct user_id from messages
    where snoozed_until <= ${now} and user_id = any(${samePlan(userIds, 'text[]')})`.execute(db);
  return rows.map(({ user_id }) => user_id);
}
