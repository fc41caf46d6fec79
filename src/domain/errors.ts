/** The one family of errors: each has a stable `code` for programs and a `kind` for the two translations. */

/** One field that was refused, as `details[]` of the error envelope shows it. */
export interface FieldProblem {
  field: string;
  message: string;
}

/**
 * What went wrong, seen from the caller. `http/error-response.ts` turns a kind into a status,
 * `activities/engine/failures.ts` turns it into "retry" or "do not".
 */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'payment_required'
  | 'not_found'
  | 'rate_limited'
  | 'upstream'
  | 'internal';

/** An error whose message may be shown to the client as it stands. */
export class OutreachError extends Error {
  readonly kind: ErrorKind;
  readonly code: string;
  readonly details: readonly object[] | undefined;
  /** Of `rate_limited`: when the request may succeed. Without it: soon. */
  retryAfterSeconds?: number;

  constructor(kind: ErrorKind, code: string, message: string, details?: readonly object[]) {
    super(message);
    this.name = 'OutreachError';
    this.kind = kind;
    this.code = code;
    this.details = details;
  }
}

/** 400 with the given code. */
export const invalid = (code: string, message: string, details?: readonly object[]) =>
  new OutreachError('invalid', code, message, details);

/** 400 VALIDATION_ERROR naming the fields. */
export const validationError = (problems: readonly FieldProblem[]) =>
  invalid(
    'VALIDATION_ERROR',
    `Validation failed: ${problems.map((p) => p.message).join('; ')}`,
    problems,
  );

/** The field of a request, beside its path, that names what there is not. */
export interface NamedIds {
  /** As the request has it, with the names around it: `mapsRun.leadListId`. */
  field: string;
  /** Those of its ids that name nothing of the account. */
  ids: readonly (number | string)[];
}

/** One problem for each id, as `details[]` has them. */
const idProblems = (resource: string, { field, ids }: NamedIds): FieldProblem[] =>
  ids.map((id) => ({ field, message: `${field}: ${resource} ${id} not found` }));

/**
 * 404 `<RESOURCE>_NOT_FOUND`; a foreign resource is reported in exactly the same words. `named` is for what the query
 * or the body names: the path says by itself what was looked for.
 */
export const notFound = (resource: string, named?: NamedIds) =>
  new OutreachError(
    'not_found',
    codeOf(resource),
    missingOf(resource, named),
    named && idProblems(resource, named),
  );

/**
 * For an order that a request has in its field `outer`: what `work` does not find is named by where it stands in that
 * request.
 */
export async function namedWithin<T>(outer: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof OutreachError) || error.kind !== 'not_found') throw error;
    const details = (error.details as readonly FieldProblem[] | undefined)?.map(
      ({ field, message }) => ({ field: `${outer}.${field}`, message: `${outer}.${message}` }),
    );
    throw new OutreachError('not_found', error.code, error.message, details);
  }
}

/** The same as 400, where the request has always been answered so. */
export const namesNothing = (resource: string, named: NamedIds) =>
  invalid(codeOf(resource), missingOf(resource, named), idProblems(resource, named));

const codeOf = (resource: string) => `${resource.toUpperCase().replaceAll(' ', '_')}_NOT_FOUND`;

const missingOf = (resource: string, named: NamedIds | undefined): string => {
  const which = named ? `: ${named.ids.join(', ')}` : '';
  return `${resource[0]!.toUpperCase()}${resource.slice(1)} not found${which}`;
};

/** 401 with the given code. */
export const unauthenticated = (code: string, message: string) =>
  new OutreachError('unauthenticated', code, message);

/** 502: a backing subsystem is down and nothing was stored. The `cause` is only logged. */
export function upstreamUnavailable(message: string, cause?: unknown): OutreachError {
  const error = new OutreachError('upstream', 'UPSTREAM_UNAVAILABLE', message);
  if (cause !== undefined) error.cause = cause;
  return error;
}

/**
 * How a provider failed. Only adapters make these.
 * - `rejected`: the provider refuses this request for good (taken, invalid); repeating is useless
 * - `unavailable`: 5xx, network, time-out of something harmless to repeat
 * - `rate_limited`: repeat after `retryAfterMs`
 * - `auth`: the credentials or permissions are wrong; an operator has to act
 * - `quota`: capacity, limits or credit at the provider are used up; an operator has to act
 * - `not_ready`: nothing is wrong, the thing is still being made; repeat after `retryAfterMs`, where it is told
 * - `outcome_unknown`: a request that may not be repeated was sent and its answer never came
 */
export type ProviderErrorKind =
  'rejected' | 'unavailable' | 'rate_limited' | 'auth' | 'quota' | 'not_ready' | 'outcome_unknown';

/** Facts about a provider's failure; none of them may hold a secret. */
export interface ProviderErrorFacts {
  provider: string;
  /** The provider's own code or status, for its support. */
  providerCode?: string;
  requestId?: string;
  retryAfterMs?: number;
  /** `rate_limited`, because work of ours holds all places: it may do so for hours. */
  isBusy?: boolean;
  /** `rejected`, because the account does not show the domain: a new one may come late. */
  isUnlisted?: boolean;
  /** The server's last reply, where it decides (SMTP). May contain an address: never in a history. */
  reply?: string;
  /** The same of a refused login. */
  loginReply?: string;
  /** What a person can do about it, in one sentence. */
  operatorHint?: string;
  /** The product's code, where the client can resolve it (`DOMAIN_UNAVAILABLE`, `PRICE_ABOVE_CAP`, ...). */
  clientCode?: string;
}

/** The only error that an adapter may throw. */
export class ProviderError extends Error {
  readonly kind: ProviderErrorKind;
  readonly facts: ProviderErrorFacts;

  constructor(kind: ProviderErrorKind, message: string, facts: ProviderErrorFacts) {
    super(message.slice(0, 2_000));
    this.name = 'ProviderError';
    this.kind = kind;
    this.facts = facts;
  }
}
