/**
 * Types of the failures that activities throw; workflows switch on these words.
 * docs/workflow-rules.md#kinds-of-failures.
 */

/** Only the client can cure these. */
export const CLIENT_FAILURES = [
  'InvalidInput',
  'NotFound',
  'Conflict',
  'InsufficientFunds',
  'ProviderRejected',
] as const;

/** An operator can cure these. */
export const OPERATOR_FAILURES = ['ProviderAuth', 'QuotaExceeded'] as const;

/** These heal alone and are retried. */
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

/** The details of a failure; no secret may be in them, they stand in the history. */
export interface FailureFacts {
  provider?: string;
  /** Each of them, where several refused one after the other. */
  vendors?: string[];
  providerCode?: string;
  requestId?: string;
  operatorHint?: string;
  clientCode?: string;
}
