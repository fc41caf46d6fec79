/** Events of a database restored into another server, which has a new transaction counter. */
import { sql, type Kysely } from 'kysely';
import type { Database } from '../tables.ts';

/**
 * A dump contains the transaction ids of the server it was made on. Above the new server's counter they look
 * like future ones, and `GET /v1/events` would return nothing. Then all existing events are moved before
 * every new one, in the order of their ids. Returns how many; normally nothing is written. Safe to repeat,
 * and to run in several processes at once.
 */
export async function healRestoredEvents(db: Kysely<Database>, portion = 10_000): Promise<number> {
  const { rows } = await sql<{ last_id: number | null }>`
    select case when exists (
      select from users cross join lateral (
        select txid from events where events.user_id = users.user_id
        order by txid desc, id desc limit 1) as last
      where last.txid >= pg_snapshot_xmax(pg_current_snapshot())
    ) then (select max(id) from events) end as last_id`.execute(db);
  const lastId = rows[0]!.last_id;
  if (lastId === null) return 0;
  let healed = 0;
  for (let after: number | null = 0; after !== null;) {
    const done = await sql<{ last_id: number | null; changed: number }>`
      with portion as (
        select id, txid from events where id > ${after} and id <= ${lastId}
        order by id limit ${portion}
      ), healed as (
        update events set txid = '0' from portion
        where events.id = portion.id and portion.txid <> '0' returning events.id
      )
      select (select max(id) from portion) as last_id,
        (select count(*)::integer from healed) as changed`.execute(db);
    healed += done.rows[0]!.changed;
    after = done.rows[0]!.last_id;
  }
  return healed;
}
