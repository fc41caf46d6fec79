/** The one switch from errors to "retry" or "do not". docs/workflow-rules.md#kinds-of-failures. */
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { isDatabaseDown } from '../../src/domain/database-down.ts';
import {
  OutreachError,
  ProviderError,
  type ProviderErrorFacts,
  type ProviderErrorKind,
} from '../../src/domain/errors.ts';
import type { FailureFacts, FailureType } from '../../src/domain/failures.ts';
import { storable } from '../../src/domain/storable-text.ts';

/** Temporal keeps messages in the history: 2 kB are enough for a person. */
const MAX_MESSAGE_LENGTH = 2_000;

/** A place that our own work holds is looked for this often at least. */
const MAX_BUSY_WAIT_MS = 10 * 60_000;

/** How far an activity is with its attempts. */
export interface Attempts {
  attempt: number;
  /** What its policy waits until the next one. */
  backoffMs: number;
}

/** Turns whatever an activity threw into a failure that workflows can switch on by `type`. */
export function asFailure(
  error: unknown,
  attempts: Attempts = { attempt: 1, backoffMs: 0 },
): unknown {
  if (error instanceof ProviderError) return providerFailure(error, attempts);
  if (error instanceof OutreachError) return productFailure(error);
  if (isDatabaseDown(error) || isConflict(error)) {
    return failure('DatabaseUnavailable', (error as Error).message, { retryable: true });
  }
  // Cancellations, ApplicationFailures and our own bugs pass through: the SDK retries the last.
  return error;
}

/** Exhaustive by type: a new kind does not compile until it is decided here. */
const PROVIDER_FAILURES: Record<ProviderErrorKind, { type: FailureType; retryable: boolean }> = {
  rejected: { type: 'ProviderRejected', retryable: false },
  auth: { type: 'ProviderAuth', retryable: false },
  quota: { type: 'QuotaExceeded', retryable: false },
  outcome_unknown: { type: 'OutcomeUnknown', retryable: false },
  unavailable: { type: 'ProviderUnavailable', retryable: true },
  rate_limited: { type: 'RateLimited', retryable: true },
  not_ready: { type: 'NotReadyYet', retryable: true },
};

function providerFailure(error: ProviderError, attempts: Attempts): ApplicationFailure {
  const { type, retryable } = PROVIDER_FAILURES[error.kind];
  // A server's reply may name an address: it stays out of the history.
  // How long to wait is told by the delay.
  const facts = {
    ...error.facts,
    reply: undefined,
    loginReply: undefined,
    retryAfterMs: undefined,
    isBusy: undefined,
    isUnlisted: undefined,
  };
  return failure(type, error.message, {
    retryable,
    facts,
    retryAfterMs: isWaitTold(error.kind) ? delayMs(error.facts, attempts) : undefined,
    benign: error.kind === 'not_ready',
  });
}

const isWaitTold = (kind: ProviderErrorKind) => kind === 'rate_limited' || kind === 'not_ready';

/**
 * The vendor's wait replaces the policy's, so that it must not be the shorter one: what gives up counts attempts, and
 * a vendor that says "in a second" for a minute would use them up.
 */
function delayMs(
  { retryAfterMs, isBusy }: ProviderErrorFacts,
  { attempt, backoffMs }: Attempts,
): number | undefined {
  if (retryAfterMs === undefined) return undefined;
  const patient = isBusy ? Math.min(MAX_BUSY_WAIT_MS, retryAfterMs * 2 ** (attempt - 1)) : 0;
  return Math.max(retryAfterMs, patient, backoffMs);
}

function productFailure(error: OutreachError): ApplicationFailure {
  const facts = { clientCode: error.code };
  switch (error.kind) {
    case 'invalid':
      return failure('Conflict', error.message, { retryable: false, facts });
    case 'not_found':
      return failure('NotFound', error.message, { retryable: false, facts });
    case 'payment_required':
      return failure('InsufficientFunds', error.message, { retryable: false, facts });
    case 'unauthenticated':
      return failure('ProviderAuth', error.message, { retryable: false, facts });
    case 'rate_limited':
      return failure('RateLimited', error.message, { retryable: true, facts });
    case 'upstream':
    case 'internal':
      return failure('ProviderUnavailable', error.message, { retryable: true, facts });
  }
}

function failure(
  type: FailureType,
  message: string,
  options: {
    retryable: boolean;
    facts?: FailureFacts;
    retryAfterMs?: number | undefined;
    benign?: boolean;
  },
): ApplicationFailure {
  return ApplicationFailure.create({
    type,
    message: storable(message.slice(0, MAX_MESSAGE_LENGTH)),
    nonRetryable: !options.retryable,
    details: [storableFacts(options.facts ?? {})],
    ...(options.retryAfterMs !== undefined && { nextRetryDelay: options.retryAfterMs }),
    ...(options.benign && { category: ApplicationFailureCategory.BENIGN }),
  });
}

/** Facts are a provider's own words, too: they are sanitised like the message before they are stored. */
const storableFacts = (facts: FailureFacts): FailureFacts =>
  Object.fromEntries(
    Object.entries(facts).map(([name, text]) => [
      name,
      typeof text === 'string' ? storable(text) : text,
    ]),
  );

/** SQLSTATEs of a transaction that lost against another one: a retry succeeds. */
export const isConflict = (error: unknown): boolean =>
  ['40001', '40P01'].includes(String((error as { code?: unknown } | null)?.code));
