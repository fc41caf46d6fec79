/**
 * Types of the failures that activities throw; workflows switch on these words.
 * docs/workflow-rules.md#kinds-of-failures.
 */

/** Only the client can resolve these. */
export const CLIENT_FAILURES = [
  'InvalidInput',
  'NotFound',
  'Conflict',
  'InsufficientFunds',
  'ProviderRejected',
] as const;

/** An operator can resolve these. */
export const OPERATOR_FAILURES = ['ProviderAuth', 'QuotaExceeded', 'Undecided'] as const;

/** These are temporary and are retried. */
export const RETRYABLE_FAILURES = [
  'RateLimited',
  'ProviderUnavailable',
  'DatabaseUnavailable',
  'NotReadyYet',
] as const;

export type FailureType =
  | (typeof CLIENT_FAILURES)[number]
  | (typeof OPERATOR_FAILURES)[number]
  | (typeof RETRYABLE_FAILURES)[number]
  | 'OutcomeUnknown';

/** The details of a failure; they are stored in the history, so they MUST NOT contain a secret. */
export interface FailureFacts {
  provider?: string;
  /** All of them, where several refused one after the other. */
  vendors?: string[];
  providerCode?: string;
  requestId?: string;
  operatorHint?: string;
  clientCode?: string;
}
