/** Deletion of old events and of the log of their deliveries. Choice 45. */
import { sql, type Kysely, type Transaction } from 'kysely';
import type { Database } from '../tables.ts';

/**
 * Checks the `limit` events after the id `after` and deletes those older than `before`, with their deliveries
 * in any state: an endpoint that accepts nothing does not prevent it. Returns where to continue: null when
 * the following events are newer. Safe to repeat and to run concurrently.
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

/** Under these locks no delivery begins to wait for one that is being deleted. See `lockQueue`. */
const lockQueuesOf = (trx: Transaction<Database>, eventIds: number[]) =>
  sql`
    select id from webhooks
    where id in (select webhook_id from webhook_deliveries where event_id = any(${eventIds}::bigint[]))
    order by id for no key update`.execute(trx);

/** Deliveries that waited for a deleted one become due, where they are now the oldest of their resource. */
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
