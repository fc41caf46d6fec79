/** Name.com's error answers: `{message, details?}` with a status. */
import type { Request } from 'express';
import { Refusal, type Answer, type VendorWire } from '../vendor-router.ts';

export const NAMECOM_USERNAME = 'sandbox-test';
export const NAMECOM_TOKEN = 'namecom-sandbox-token';

/** Calls per second of an account, as the vendor's documentation says. */
export const CALLS_PER_SECOND = 20;

export const failure = (status: number, message: string, details?: string): Answer => ({
  status,
  body: details === undefined ? { message } : { message, details },
});

export const refuse = (status: number, message: string, details?: string): Refusal =>
  new Refusal(failure(status, message, details));

export const rateLimited = (): Answer => ({
  status: 429,
  headers: { 'x-ratelimit-reset': String(Math.floor(Date.now() / 1000) + 1) },
  body: { message: 'Too Many Requests', details: 'Rate limit has been exceeded.' },
});

export const namecomWire: VendorWire = {
  vendor: 'namecom',
  subjectOf,
  isLookUp: isCheck,
  readsRecords: isCheck,
  answerFor(kind) {
    switch (kind) {
      case 'error_500':
        return failure(500, 'Internal Server Error');
      case 'rate_limited':
        return rateLimited();
      case 'rejected':
        return failure(400, 'Bad Request', 'The request was refused.');
      case 'auth':
        return failure(401, 'Unauthorized');
      case 'malformed':
        return failure(400, 'Bad Request', 'The body is not valid JSON.');
    }
  },
};

/** Whether a name is for sale: asked by POST, and nothing changes. */
function isCheck(request: Request): boolean {
  return request.path.endsWith(':checkAvailability');
}

/** The domain in the path, or the (first) one in the body. */
function subjectOf(request: Request): string | undefined {
  const inPath = /\/domains\/([^/:]+)/.exec(request.path)?.[1];
  if (inPath !== undefined) return decodeURIComponent(inPath).toLowerCase();
  const body = (request.body ?? {}) as {
    domainNames?: unknown;
    domain?: { domainName?: unknown } | null;
  };
  const name = Array.isArray(body.domainNames)
    ? (body.domainNames as unknown[])[0]
    : body.domain?.domainName;
  return typeof name === 'string' ? name.toLowerCase() : undefined;
}
