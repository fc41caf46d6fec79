/** The one mapping from errors to the error envelope and its HTTP status. */
import { causesOf, isDatabaseDown } from '../domain/database-down.ts';
import { OutreachError, ProviderError, type ErrorKind } from '../domain/errors.ts';

export interface ErrorAnswer {
  status: number;
  body: {
    success: false;
    error: string;
    code: string;
    details?: readonly object[];
    requestId: string;
  };
  /** The cause is ours or unknown: it is logged as an error. */
  unexpected: boolean;
  /** For the header, where the error knows it. */
  retryAfterSeconds?: number | undefined;
}

/** Only the nine statuses of the spec's table are used; what other APIs answer with 403 or 409 is 400. */
export function statusOf(kind: ErrorKind): number {
  switch (kind) {
    case 'invalid':
      return 400;
    case 'unauthenticated':
      return 401;
    case 'payment_required':
      return 402;
    case 'not_found':
      return 404;
    case 'rate_limited':
      return 429;
    case 'upstream':
      return 502;
    case 'internal':
      return 500;
    default:
      return kind satisfies never;
  }
}

/** Turns anything thrown into an answer. Nothing of an unknown error reaches the client. */
export function errorAnswer(thrown: unknown, requestId: string): ErrorAnswer {
  const error = known(thrown);
  return {
    status: statusOf(error.kind),
    body: {
      success: false,
      error: error.message,
      code: error.code,
      ...(error.details && { details: error.details }),
      requestId,
    },
    unexpected: error.kind === 'internal',
    retryAfterSeconds: error.retryAfterSeconds,
  };
}

function known(thrown: unknown): OutreachError {
  if (thrown instanceof OutreachError) return thrown;
  if (thrown instanceof ProviderError) return fromProvider(thrown);
  return fromHttp(thrown) ?? fromConnection(thrown) ?? internal;
}

const internal = new OutreachError('internal', 'INTERNAL', 'Internal server error');
const unavailable = new OutreachError(
  'upstream',
  'UPSTREAM_UNAVAILABLE',
  'A backing service is unavailable, please try again',
);

/** Services translate what the client can fix; any other provider error is a refusal or an outage. */
function fromProvider(error: ProviderError): OutreachError {
  if (error.kind === 'rejected') {
    return new OutreachError('invalid', error.facts.clientCode ?? 'INVALID_INPUT', error.message);
  }
  return unavailable;
}

/** Errors of Express carry a 4xx status; their messages describe internals. */
function fromHttp(thrown: unknown): OutreachError | undefined {
  const status = (thrown as { status?: unknown } | null | undefined)?.status;
  if (typeof status !== 'number' || status < 400 || status > 499) return undefined;
  return new OutreachError('invalid', 'INVALID_INPUT', 'The request could not be read');
}

/** gRPC codes for an exceeded deadline, exhausted resources and an unavailable service. */
const GRPC_OUT_OF_REACH: readonly unknown[] = [4, 8, 14];

/** A database or Temporal that is down is a failing backing system, not an internal error. */
const fromConnection = (thrown: unknown): OutreachError | undefined =>
  isDatabaseDown(thrown) || causesOf(thrown).some(({ code }) => GRPC_OUT_OF_REACH.includes(code))
    ? unavailable
    : undefined;
