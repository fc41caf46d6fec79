/** How the sync of a cluster's mailboxes uses its rows. */
import { sql, type Kysely, type Transaction } from 'kysely';
import { countMessages, lockInbox } from './inbox-counts.ts';
import type { JobRows } from '../job-rows.ts';
import type { Database } from '../tables.ts';

/** The row is the cluster: its mailboxes are read for as long as it is active. */
export const inboxSyncRows: JobRows = {
  async lockState(trx, id) {
    const { status } = await trx
      .selectFrom('clusters')
      .select('status')
      .where('id', '=', id)
      .forShare()
      .executeTakeFirstOrThrow();
    return status === 'active' ? 'active' : 'over';
  },
  // Users cannot pause or cancel it: mailboxes are read while there are any.
  async apply() {},
  async settle() {},
};

/** A mailbox that is to be read. */
export interface SyncedMailbox {
  id: number;
  userId: string;
  email: string;
  /** Sealed; see `passwordBinding`. */
  password: Buffer;
  host: string;
  /** A user is waiting for new messages. */
  askedAt: Date | null;
  syncedAt: Date | null;
}

/** The cluster's active mailboxes, and whether it is active itself. */
export async function readSyncSnapshot(
  db: Kysely<Database>,
  clusterId: number,
): Promise<{ isActive: boolean; mailboxes: SyncedMailbox[] }> {
  const rows = await db
    .selectFrom('clusters')
    .innerJoin('servers', 'servers.id', 'clusters.server_id')
    .leftJoin('mailboxes', (join) =>
      join
        .onRef('mailboxes.cluster_id', '=', 'clusters.id')
        .on('mailboxes.status', '=', 'active')
        .on('mailboxes.password', 'is not', null),
    )
    .leftJoin('mailbox_syncs', 'mailbox_syncs.mailbox_id', 'mailboxes.id')
    .select(['mailboxes.id', 'mailboxes.user_id', 'mailboxes.email', 'mailboxes.password'])
    .select(['servers.host_name', 'mailbox_syncs.sync_asked_at', 'mailbox_syncs.synced_at'])
    .where('clusters.id', '=', clusterId)
    .where('clusters.status', '=', 'active')
    .orderBy('mailboxes.id')
    .execute();
  const mailboxes = rows.flatMap((row) =>
    row.id === null
      ? []
      : [
          {
            id: row.id,
            userId: row.user_id!,
            email: row.email!,
            password: row.password!,
            host: row.host_name,
            askedAt: row.sync_asked_at,
            syncedAt: row.synced_at,
          },
        ],
  );
  return { isActive: rows.length > 0, mailboxes };
}

/** Addresses of all mailboxes of the cluster's account, lower case: messages from them are no answers. */
export async function listOwnAddresses(db: Kysely<Database>, clusterId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('mailboxes')
    .innerJoin('clusters', 'clusters.user_id', 'mailboxes.user_id')
    .select('mailboxes.email')
    .where('clusters.id', '=', clusterId)
    .where('mailboxes.status', '!=', 'deleted')
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
  const { rows } = await sql<{ user_id: string }>`
    select distinct user_id from messages
    where snoozed_until <= ${now} and user_id = any(${userIds}::text[])`.execute(db);
  return rows.map(({ user_id }) => user_id);
}
