/** Events that are old, and the log of their deliveries. Choice 45. */
import { sql, type Kysely } from 'kysely';
import type { Database } from './tables.ts';

/**
 * Looks at the `limit` events behind the id `after` and deletes those of before `before`, with their
 * deliveries; never one that an endpoint has still to get, nor one whose delivery was tried since
 * `before`. Answers where to go on: null when what follows is younger. Safe to repeat and to run twice.
 */
export async function pruneEvents(
  db: Kysely<Database>,
  { before, after, limit }: { before: Date; after: number; limit: number },
): Promise<{ deleted: number; next: number | null }> {
  // Whoever queues a delivery anew meanwhile keeps its event: the statement fails, and is repeated.
  const { rows } = await sql<{ deleted: number; last: number | null; looked: number }>`
    with portion as (
      select id, created_at from events where id > ${after} order by id limit ${limit}
    ), old as (
      select id from portion
      where created_at < ${before} and not exists (select from webhook_deliveries
        where event_id = portion.id and (state = 'pending' or updated_at >= ${before}))
    ), log as (
      delete from webhook_deliveries using old where event_id = old.id and state <> 'pending'
    ), gone as (
      delete from events using old where events.id = old.id returning events.id
    )
    select (select count(*)::integer from gone) as deleted,
      (select count(*)::integer from portion) as looked,
      (select max(id) from portion where created_at < ${before}) as last`.execute(db);
  const { deleted, looked, last } = rows[0]!;
  return { deleted, next: looked < limit ? null : last };
}
