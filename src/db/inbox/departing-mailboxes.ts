/** Mailboxes that are read one last time before they are removed from their host. */
import type { Kysely } from 'kysely';
import { sealedLoginOf } from '../mailboxes/mailbox-access.ts';
import type { SyncedMailbox } from './inbox-syncs.ts';
import type { Database } from '../tables.ts';

/** Those of `ids` that can still be logged in to. */
export async function listDepartingLogins(
  db: Kysely<Database>,
  ids: readonly number[],
): Promise<(SyncedMailbox & { inboxId: number })[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('mailboxes')
    .innerJoin('mailbox_hosts as host', 'host.mailbox_id', 'mailboxes.id')
    .select(['mailboxes.id', 'mailboxes.user_id', 'mailboxes.email', 'mailboxes.password'])
    .select(['host.host_name', 'host.servers', 'host.inbox_id'])
    .where('mailboxes.id', 'in', [...ids])
    .where('mailboxes.status', '=', 'deleting')
    .where((eb) =>
      eb('host.server_id', 'is', null).or('host.server_status', 'in', ['active', 'deleting']),
    )
    .orderBy('mailboxes.id')
    .execute();
  return rows.flatMap((row) => {
    const { id, user_id: userId, inbox_id: inboxId } = row;
    const login = sealedLoginOf(row);
    if (login === undefined || inboxId === null) return [];
    const looks = { askedAt: null, syncedAt: null, lookedAt: null, failingSince: null };
    return [{ id, userId, inboxId, ...login, ...looks }];
  });
}
