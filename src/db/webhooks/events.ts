/** Writes events for clients in the transaction of their cause, with a delivery for each endpoint. */
import { sql, type Kysely, type RawBuilder, type Selectable, type Transaction } from 'kysely';
import type { EventType, NewEvent } from '../../domain/webhooks/events.ts';
import { storableJson } from '../storable-json.ts';
import type { EventsTable } from './event-tables.ts';
import type { Database } from '../tables.ts';

export type Event = Selectable<EventsTable>;

export async function insertEvents(
  trx: Transaction<Database>,
  events: readonly NewEvent[],
): Promise<void> {
  for (const insert of eventInserts(events)) await insert.execute(trx);
}

/**
 * In order. One statement for any number of events, none for none. The caller MUST hold a lock on the subject of the events
 * (its row changes in the same transaction), or two events of one resource could be delivered in the wrong
 * order. Choice 45.
 */
export function eventInserts(events: readonly NewEvent[]): RawBuilder<unknown>[] {
  if (events.length === 0) return [];
  const insert = sql`/*insert-events*/
    with written as (
      insert into events (user_id, type, resource, payload)
      select item ->> 'user_id', item ->> 'type', item ->> 'resource', item -> 'payload'
      from jsonb_array_elements(${storableJson(events.map(asRow))}::jsonb)
        with ordinality as event (item, n)
      order by n
      returning id, user_id, type, resource
    )
    insert into webhook_deliveries (webhook_id, event_id, resource, next_attempt_at)
    select webhooks.id, written.id, written.resource, now()
    from written join webhooks using (user_id)
    where webhooks.is_active
      and (webhooks.event_types @> array['*'] or webhooks.event_types @> array[written.type])
    order by written.id`;
  return [insert];
}

const asRow = ({ userId, type, resource, payload }: NewEvent) => ({
  user_id: userId,
  type,
  resource,
  payload,
});

export interface EventPage {
  /** The id of the last event that was read. */
  after?: number | undefined;
  types?: readonly EventType[] | undefined;
  limit: number;
}

/** No open transaction can still insert an event before it. */
const isSettled = sql<boolean>`txid < pg_snapshot_xmin(pg_current_snapshot())`;

/**
 * A user's events after a position, oldest first; undefined when there is no such position. Only events
 * before which no open transaction can still insert one are returned: a client that continues from the last
 * one misses nothing, however late a transaction commits, and gets nothing twice.
 */
export async function listEvents(
  db: Kysely<Database>,
  userId: string,
  { after, limit, ...page }: EventPage,
): Promise<Event[] | undefined> {
  let isMeant = sql`user_id = ${userId} and ${isSettled}`;
  if (after !== undefined) {
    const place = await findPlace(db, userId, after);
    if (!place) return undefined;
    isMeant = sql`${isMeant} and (txid, id) > (${place.txid}::xid8, ${place.id}::bigint)`;
  }
  // Each type by the index in its own order, which Postgres merges: a rare one would read all events.
  const types = page.types
    ? [...new Set(page.types)].map((type) => sql`and type = ${type}`)
    : [sql``];
  const parts = types.map(
    (isOfType) =>
      sql`(select * from events where ${isMeant} ${isOfType} order by txid, id limit ${limit})`,
  );
  const { rows } = await sql<Event>`select * from (${sql.join(parts, sql` union all `)}) as event
    order by txid, id limit ${limit}`.execute(db);
  return rows;
}

/** The last event that `listEvents` would return; undefined where there is none. */
export async function findLastEvent(
  db: Kysely<Database>,
  userId: string,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('events')
    .select('id')
    .where('user_id', '=', userId)
    .where(isSettled)
    .orderBy('txid', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

export const findEvent = (
  db: Kysely<Database>,
  userId: string,
  id: number,
): Promise<Event | undefined> =>
  db
    .selectFrom('events')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();

/**
 * Where to continue after an event. A deleted, expired one preceded all remaining events with a higher id:
 * events that could be between are as old. Undefined for one that never existed.
 */
async function findPlace(
  db: Kysely<Database>,
  userId: string,
  after: number,
): Promise<{ txid: string; id: number } | undefined> {
  const { rows } = await sql<{ user_id: string; txid: string }>`
    select user_id, txid::text from events where id = ${after}`.execute(db);
  if (rows[0]) return rows[0].user_id === userId ? { txid: rows[0].txid, id: after } : undefined;
  const { rows: found } = await sql<{
    last: number | null;
    txid: string | null;
    id: number | null;
  }>`
    select (select max(id) from events) as last, next.txid, next.id
    from (select) as one left join lateral (
      select txid::text, id from events where user_id = ${userId} and id > ${after}
      order by events.txid, events.id limit 1
    ) as next on true`.execute(db);
  const { last, txid, id } = found[0]!;
  if (last !== null && after > last) return undefined;
  // Right before the next one, or after all events.
  return txid === null ? { txid: MAX_TXID, id: 0 } : { txid, id: id! - 1 };
}

const MAX_TXID = '18446744073709551615';
