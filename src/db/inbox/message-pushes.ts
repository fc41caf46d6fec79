/** Changes of the read state that the host does not have yet. */
import { sql, type Kysely } from 'kysely';
import type { FolderKey } from './mailbox-folders.ts';
import type { Database } from '../tables.ts';

/** A message's location in the folder and the flag to set at the host. */
export interface SeenPush {
  id: number;
  uid: number;
  isRead: boolean;
}

/** Most changes of one batch; the next batch takes the rest. */
const AT_ONCE = 1_000;

export async function listSeenPushes(
  db: Kysely<Database>,
  { mailboxId, path }: FolderKey,
): Promise<SeenPush[]> {
  const { rows } = await sql<SeenPush>`
    select m.id, place.uid, m.is_read as "isRead"
    from messages as m
    join message_places as place on place.message_id = m.id and place.path = ${path}
    where m.mailbox_id = ${mailboxId} and m.seen_unpushed
    order by m.id limit ${AT_ONCE}`.execute(db);
  return rows;
}

/** The host has the change; a message that was changed again meanwhile is pushed again. */
export async function notePushed(db: Kysely<Database>, pushed: readonly SeenPush[]): Promise<void> {
  await sql`
    update messages set seen_unpushed = false
    from jsonb_to_recordset(${JSON.stringify(pushed)}::jsonb) as pushed (id bigint, "isRead" boolean)
    where messages.id = pushed.id and messages.is_read = pushed."isRead"`.execute(db);
}
