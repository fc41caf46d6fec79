/** Problem documents as authorities write them (RFC 8555, 6.7), and their answers to faults. */
import type { Request } from 'express';
import { Refusal, type Answer, type VendorWire } from '../vendor-router.ts';

export interface Problem {
  type: string;
  detail: string;
  status: number;
}

/** `type` without its `urn:ietf:params:acme:error:`. */
export const problem = (status: number, type: string, detail: string): Problem => ({
  type: `urn:ietf:params:acme:error:${type}`,
  detail,
  status,
});

export const refuse = (status: number, type: string, detail: string): Refusal =>
  new Refusal(refused(problem(status, type, detail)));

const refused = (body: Problem, headers: Record<string, string> = {}): Answer => ({
  status: body.status,
  headers: { 'content-type': 'application/problem+json', ...headers },
  body,
});

const LIMITED =
  'too many new orders (300) from this account in the last 3h0m0s, retry after 2 s: see ' +
  'https://letsencrypt.org/docs/rate-limits/#new-orders-per-account';

export const wire: VendorWire = {
  vendor: 'acme',
  answerFor(kind) {
    switch (kind) {
      case 'error_500':
        return refused(problem(500, 'serverInternal', 'An unexpected error occurred'));
      case 'rate_limited':
        return refused(problem(429, 'rateLimited', LIMITED), { 'retry-after': '2' });
      case 'rejected':
        return refused(
          problem(400, 'rejectedIdentifier', 'The ACME server refuses to issue for this name'),
        );
      case 'auth':
        return refused(problem(403, 'unauthorized', 'Account is not valid, has status "revoked"'));
      case 'malformed':
        return refused(problem(400, 'malformed', 'Parse error reading JWS'));
    }
  },
  isLookUp: isPostAsGet,
  readsRecords: isPostAsGet,
  subjectOf(request) {
    if (!request.path.endsWith('/new-order')) return undefined;
    const { identifiers } = payloadOf(request) as { identifiers?: { value?: unknown }[] };
    const name = Array.isArray(identifiers) ? identifiers[0]?.value : undefined;
    return typeof name === 'string' ? name : undefined;
  },
};

/** A request with an empty payload asks for what is there (RFC 8555, 6.3). */
function isPostAsGet({ body }: Request): boolean {
  return typeof body === 'object' && (body as { payload?: unknown } | null)?.payload === '';
}

/** The payload of a JWS before anybody has checked it; nothing where it is none. */
function payloadOf({ body }: Request): object {
  try {
    const { payload } = body as { payload: string };
    return JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
  } catch {
    return {};
  }
}
