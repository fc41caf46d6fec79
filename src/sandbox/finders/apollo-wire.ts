/** Apollo's error answers: `{error, error_code}`, and `{message}` for rate limits. */
import type { NextFunction, Request, Response } from 'express';
import { createRateLimit } from '../rate-limit.ts';
import { Refusal, send, type Answer, type VendorWire } from '../vendor-router.ts';

export const APOLLO_KEY = 'apollo-sandbox-key';

/** Calls a minute of an account. */
const CALLS_PER_MINUTE = 1_000;

export const failure = (status: number, error: string, code: string): Answer => ({
  status,
  body: { error, error_code: code },
});

export const refuse = (status: number, error: string): Refusal =>
  new Refusal(failure(status, error, 'INVALID_PARAMETERS'));

export const noCredits = (): Answer =>
  failure(422, 'You have insufficient credits to perform this action.', 'INSUFFICIENT_CREDITS');

const tooFast = (): Answer => ({
  status: 429,
  headers: { 'retry-after': '1', 'x-minute-requests-left': '0' },
  body: { message: `The maximum number of api calls allowed is ${CALLS_PER_MINUTE} per minute.` },
});

const unauthorized = (): Answer =>
  failure(401, 'Invalid access credentials.', 'INVALID_CREDENTIALS');

export const apolloWire: VendorWire = {
  vendor: 'apollo',
  isLookUp: (request) => request.path.endsWith('/api_search'),
  answerFor(kind) {
    switch (kind) {
      case 'error_500':
        return { status: 500, body: { error: 'Internal Server Error' } };
      case 'rate_limited':
        return tooFast();
      case 'rejected':
        return noCredits();
      case 'auth':
        return unauthorized();
      case 'malformed':
        return failure(400, 'The body is not valid JSON.', 'INVALID_JSON');
    }
  },
};

export function authenticate(request: Request, response: Response, next: NextFunction): void {
  if (request.get('x-api-key') === APOLLO_KEY) next();
  else send(response, unauthorized());
}

export function limitRate(pace: number) {
  const limit = createRateLimit({ calls: CALLS_PER_MINUTE, perMs: 60_000 / pace });
  return (_request: Request, response: Response, next: NextFunction): void => {
    const isAdmitted = limit.admits();
    response.set('x-rate-limit-minute', String(CALLS_PER_MINUTE));
    response.set('x-minute-requests-left', String(CALLS_PER_MINUTE - limit.used()));
    if (isAdmitted) next();
    else send(response, tooFast());
  };
}
