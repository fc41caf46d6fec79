/** Apify's error answers: `{error: {type, message}}`. */
import type { NextFunction, Request, Response } from 'express';
import { createRateLimit } from '../rate-limit.ts';
import { Refusal, send, type Answer, type VendorWire } from '../vendor-router.ts';

export const APIFY_TOKEN = 'apify-sandbox-token';

/** Calls per second on one resource, and run starts per second. */
const CALLS_PER_SECOND = 60;
const STARTS_PER_SECOND = 400;

export const failure = (status: number, type: string, message: string): Answer => ({
  status,
  body: { error: { type, message } },
});

export const refuse = (status: number, type: string, message: string): Refusal =>
  new Refusal(failure(status, type, message));

export const rateLimited = (): Answer => ({
  ...failure(
    429,
    'rate-limit-exceeded',
    'You have exceeded the rate limit. Please try again later.',
  ),
  headers: { 'X-RateLimit-Limit': String(CALLS_PER_SECOND) },
});

/** The answer when the credit or the month's limit is used up. */
export const noCredit = (): Answer =>
  failure(
    402,
    'not-enough-usage-to-run-paid-actor',
    'By launching this job you will exceed your remaining usage. Please upgrade your plan.',
  );

const unauthorized = (): Answer =>
  failure(
    401,
    'user-or-token-not-found',
    'User was not found or authentication token is not valid',
  );

export const apifyWire: VendorWire = {
  vendor: 'apify',
  isLookUp: (request) => request.path.endsWith('/validate-input'),
  answerFor(kind) {
    switch (kind) {
      case 'error_500':
        return failure(500, 'internal-server-error', 'Internal server error');
      case 'rate_limited':
        return rateLimited();
      case 'rejected':
        return noCredit();
      case 'auth':
        return unauthorized();
      case 'malformed':
        return failure(400, 'run-input-body-not-valid-json', 'The request body is not valid JSON');
    }
  },
};

/** The token comes as a header or, from old clients, in the query. */
export function authenticate(request: Request, response: Response, next: NextFunction): void {
  const inHeader = /^Bearer (.+)$/i.exec(request.get('authorization') ?? '')?.[1];
  const token = inHeader ?? request.query['token'];
  if (token === APIFY_TOKEN) return next();
  if (token !== undefined) return send(response, unauthorized());
  send(response, failure(401, 'token-not-provided', 'Authentication token was not provided'));
}

/** `pace`: how many times faster the world's seconds pass. */
export function limitRate(pace: number) {
  const perMs = 1_000 / pace;
  const resources = createRateLimit({ calls: CALLS_PER_SECOND, perMs });
  const starts = createRateLimit({ calls: STARTS_PER_SECOND, perMs });
  return (request: Request, response: Response, next: NextFunction): void => {
    const isStart = request.method === 'POST' && request.path.endsWith('/runs');
    const limit = isStart ? starts : resources;
    response.set('X-RateLimit-Limit', String(isStart ? STARTS_PER_SECOND : CALLS_PER_SECOND));
    if (limit.admits(request.path)) next();
    else send(response, rateLimited());
  };
}
