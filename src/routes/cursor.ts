/** Cursors of lists: where a page ended, opaque to clients. Choice 47. */
import { z } from 'zod';
import { pageQuery } from '../http/schemas.ts';
import { orderOf } from './lead-shapes.ts';
import type { RowOrder, RowPosition } from '../services/leads.ts';

/** The order is the cursor's: a list that is sorted anew has no such place. */
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

/** `page`, `limit` and `cursor`, where none of them means: everything. */
export const pageOrCursorQuery = {
  page: pageQuery.shape.page.unwrap().optional(),
  limit: pageQuery.shape.limit.unwrap().optional(),
  cursor: z
    .string()
    .max(2_000)
    .refine((text) => read(text) !== undefined, 'must be the nextCursor of an answer')
    .transform((text) => read(text)!)
    .meta({ type: 'string', description: '`meta.pagination.nextCursor` of the page before' })
    .optional(),
};

/** Where the next page begins: behind this row. */
export const cursorOf = (
  row: { id: number; name_key: string },
  { sort, order }: RowOrder,
): string =>
  Buffer.from(
    JSON.stringify([sort, order, row.id, sort === 'name' ? row.name_key : null]),
  ).toString('base64url');

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
  // A NUL is in no name of ours, and Postgres would refuse the question.
  if (name?.includes('\u0000')) return undefined;
  return { order: orderOf({ sort, order }), after: { id, name: name ?? undefined } };
}
