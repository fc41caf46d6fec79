/** The events of a resource (`maps_run/7`) for clients, and events for tests of their delivery. */
import type { Kysely, Transaction } from 'kysely';
import { insertEvents } from '../../../src/db/webhooks/events.ts';
import type { Database } from '../../../src/db/tables.ts';
import type { EventType, NewEvent } from '../../../src/domain/webhooks/events.ts';
import { eventData } from '../../../src/routes/webhooks/event-schemas.ts';

/** Oldest first; each MUST have exactly the documented fields. */
export async function eventsOf(db: Kysely<Database>, resource: string) {
  const rows = await db
    .selectFrom('events')
    .select(['type', 'payload'])
    .where('resource', '=', resource)
    .orderBy('id')
    .execute();
  for (const { type, payload } of rows) eventData[type].strict().parse(payload);
  return rows;
}

/** An event whose payload does not matter to the test, or a mark by which the test finds it. */
export interface AnyEvent {
  userId: string;
  type: EventType;
  resource: string;
  payload: object;
}

/** Writes events of any content. */
export const happenWithin = (
  trx: Transaction<Database>,
  events: readonly AnyEvent[],
): Promise<void> => insertEvents(trx, events as unknown as readonly NewEvent[]);

export const happen = (db: Kysely<Database>, events: readonly AnyEvent[]): Promise<void> =>
  db.transaction().execute((trx) => happenWithin(trx, events));
