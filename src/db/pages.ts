/**
 * Reads many rows page by page, each page a short query of its own; also the limit up to which lists are
 * counted.
 */

/** A filtered list is counted up to here; a page must not cost reading a million rows. */
export const MAX_COUNTED = 10_000;

/** Few round trips, and still less than a megabyte at once. */
const PAGE_ROWS = 1_000;

/**
 * Pages of rows in the order of a unique key. `read` returns the first rows after the given key (from the
 * start without one). No transaction stays open while a slow client reads: each page has the state of its
 * rows when it is read; no row occurs twice.
 */
export async function* keysetPages<Row, Key>(
  read: (after: Key | undefined, limit: number) => Promise<Row[]>,
  keyOf: (row: Row) => Key,
): AsyncGenerator<Row[]> {
  let after: Key | undefined;
  for (;;) {
    const page = await read(after, PAGE_ROWS);
    if (page.length > 0) yield page;
    if (page.length < PAGE_ROWS) return;
    after = keyOf(page.at(-1)!);
  }
}
