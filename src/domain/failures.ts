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

/** Codes of ended operations that only the client can fix; all others are ours or a provider's. Choice 15. */
export const CLIENT_CODES: readonly string[] = [
  'DOMAIN_UNAVAILABLE',
  'PRICE_ABOVE_CAP',
  'DOMAIN_REJECTED',
  'CANCELLED',
  'MAILBOX_NOT_FOUND',
];

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
