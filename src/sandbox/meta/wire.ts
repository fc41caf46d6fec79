/** The Graph API's error answers: `{error: {message, type, code, fbtrace_id}}`. */
import { randomBytes } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';
import { createRateLimit } from '../rate-limit.ts';
import { Refusal, send, type Answer, type VendorWire } from '../vendor-router.ts';

export const META_TOKEN = 'meta-sandbox-token';

/** 200 calls an hour for each user of the app, of which the sandbox's has ten. */
const CALLS_PER_HOUR = 2_000;
const HOUR_MS = 3_600_000;

interface GraphError {
  status?: number;
  code: number;
  subcode?: number;
  isTransient?: boolean;
}

export const failure = (
  message: string,
  { status = 400, code, subcode, isTransient = false }: GraphError,
): Answer => ({
  status,
  body: {
    error: {
      message,
      type: 'OAuthException',
      code,
      ...(subcode !== undefined && { error_subcode: subcode }),
      is_transient: isTransient,
      fbtrace_id: `A${randomBytes(16).toString('base64url')}`,
    },
  },
});

export const refuseParameter = (message: string): Refusal =>
  new Refusal(failure(`(#100) ${message}`, { code: 100 }));

export const tooMuchData = (): Refusal =>
  new Refusal(
    failure("Please reduce the amount of data you're asking for, then retry your request", {
      status: 500,
      code: 1,
    }),
  );

const rateLimited = (): Answer =>
  failure('(#613) Calls to this api have exceeded the rate limit.', { code: 613 });

/** The app's owner has not confirmed their identity at facebook.com/ID. */
const notConfirmed = (): Answer =>
  failure(
    'Application does not have permission for this action: to access the Ad Library API ' +
      'you have to confirm your identity and location at facebook.com/ID',
    { code: 10, subcode: 2_332_002 },
  );

const invalidToken = (): Answer =>
  failure('Error validating access token: Session has expired on Thursday, 01-Jan-26.', {
    status: 401,
    code: 190,
    subcode: 463,
  });

export const metaWire: VendorWire = {
  vendor: 'meta',
  answerFor(kind) {
    switch (kind) {
      case 'error_500':
        return failure('An unexpected error has occurred. Please retry your request later.', {
          status: 500,
          code: 2,
          isTransient: true,
        });
      case 'rate_limited':
        return rateLimited();
      case 'rejected':
        return notConfirmed();
      case 'auth':
        return invalidToken();
      case 'malformed':
        return failure('(#100) Invalid parameter', { code: 100 });
    }
  },
};

/** The token comes in the query, or as a header. */
export function authenticate(request: Request, response: Response, next: NextFunction): void {
  const inHeader = /^(?:Bearer|OAuth) (.+)$/i.exec(request.get('authorization') ?? '')?.[1];
  const token = request.query['access_token'] ?? inHeader;
  if (token === META_TOKEN) return next();
  if (token !== undefined) return send(response, invalidToken());
  const message = 'An access token is required to request this resource.';
  send(response, failure(message, { code: 104 }));
}

/** A header of each answer says how much of the hour's limit is used, in percent. */
export function limitRate(pace: number) {
  const limit = createRateLimit({ calls: CALLS_PER_HOUR, perMs: HOUR_MS / pace });
  return (_request: Request, response: Response, next: NextFunction): void => {
    const isAdmitted = limit.admits();
    const percent = Math.floor((limit.used() / CALLS_PER_HOUR) * 100);
    const usage = { call_count: percent, total_cputime: percent, total_time: percent };
    response.set('X-App-Usage', JSON.stringify(usage));
    if (isAdmitted) next();
    else send(response, rateLimited());
  };
}
