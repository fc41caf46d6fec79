/** Cursors of lists: the opaque position where a page ended. Choice 47. */
import { z } from 'zod';
import { pagination, reply, type Reply } from '../http/envelope.ts';
import { offsetOf, pageQuery } from '../http/schemas.ts';
import { orderOf } from './leads/lead-shapes.ts';
import type { RowOrder, RowPosition } from '../services/leads/leads.ts';

/** The sort order is part of the cursor: in another order the position means nothing. */
const content = z.tuple([
  z.enum(['createdAt', 'name']),
  z.enum(['asc', 'desc']),
  z.int().min(0).max(999_999_999_999_999),
  z.string().max(600).nullable(),
]);

export interface Cursor {
  order: RowOrder;
  after: RowPosition;
}

/** Opaque to clients; `read` knows the position of its list again. */
export const cursorSchema = <Place>(read: (text: string) => Place | undefined, maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .refine((text) => read(text) !== undefined, 'must be the nextCursor of an answer')
    .transform((text) => read(text)!)
    .meta({ type: 'string', description: '`meta.pagination.nextCursor` of the page before' });

/** `page`, `limit` and `cursor`; without any of them: everything. */
export const pageOrCursorQuery = {
  page: pageQuery.shape.page.unwrap().optional(),
  limit: pageQuery.shape.limit.unwrap().optional(),
  cursor: cursorSchema(read, 2_000).optional(),
};

/** The cursor of the next page: after this row. */
export const cursorOf = (
  row: { id: number; name_key: string },
  { sort, order }: RowOrder,
): string =>
  Buffer.from(
    JSON.stringify([sort, order, row.id, sort === 'name' ? row.name_key : null]),
  ).toString('base64url');

export interface Page {
  order: RowOrder;
  limit: number;
  offset: number;
}

export interface Behind {
  order: RowOrder;
  limit: number;
  after: RowPosition;
}

/** A page by number, with a total, or the one after a cursor, which is as fast at any position. */
export async function cursorPaged<Row extends { id: number; name_key: string }, Shown>(
  query: {
    page?: number | undefined;
    limit?: number | undefined;
    cursor?: Cursor | undefined;
    sort?: RowOrder['sort'] | undefined;
    order?: RowOrder['order'] | undefined;
  },
  reads: {
    page(page: Page): Promise<Counted & { rows: Row[]; hasNext: boolean }>;
    behind(page: Behind): Promise<{ rows: Row[]; hasNext: boolean }>;
  },
  { present, message }: { present: (row: Row) => Shown; message?: string },
): Promise<Reply<Shown[]>> {
  const { page = 1, limit = 20, cursor } = query;
  if (cursor) {
    const { rows, hasNext } = await reads.behind({ limit, ...cursor });
    const nextCursor = hasNext ? cursorOf(rows.at(-1)!, cursor.order) : null;
    return reply(rows.map(present), {
      message,
      meta: { pagination: { limit, hasNext, nextCursor } },
    });
  }
  const order = orderOf(query);
  const { rows, hasNext, ...total } = await reads.page({
    order,
    limit,
    offset: offsetOf({ page, limit }),
  });
  const nextCursor = hasNext ? cursorOf(rows.at(-1)!, order) : null;
  const place = { ...totalOf({ page, limit }, total), hasNext, nextCursor };
  return reply(rows.map(present), { message, meta: { pagination: place } });
}

/** A page of a list that goes on by its rows; its total is counted without a cursor alone. */
export function replyPage<Row, Shown>(
  query: { page: number; limit: number },
  { rows, hasNext, total }: { rows: Row[]; hasNext: boolean; total: number | undefined },
  { present, cursorOf: write }: { present: (row: Row) => Shown; cursorOf: (row: Row) => string },
): Reply<Shown[]> {
  const last = rows.at(-1);
  const nextCursor = hasNext && last ? write(last) : null;
  const counted = total === undefined ? { limit: query.limit, hasNext } : pagination(query, total);
  return reply(rows.map(present), { meta: { pagination: { ...counted, nextCursor } } });
}

interface Counted {
  total: number;
  isCapped?: boolean;
}

/** The pagination of a page; `totalIsCapped` where the total was not counted to its end. */
export const totalOf = (
  query: { page: number; limit: number },
  { total, isCapped = false }: Counted,
) => ({ ...pagination(query, total), ...(isCapped && { totalIsCapped: true }) });

function read(text: string): Cursor | undefined {
  let json: unknown;
  try {
    json = JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
  const { data } = content.safeParse(json);
  if (!data) return undefined;
  const [sort, order, id, name] = data;
  // No name here contains NUL, and Postgres would reject the query.
  if (name?.includes('\u0000')) return undefined;
  return { order: orderOf({ sort, order }), after: { id, name: name ?? undefined } };
}
