/** Mailboxes that are read one last time before they are removed from their host. */
import type { Kysely } from 'kysely';
import type { SyncedMailbox } from './inbox-syncs.ts';
import type { Database } from '../tables.ts';

/** Those of `ids` that can still be logged in to. */
export async function listDepartingLogins(
  db: Kysely<Database>,
  ids: readonly number[],
): Promise<SyncedMailbox[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('mailboxes')
    .innerJoin('clusters', 'clusters.id', 'mailboxes.cluster_id')
    .innerJoin('servers', 'servers.id', 'clusters.server_id')
    .select(['mailboxes.id', 'mailboxes.user_id', 'mailboxes.email', 'mailboxes.password'])
    .select('servers.host_name')
    .where('mailboxes.id', 'in', [...ids])
    .where('mailboxes.status', '=', 'deleting')
    .where('servers.status', 'in', ['active', 'deleting'])
    .orderBy('mailboxes.id')
    .execute();
  return rows.flatMap(({ id, user_id: userId, email, password, host_name: host }) =>
    password === null ? [] : [{ id, userId, email, password, host, askedAt: null, syncedAt: null }],
  );
}
