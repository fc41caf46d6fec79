/** Hetzner's answers: errors, bearer token, rate limit headers, paging. */
import type { NextFunction, Request, Response } from 'express';
import { Refusal, send, type Answer, type VendorWire } from '../vendor-router.ts';

export const HETZNER_TOKEN = 'hetzner-sandbox-token';

/** Calls an hour per project; one comes back each second. */
const CALLS_PER_HOUR = 3_600;
const DEFAULT_PER_PAGE = 25;
const MAX_PER_PAGE = 50;

/** `{error: {code, message, details}}` as every failed call answers. */
export const failure = (
  status: number,
  code: string,
  message: string,
  details: object | null = null,
): Answer => ({ status, body: { error: { code, message, details } } });

export const refuse = (status: number, code: string, message: string, details?: object): Refusal =>
  new Refusal(failure(status, code, message, details ?? null));

/** 422 that names the field, as Hetzner's validation does. */
export const invalidInput = (field: string, problem: string): Refusal =>
  refuse(422, 'invalid_input', `invalid input in field '${field}'`, {
    fields: [{ name: field, messages: [problem] }],
  });

export const notFound = (noun: string, id: string | number): Refusal =>
  refuse(404, 'not_found', `${noun} with ID '${id}' not found`);

/** The stand-in's answers for faults; the caller, who knows the servers, gives `subjectOf`. */
export const hetznerWire = (subjectOf: (request: Request) => string | undefined): VendorWire => ({
  vendor: 'hetzner',
  subjectOf,
  answerFor(kind) {
    switch (kind) {
      case 'error_500':
        return failure(500, 'server_error', 'Internal server error');
      case 'rate_limited':
        return failure(429, 'rate_limit_exceeded', 'Limit of 3600 requests per hour reached');
      case 'rejected':
        return failure(403, 'forbidden', 'insufficient permissions for this request');
      case 'auth':
        return failure(401, 'unauthorized', 'unable to authenticate');
      case 'malformed':
        return failure(400, 'json_error', 'invalid JSON in request');
    }
  },
});

export function authenticate(request: Request, response: Response, next: NextFunction): void {
  if (request.get('authorization') === `Bearer ${HETZNER_TOKEN}`) next();
  else send(response, failure(401, 'unauthorized', 'unable to authenticate'));
}

/** A bucket of 3600 calls that refills by one a second; each answer reports its state. */
export function limitRate() {
  let left = CALLS_PER_HOUR;
  let refilledAtMs = Date.now();
  return (_request: Request, response: Response, next: NextFunction): void => {
    const now = Date.now();
    left = Math.min(CALLS_PER_HOUR, left + (now - refilledAtMs) / 1_000);
    refilledAtMs = now;
    const allowed = left >= 1;
    if (allowed) left -= 1;
    response.set({
      'RateLimit-Limit': String(CALLS_PER_HOUR),
      'RateLimit-Remaining': String(Math.floor(left)),
      'RateLimit-Reset': String(Math.ceil(now / 1_000 + CALLS_PER_HOUR - left)),
    });
    if (allowed) return next();
    send(response, failure(429, 'rate_limit_exceeded', 'Limit of 3600 requests per hour reached'));
  };
}

/** One page of `all` under its name, with `meta.pagination`. */
export function paged(name: string, all: object[], request: Request): object {
  const page = positive(request, 'page', 1);
  const perPage = Math.min(positive(request, 'per_page', DEFAULT_PER_PAGE), MAX_PER_PAGE);
  const lastPage = Math.max(1, Math.ceil(all.length / perPage));
  const pagination = {
    page,
    per_page: perPage,
    previous_page: page > 1 ? page - 1 : null,
    next_page: page < lastPage ? page + 1 : null,
    last_page: lastPage,
    total_entries: all.length,
  };
  return { [name]: all.slice((page - 1) * perPage, page * perPage), meta: { pagination } };
}

function positive(request: Request, name: string, fallback: number): number {
  const text = request.query[name];
  if (text === undefined) return fallback;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw invalidInput(name, 'must be a positive integer');
  return value;
}

/** The number in the path; anything else is not found. */
export function idOf(request: Request, noun: string): number {
  const text = String(request.params['id']);
  if (!/^\d{1,15}$/.test(text)) throw notFound(noun, text);
  return Number(text);
}
