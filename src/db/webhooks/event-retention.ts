/** Events that are old, and the log of their deliveries. Choice 45. */
import { sql, type Kysely, type Transaction } from 'kysely';
import type { Database } from '../tables.ts';

/**
 * Looks at the `limit` events behind the id `after` and deletes those of before `before`, with their
 * deliveries, whatever became of these: an endpoint that takes nothing holds nothing back. Answers
 * where to go on: null when what follows is younger. Safe to repeat and to run twice.
 */
export const pruneEvents = (
  db: Kysely<Database>,
  { before, after, limit }: { before: Date; after: number; limit: number },
): Promise<{ deleted: number; next: number | null }> =>
  db.transaction().execute(async (trx) => {
    const { rows: portion } = await sql<{ id: number; isOld: boolean }>`
      select id, created_at < ${before} as "isOld" from events
      where id > ${after} order by id limit ${limit}`.execute(trx);
    const old = portion.filter(({ isOld }) => isOld).map(({ id }) => id);
    if (old.length === 0) return { deleted: 0, next: null };
    await lockQueuesOf(trx, old);
    const { rows: waking } = await sql<{ webhook_id: number; resource: string }>`
      with log as (
        delete from webhook_deliveries where event_id = any(${old}::bigint[])
        returning webhook_id, resource, state
      )
      select distinct webhook_id, resource from log where state = 'pending'`.execute(trx);
    await wakeHeads(trx, waking);
    const { numAffectedRows } = await sql`
      delete from events where id = any(${old}::bigint[])`.execute(trx);
    return { deleted: Number(numAffectedRows), next: portion.length < limit ? null : old.at(-1)! };
  });

/** Under these locks nothing begins to wait for a delivery that goes. See `lockQueue`. */
const lockQueuesOf = (trx: Transaction<Database>, eventIds: number[]) =>
  sql`
    select id from webhooks
    where id in (select webhook_id from webhook_deliveries where event_id = any(${eventIds}::bigint[]))
    order by id for no key update`.execute(trx);

/** What waited for one that is gone is due, where it is the oldest of its resource now. */
async function wakeHeads(
  trx: Transaction<Database>,
  queues: readonly { webhook_id: number; resource: string }[],
): Promise<void> {
  if (queues.length === 0) return;
  await sql`
    update webhook_deliveries set next_attempt_at = now()
    where next_attempt_at is null and state = 'pending' and id in (
      select (select min(id) from webhook_deliveries
        where webhook_id = queue.webhook_id and resource = queue.resource and state = 'pending')
      from jsonb_to_recordset(${JSON.stringify(queues)}::jsonb)
        as queue (webhook_id bigint, resource text))`.execute(trx);
}
