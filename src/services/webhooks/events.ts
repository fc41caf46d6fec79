/** Events that clients fetch themselves. Choice 45. */
import type { Context } from '../../context.ts';
import { listEvents, type Event } from '../../db/webhooks/events.ts';
import { validationError } from '../../domain/errors.ts';
import type { EventType } from '../../domain/webhooks/events.ts';

/** Oldest first, after the event `after`. */
export async function readEvents(
  context: Pick<Context, 'db'>,
  userId: string,
  page: { after?: number | undefined; types?: readonly EventType[] | undefined; limit: number },
): Promise<{ rows: Event[]; hasNext: boolean }> {
  const rows = await listEvents(context.db, userId, { ...page, limit: page.limit + 1 });
  if (!rows) {
    throw validationError([{ field: 'after', message: 'after must be the id of an event' }]);
  }
  return { rows: rows.slice(0, page.limit), hasNext: rows.length > page.limit };
}
