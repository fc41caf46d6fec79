/** Vultr's answers: errors without codes, bearer key, 30 calls a second, pages by cursor. */
import type { NextFunction, Request, Response } from 'express';
import { createRateLimit } from '../rate-limit.ts';
import { Refusal, send, type Answer, type VendorWire } from '../vendor-router.ts';

export const VULTR_API_KEY = 'vultr-sandbox-key';

const CALLS_PER_SECOND = 30;
const DEFAULT_PER_PAGE = 100;
const MAX_PER_PAGE = 500;

/** `{error, status}` as every failed call answers. */
export const failure = (status: number, error: string): Answer => ({
  status,
  body: { error, status },
});

export const refuse = (status: number, error: string): Refusal =>
  new Refusal(failure(status, error));

/** The stand-in's answers for faults; the caller, who knows the instances, gives `subjectOf`. */
export const vultrWire = (subjectOf: (request: Request) => string | undefined): VendorWire => ({
  vendor: 'vultr',
  subjectOf,
  answerFor(kind) {
    switch (kind) {
      case 'error_500':
        return failure(500, 'Internal server error.');
      case 'rate_limited':
        return failure(429, 'Rate limit exceeded.');
      case 'rejected':
        return failure(400, 'Invalid plan chosen.');
      case 'auth':
        return failure(401, 'Unauthorized IP address: 198.18.255.254');
      case 'malformed':
        return failure(400, 'Invalid JSON.');
    }
  },
});

export function authenticate(request: Request, response: Response, next: NextFunction): void {
  if (request.get('authorization') === `Bearer ${VULTR_API_KEY}`) next();
  else send(response, failure(401, 'Invalid API token.'));
}

/** The vendor counts by the caller's address; here there is only one. Seconds of world time. */
export function limitRate(pace: number) {
  const limit = createRateLimit({ calls: CALLS_PER_SECOND, perMs: 1_000 / pace });
  return (_request: Request, response: Response, next: NextFunction): void => {
    if (limit.admits()) next();
    else send(response, failure(429, 'Rate limit exceeded.'));
  };
}

/** One page of `all` under its name, with `meta`; a cursor is where the page begins, in base64. */
export function paged(name: string, all: object[], request: Request): object {
  const perPage = Math.min(numberOf(request.query['per_page'], DEFAULT_PER_PAGE), MAX_PER_PAGE);
  const from = startOf(request.query['cursor']);
  const links = {
    next: from + perPage < all.length ? cursorOf(from + perPage) : '',
    prev: from > 0 ? cursorOf(Math.max(0, from - perPage)) : '',
  };
  return { [name]: all.slice(from, from + perPage), meta: { total: all.length, links } };
}

const cursorOf = (from: number): string => Buffer.from(`next__${from}`).toString('base64');

function startOf(cursor: unknown): number {
  if (typeof cursor !== 'string' || cursor === '') return 0;
  const text = Buffer.from(cursor, 'base64').toString();
  const from = /^next__(\d+)$/.exec(text)?.[1];
  if (from === undefined) throw refuse(400, 'Invalid cursor.');
  return Number(from);
}

function numberOf(given: unknown, fallback: number): number {
  if (given === undefined) return fallback;
  const value = Number(given);
  if (!Number.isInteger(value) || value < 1) throw refuse(400, 'Invalid per_page.');
  return value;
}
