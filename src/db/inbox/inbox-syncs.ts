/** How the sync of an inbox, that of a cluster or of an account's connected mailboxes, uses its rows. */
import { sql, type AliasedExpression, type Kysely, type RawBuilder, type Selectable } from 'kysely';
import { sealedLoginOf, type LoginColumns, type SealedLogin } from '../mailboxes/mailbox-access.ts';
import type { JobRows } from '../job-rows.ts';
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

const readClusterSnapshot = async (
  db: Kysely<Database>,
  clusterId: number,
): Promise<SyncSnapshot | undefined> =>
  snapshotOf(
    await clusterRows(db, clusterId)
      .modifyFront(sql`/*read-cluster-inbox*/`)
      .select('sync.synced_at')
      .orderBy('mailboxes.id')
      .execute(),
  );

const clusterRows = (db: Kysely<Database>, clusterId: number) =>
  db
    .selectFrom('clusters')
    .innerJoin('servers', 'servers.id', 'clusters.server_id')
    .leftJoin('mailboxes', (join) =>
      join.onRef('mailboxes.cluster_id', '=', 'clusters.id').on('mailboxes.status', '=', 'active'),
    )
    .leftJoinLateral(syncOfMailbox, (join) => join.onTrue())
    .select(['mailboxes.id', 'mailboxes.email', 'mailboxes.password', 'clusters.user_id'])
    .select(['servers.host_name', sql<null>`null`.as('servers')])
    .select([lastRequest.as('sync_asked_at')])
    .select(['sync.looked_at', 'sync.failing_since'])
    .where('clusters.id', '=', clusterId)
    .where('clusters.status', '=', 'active');

const readConnectedSnapshot = async (
  db: Kysely<Database>,
  inboxId: number,
): Promise<SyncSnapshot | undefined> =>
  snapshotOf(
    await connectedRows(db, inboxId).select('sync.synced_at').orderBy('mailboxes.id').execute(),
  );

const connectedRows = (db: Kysely<Database>, inboxId: number) =>
  db
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
    .select([lastRequest.as('sync_asked_at')])
    .select(['sync.looked_at', 'sync.failing_since'])
    .where('inbox.id', '=', inboxId);

/** A snapshot whose mark stays is told so long without being read. */
const UNREAD_MS = 60_000;

/**
 * The snapshot, whenever it is asked for, as `readSyncSnapshot` tells it: of hundreds of mailboxes, every few seconds. The
 * rows are read when their mark has changed, and each minute; `syncedAt` may be as old where it is not null.
 */
export function syncSnapshots(
  db: Kysely<Database>,
  inboxId: number,
  now: () => number = () => performance.now(),
): () => Promise<SyncSnapshot> {
  let known: { mark: string; readAt: number; snapshot: SyncSnapshot } | undefined;
  return async () => {
    // Before the rows: what changes in between has another mark the next time.
    const mark = await readMark(db, inboxId);
    if (known?.mark !== mark || now() - known.readAt >= UNREAD_MS) {
      const readAt = now();
      known = { mark, readAt, snapshot: await readSyncSnapshot(db, inboxId) };
    }
    return known.snapshot;
  };
}

/**
 * Another one whenever something changes that the snapshot tells, but for `synced_at`, of which it tells whether it is
 * null: it changes every few minutes in each mailbox, and whoever reads them knows.
 */
const readMark = async (db: Kysely<Database>, inboxId: number): Promise<string> =>
  (await markOf(db, {
    rows: clusterRows(db, inboxId).select(isUnread).as('look'),
    name: sql`/*mark-cluster-inbox*/`,
  })) ??
  (await markOf(db, {
    rows: connectedRows(db, inboxId).select(isUnread).as('look'),
    name: sql`/*mark-connected-inbox*/`,
  })) ??
  '';

const isUnread = sql<boolean>`sync.synced_at is null`.as('is_unread');

/** Undefined where there are no rows. */
async function markOf(
  db: Kysely<Database>,
  { rows, name }: { rows: AliasedExpression<object, 'look'>; name: RawBuilder<unknown> },
): Promise<string | undefined> {
  const mark = sql<string | null>`count(*) || ' ' || bit_xor(hash_record_extended(look, 0))`;
  const found = await db
    .selectFrom(rows)
    .modifyFront(name)
    .select(mark.as('mark'))
    .executeTakeFirstOrThrow();
  return found.mark ?? undefined;
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
