/** Lists: `await` one for its first page, loop over one with `for await` for all that is in it. */

/** `page` and `items` are numbered pages, `cursor` goes on from a place, `after` from an event. */
export type ListKind = 'page' | 'items' | 'cursor' | 'after';

export interface Page<Row> {
  items: Row[];
  pagination: {
    limit: number;
    hasNext: boolean;
    page?: number;
    total?: number;
    totalPages?: number;
    /** `total` is a lower bound. */
    totalIsCapped?: boolean;
    /** Where the next page begins, in lists that have no numbers. */
    nextCursor?: string | null;
  };
}

/** A page when awaited; all rows when looped over. Nothing is asked before. */
export interface List<Row> extends PromiseLike<Page<Row>>, AsyncIterable<Row> {
  pages(): AsyncGenerator<Page<Row>, void>;
}

type Query = Record<string, unknown>;
type Ask<Row> = (query: Query) => Promise<Page<Row>>;

/** Larger pages are fewer requests, which are limited. */
const LARGEST_PAGE = 100;

export function listOf<Row>(kind: ListKind, query: Query, ask: Ask<Row>): List<Row> {
  const pages = () => pagesOf(kind, { limit: LARGEST_PAGE, ...query }, ask);
  return {
    // A list is awaited for its first page.
    // oxlint-disable-next-line unicorn/no-thenable
    then: (onPage, onError) => ask(query).then(onPage, onError),
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const { items } of pages()) yield* items;
    },
  };
}

async function* pagesOf<Row>(
  kind: ListKind,
  first: Query,
  ask: Ask<Row>,
): AsyncGenerator<Page<Row>, void> {
  let query: Query | undefined = first;
  while (query) {
    const page: Page<Row> = await ask(query);
    // Events have a place to go on from even where there is none.
    if (kind === 'after' && page.items.length === 0) return;
    yield page;
    query = nextOf(kind, query, page);
  }
}

function nextOf(kind: ListKind, query: Query, { pagination }: Page<unknown>): Query | undefined {
  const { nextCursor, hasNext, page = 1 } = pagination;
  if (typeof nextCursor === 'string') {
    // A cursor goes on by itself: the number of a page beside it would contradict it.
    return { ...query, page: undefined, [kind === 'after' ? 'after' : 'cursor']: nextCursor };
  }
  return hasNext ? { ...query, page: page + 1 } : undefined;
}
