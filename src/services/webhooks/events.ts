/** Events that clients fetch themselves. Choice 45. */
import type { Context } from '../../context.ts';
import { findEvent, findLastEvent, listEvents, type Event } from '../../db/webhooks/events.ts';
import { notFound, validationError } from '../../domain/errors.ts';
import type { EventType } from '../../domain/webhooks/events.ts';

interface Asked {
  /** An event's id, or `latest`: behind all that there is, where nothing is listed. */
  after?: number | 'latest' | undefined;
  types?: readonly EventType[] | undefined;
  limit: number;
}

/** Before the first event of all: `after` of a client that has seen none. */
const START = 0;

/** Oldest first, after the event `after`. `last` is where to go on from. */
export async function readEvents(
  context: Pick<Context, 'db'>,
  userId: string,
  { after, types, limit }: Asked,
): Promise<{ rows: Event[]; hasNext: boolean; last: number }> {
  if (after === 'latest') {
    const last = await findLastEvent(context.db, userId);
    return { rows: [], hasNext: false, last: last ?? START };
  }
  const behind = after === START ? undefined : after;
  const found = await listEvents(context.db, userId, { after: behind, types, limit: limit + 1 });
  if (!found) {
    throw validationError([{ field: 'after', message: 'after must be the id of an event' }]);
  }
  const rows = found.slice(0, limit);
  return { rows, hasNext: found.length > limit, last: rows.at(-1)?.id ?? after ?? START };
}

/** Throws `EVENT_NOT_FOUND`. */
export async function getEvent(
  context: Pick<Context, 'db'>,
  userId: string,
  id: number,
): Promise<Event> {
  const row = await findEvent(context.db, userId, id);
  if (!row) throw notFound('event');
  return row;
}
