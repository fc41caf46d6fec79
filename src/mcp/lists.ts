/** Pages of lists: small by default, with a cursor for what follows, whichever way the API counts them. */
import { z } from 'zod';
import type { Page } from '../../clients/typescript/src/index.ts';

/** Fields of the input of every tool that lists. */
export const paging = {
  limit: z.int().min(1).max(50).default(20).describe('Rows of a page'),
  cursor: z.string().optional().describe('`nextCursor` of the page before'),
};

interface Paging {
  limit: number;
  cursor?: string | undefined;
}

/** The output of a tool that lists. */
export const listOf = <Row extends z.ZodType>(row: Row) =>
  z.object({
    items: z.array(row),
    nextCursor: z.string().nullable().describe('null: this was the last page'),
    total: z.int().optional(),
  });

/** For lists with numbered pages: the cursor is the number. */
export const byNumber = ({ limit, cursor }: Paging): { limit: number; page: number } => ({
  limit,
  page: cursor === undefined ? 1 : Number(cursor),
});

/** What `listOf` describes. */
export function pageOf<Row, Shown>(
  { items, pagination }: Page<Row>,
  show: (row: Row) => Shown,
): { items: Shown[]; nextCursor: string | null; total: number | undefined } {
  const { nextCursor, hasNext, page = 1, total } = pagination;
  const next = nextCursor ?? (hasNext ? String(page + 1) : null);
  return { items: items.map(show), nextCursor: hasNext ? next : null, total };
}

/** The same, of one row that was asked for by its id. */
export const onlyRow = <Row>(row: Row) => ({ items: [row], nextCursor: null, total: 1 });

/** A text of at most so many characters. */
export const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most)}… (${text.length - most} more characters)`;
