/** Google's error answers: `{error: {code, message, status}}`. */
import type { NextFunction, Request, Response } from 'express';
import { createRateLimit } from '../rate-limit.ts';
import { Refusal, send, type Answer, type VendorWire } from '../vendor-router.ts';

export const PLACES_KEY = 'places-sandbox-key';

/** Calls of the method a minute. */
const CALLS_PER_MINUTE = 600;

export const failure = (code: number, status: string, message: string): Answer => ({
  status: code,
  body: { error: { code, message, status } },
});

export const invalidArgument = (message: string): Refusal =>
  new Refusal(failure(400, 'INVALID_ARGUMENT', message));

const exhausted = (): Answer =>
  failure(
    429,
    'RESOURCE_EXHAUSTED',
    "Quota exceeded for quota metric 'SearchTextRequest' and limit 'SearchTextRequest per minute'.",
  );

const wrongKey = (): Answer => ({
  status: 400,
  body: {
    error: {
      code: 400,
      message: 'API key not valid. Please pass a valid API key.',
      status: 'INVALID_ARGUMENT',
      details: [
        {
          '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
          reason: 'API_KEY_INVALID',
          domain: 'googleapis.com',
        },
      ],
    },
  },
});

export const placesWire: VendorWire = {
  vendor: 'places',
  isLookUp: () => true,
  answerFor(kind) {
    switch (kind) {
      case 'error_500':
        return failure(500, 'INTERNAL', 'Internal error encountered.');
      case 'rate_limited':
        return exhausted();
      case 'rejected':
        return failure(
          403,
          'PERMISSION_DENIED',
          'This API method requires billing to be enabled. Please enable billing on the project.',
        );
      case 'auth':
        return wrongKey();
      case 'malformed':
        return failure(400, 'INVALID_ARGUMENT', 'Invalid JSON payload received.');
    }
  },
};

export function authenticate(request: Request, response: Response, next: NextFunction): void {
  const key = request.get('x-goog-api-key') ?? request.query['key'];
  if (key === PLACES_KEY) return next();
  if (key !== undefined) return send(response, wrongKey());
  const message =
    "Method doesn't allow unregistered callers (callers without established identity). " +
    'Please use API Key or other form of API consumer identity to call this API.';
  send(response, failure(403, 'PERMISSION_DENIED', message));
}

export function limitRate(pace: number) {
  const limit = createRateLimit({ calls: CALLS_PER_MINUTE, perMs: 60_000 / pace });
  return (_request: Request, response: Response, next: NextFunction): void => {
    if (limit.admits()) next();
    else send(response, exhausted());
  };
}
