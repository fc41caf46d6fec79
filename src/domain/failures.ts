/**
 * Types of the failures that activities throw; workflows switch on these words.
 * docs/workflow-rules.md#kinds-of-failures.
 */
import { CONNECTION_CODES } from './mailboxes/connection-problems.ts';

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

/** See `isClientsOwn`. */
const CLIENTS_OWN = new Set<string>([
  'CAMPAIGN_NOT_READY',
  'CANCELLED',
  'CONFLICT',
  'DNS_CONFLICT',
  'DOMAIN_EXPIRED',
  'DOMAIN_OWNER_CHANGED',
  'DOMAIN_SPENDING_LIMIT',
  'INSUFFICIENT_BALANCE',
  'INVALID_STATE',
  'NO_AD_LIBRARY',
  'NO_LEADS_IMPORTED',
  'NO_LONGER_WANTED',
  'NOT_TRIED',
  ...CONNECTION_CODES,
]);

/**
 * Whether the client is the cause of such an end, or has its cure: it reads the text, which is always ours, as it
 * stands, and no objective counts it. Any `_NOT_FOUND` is one: what the order needs was taken away meanwhile.
 */
export const isClientsOwn = (code: string): boolean =>
  CLIENTS_OWN.has(code) || code.endsWith('_NOT_FOUND');

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

/** The code of a failure of this type in the row: `ProviderAuth` is `PROVIDER_AUTH`. */
export const failureCode = (type: string): string =>
  type.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase();

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
