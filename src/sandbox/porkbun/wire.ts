/** Porkbun's answers: `status` in every body, its own codes, 400 for nearly all errors. */
import type { Request } from 'express';
import { Refusal, type Answer, type VendorWire } from '../vendor-router.ts';

export const PORKBUN_API_KEY = 'pk1_sandbox';
export const PORKBUN_SECRET_API_KEY = 'sk1_sandbox';

export const failure = (
  code: string,
  message: string,
  more: object = {},
  status = 400,
): Answer => ({
  status,
  body: { status: 'ERROR', code, message, ...more },
});

export const refuse = (code: string, message: string, more: object = {}, status = 400): Refusal =>
  new Refusal(failure(code, message, more, status));

export const invalidDomain = (): Refusal => refuse('INVALID_DOMAIN', 'Invalid domain.');

export const rateLimited = (ttlRemaining = 1): Answer =>
  failure(
    'RATE_LIMIT_EXCEEDED',
    'Rate limit exceeded. Please try again later.',
    { ttlRemaining },
    429,
  );

export const success = (body: object = {}): Answer => ({
  status: 200,
  body: { status: 'SUCCESS', ...body },
});

export const porkbunWire: VendorWire = {
  vendor: 'porkbun',
  subjectOf,
  isLookUp: isRead,
  readsRecords: isRead,
  answerFor(kind) {
    switch (kind) {
      case 'error_500':
        return failure('INTERNAL_ERROR', 'An internal error occurred.', {}, 500);
      case 'rate_limited':
        return rateLimited();
      case 'rejected':
        return failure('UNABLE_TO_PROCESS', 'Unable to process the request.');
      case 'auth':
        return failure('INVALID_API_KEYS_001', 'Invalid API key.');
      case 'malformed':
        return failure('INVALID_OR_EMPTY_JSON', 'The body is not valid JSON.');
    }
  },
};

/** All calls are POST; these change nothing. */
function isRead(request: Request): boolean {
  return /\/(ping|balance|listAll|pricing\/get|checkDomain\/[^/]+|retrieve(ByNameType)?\/.+)$/.test(
    request.path,
  );
}

/** The domain in the path; `listAll` names it in its body. */
function subjectOf(request: Request): string | undefined {
  const inPath = /\/(?:domain|dns)\/\w+\/([^/]+)/.exec(request.path)?.[1];
  const inBody = (request.body as { domain?: unknown } | undefined)?.domain;
  const name = inPath ?? inBody;
  return typeof name === 'string' ? decodeURIComponent(name).toLowerCase() : undefined;
}
