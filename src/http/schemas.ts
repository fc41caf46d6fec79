/** Schemas that many routes share: ids, pages, timestamps, and texts that Postgres can hold. */
import { z } from 'zod';

/**
 * An integer id in a path: `'7'` -> `7`. What is no number is 400 INVALID_INPUT. Ids have at most 15 digits, which fit
 * into 2^53 and int8: such an id is exact everywhere. A larger number becomes one that nobody has, and is not found.
 */
export const pathId = z
  .string()
  .regex(/^\d+$/, 'must be a number')
  .transform((digits) => Math.min(Number(digits), Number.MAX_SAFE_INTEGER))
  .meta({ type: 'integer', minimum: 0, maximum: 999_999_999_999_999 });

/** `params` of `/things/:id`. */
export const idParams = z.object({ id: pathId });

/** An integer id in a body. */
export const bodyId = z.int().min(0).max(999_999_999_999_999);

const MAX_PAGE = 1_000_000;
const MAX_LIMIT = 100;

/** A whole number in a query string, where everything is text. */
export const queryInteger = (max: number, fallback: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number of at least 1')
    .transform(Number)
    .refine((n) => n >= 1, 'must be a whole number of at least 1')
    .transform((n) => Math.min(n, max))
    .meta({ type: 'integer', minimum: 1, default: fallback })
    .default(fallback);

/** `page` and `limit`; a limit over 100 counts as 100 and `meta.pagination` says so. */
export const pageQuery = z.object({
  page: queryInteger(MAX_PAGE, 1),
  limit: queryInteger(MAX_LIMIT, 20),
});

/** Row offset of a page. */
export const offsetOf = (query: { page: number; limit: number }): number =>
  (query.page - 1) * query.limit;

/** ISO 8601 UTC on the wire; presenters write `date.toISOString()`. */
export const timestamp = z.iso.datetime();

/** A schema with an `id`, or null. By `.nullable()` the document would lose the null: it refers to such by name. */
export const orNull = <T extends z.ZodType>(schema: T): z.ZodUnion<[T, z.ZodNull]> =>
  z.union([schema, z.null()]);

/** Strings are at most 255 characters unless the spec says otherwise. */
export const shortText = z.string().trim().min(1).max(255);

/** A text that becomes a header of messages is one line (RFC 5322, 2.2). */
export const oneLineText = shortText.regex(/^[^\r\n\u2028\u2029]*$/, 'must be one line');

/** `meta.pagination` in the OpenAPI document. */
export const paginationSchema = z
  .object({
    page: z.int(),
    limit: z.int(),
    total: z.int(),
    totalPages: z.int(),
    hasNext: z.boolean(),
  })
  .meta({ id: 'Pagination' });

/** `meta.pagination` of lists that also page by cursor; pages by cursor have no total. */
export const cursorPaginationSchema = paginationSchema
  .partial({ page: true, total: true, totalPages: true })
  .extend({
    totalIsCapped: z
      .boolean()
      .optional()
      .describe('Set where filters fit so many rows that `total` is a lower bound.'),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: 'CursorPagination' });
