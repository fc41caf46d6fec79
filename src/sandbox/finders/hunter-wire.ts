/** Hunter's error answers: `{errors: [{id, code, details}]}`, 403 for rate limits, 429 for credits. */
import type { NextFunction, Request, Response } from 'express';
import { createRateLimit } from '../rate-limit.ts';
import { Refusal, send, type Answer, type VendorWire } from '../vendor-router.ts';

export const HUNTER_KEY = 'hunter-sandbox-key';

const failure = (code: number, id: string, details: string): Answer => ({
  status: code,
  body: { errors: [{ id, code, details }] },
});

export const wrongParameter = (details: string): Refusal =>
  new Refusal(failure(400, 'wrong_params', details));

export const noCredits = (): Answer =>
  failure(429, 'too_many_requests', 'You have reached your usage limit. Upgrade your plan.');

/** The person asked not to be processed. */
export const claimed = (): Refusal =>
  new Refusal(
    failure(
      451,
      'claimed_email',
      'The person owning the email address asked us directly or indirectly to stop the ' +
        'processing of their personal data. For this reason, you should not process it yourself.',
    ),
  );

const tooFast = (): Answer =>
  failure(403, 'rate_limit', 'You have reached the rate limit of this endpoint. Slow down.');

const unauthorized = (): Answer =>
  failure(401, 'authentication_failed', 'No user found for the API key supplied');

export const notFound = (): Answer => failure(404, 'not_found', 'The endpoint was not found');

export const hunterWire: VendorWire = {
  vendor: 'hunter',
  hasEffect: (request) => !request.path.endsWith('/account'),
  answerFor(kind) {
    switch (kind) {
      case 'error_500':
        return failure(500, 'internal_error', 'Something went wrong on our side.');
      case 'rate_limited':
        return tooFast();
      case 'rejected':
        return noCredits();
      case 'auth':
        return unauthorized();
      case 'malformed':
        return failure(400, 'wrong_params', 'The parameters are invalid.');
    }
  },
};

/** The key comes as a header of its own, as a bearer token, or in the query. */
export function authenticate(request: Request, response: Response, next: NextFunction): void {
  const bearer = /^Bearer (.+)$/i.exec(request.get('authorization') ?? '')?.[1];
  const key = request.get('x-api-key') ?? bearer ?? request.query['api_key'];
  if (key === HUNTER_KEY) next();
  else send(response, unauthorized());
}

const SEARCHES = { perSecond: 15, perMinute: 500 };
const VERIFICATIONS = { perSecond: 10, perMinute: 300 };

export function limitRate(pace: number) {
  const limits = [SEARCHES, VERIFICATIONS].map(({ perSecond, perMinute }) => [
    createRateLimit({ calls: perSecond, perMs: 1_000 / pace }),
    createRateLimit({ calls: perMinute, perMs: 60_000 / pace }),
  ]);
  return (request: Request, response: Response, next: NextFunction): void => {
    const isVerifier = request.path.endsWith('/email-verifier');
    if (limits[isVerifier ? 1 : 0]!.every((limit) => limit.admits())) next();
    else send(response, tooFast());
  };
}
