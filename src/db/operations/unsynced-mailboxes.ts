/** Mailboxes that a sync does not read, for the on-call engineer. */
import { sql, type Kysely } from 'kysely';
import type { SyncTrouble } from '../../domain/inbox/inbox.ts';
import type { Database } from '../tables.ts';

/** A mailbox in use that is not read, and why; null where the failure predates the storing of reasons. */
export interface UnsyncedMailbox {
  id: number;
  email: string;
  failingSince: Date;
  reason: SyncTrouble | null;
  error: string | null;
}

/** Those of an inbox, failing longest first. */
export async function listUnsyncedMailboxes(
  db: Kysely<Database>,
  inboxId: number,
): Promise<UnsyncedMailbox[]> {
  const { rows } = await sql<UnsyncedMailbox>`
    select m.id, m.email, y.failing_since as "failingSince", y.reason, y.error
    from mailboxes m join mailbox_syncs y on y.mailbox_id = m.id
    where (m.cluster_id = ${inboxId} or m.cluster_id is null
        and m.user_id = (select user_id from connected_inboxes where id = ${inboxId})) and m.status = 'active' and y.failing_since is not null
    order by y.failing_since, m.id`.execute(db);
  return rows;
}
