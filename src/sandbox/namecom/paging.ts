/** Name.com's paging: `page` and `perPage` in, `from`, `to`, `totalCount` and further pages out. */
import type { Request } from 'express';
import { refuse } from './wire.ts';

const DEFAULT_PER_PAGE = 500;
const MAX_PER_PAGE = 1_000;

interface Page<T> {
  items: T[];
  totalCount: number;
  from: number;
  to: number;
  /** Only when there is more. */
  nextPage?: number;
  lastPage?: number;
}

export function page<T>(all: T[], request: Request): Page<T> {
  const number = positive(request, 'page', 1, Number.MAX_SAFE_INTEGER);
  const perPage = positive(request, 'perPage', DEFAULT_PER_PAGE, MAX_PER_PAGE);
  const start = (number - 1) * perPage;
  const items = all.slice(start, start + perPage);
  const hasMore = start + items.length < all.length;
  return {
    items,
    totalCount: all.length,
    from: items.length === 0 ? 0 : start + 1,
    to: start + items.length,
    ...(hasMore && { nextPage: number + 1, lastPage: Math.ceil(all.length / perPage) }),
  };
}

function positive(request: Request, name: string, fallback: number, max: number): number {
  const text = request.query[name];
  if (text === undefined) return fallback;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > max) {
    throw refuse(400, 'Bad Request', `Invalid value for ${name}`);
  }
  return value;
}
