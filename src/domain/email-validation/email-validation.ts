/** Terms and times of jobs that validate many addresses. */

export const EMAIL_VALIDATION_STATUSES = [
  'processing',
  'completed',
  'failed',
  'cancelled',
] as const;
export type EmailValidationStatus = (typeof EMAIL_VALIDATION_STATUSES)[number];

/** Choice 29: in one request. */
export const MAX_BULK_EMAILS = 1_000;

/** Addresses per activity: 0.002 actions per address. */
export const BATCH_SIZE = 500;

const MINUTE = 60_000;

/** Reasons that may disappear with time; the others will still be unknown in an hour. */
const CURED_BY_WAITING = new Set(['greylisted', 'temporary_failure', 'dns_failure', 'timed_out']);

/** Greylists let a sender in after one to fifteen minutes; the second wait is for the strict ones. */
const WAITS_MS = [5 * MINUTE, 20 * MINUTE];

/** An operator has to fix it. */
const OPERATOR_WAITS_MS = [10 * MINUTE, 20 * MINUTE, 60 * MINUTE, 120 * MINUTE];

/** Why no verifier can be asked. */
export const VERIFIER_WAITS = [
  'verifier_unavailable',
  'verifier_out_of_credits',
  'port_25_closed',
] as const;
export type VerifierWait = (typeof VERIFIER_WAITS)[number];

const WAIT_WORDS: Readonly<Record<VerifierWait, string>> = {
  verifier_unavailable: 'no verifier answers',
  verifier_out_of_credits: 'no verifier has credits',
  port_25_closed: 'outgoing port 25 is closed',
};

/** Why a job waits, and until when, for operators. */
export const waitWords = (reason: VerifierWait, until: Date): string =>
  `${WAIT_WORDS[reason]}, asked again at ${until.toISOString()}`;

/**
 * What is waited for a verifier that cannot be asked, by the reason. Bounded: where it fails for one address
 * only, the job must end all the same.
 */
const UNASKED_WAITS_MS: Readonly<Record<VerifierWait, readonly number[]>> = {
  verifier_unavailable: [MINUTE, 5 * MINUTE, 20 * MINUTE, 60 * MINUTE],
  verifier_out_of_credits: OPERATOR_WAITS_MS,
  port_25_closed: OPERATOR_WAITS_MS,
};

/** No verifier could be asked, though one is configured: the next check may get an answer. */
export const isUnasked = <T extends { reason: string | null }>(
  check: T,
): check is T & { reason: VerifierWait } => VERIFIER_WAITS.some((one) => one === check.reason);

/** Reasons that tell nothing about the address: they replace no verdict, however old. */
export const NO_VERDICT: readonly string[] = [
  ...VERIFIER_WAITS,
  'dns_failure',
  'not_verified',
  'timed_out',
];

/** What our own checks say of an address, and that nobody answered in time. */
const NO_ANSWERS = new Set([
  'syntax',
  'irregular_syntax',
  'no_mx',
  'null_mx',
  'dns_failure',
  'disposable',
  'not_verified',
  'timed_out',
]);

/** A verifier has answered about the address since: it was neither our own check nor an older answer that was kept. */
export const isAnsweredSince = (
  { reason, checkedAt }: { reason: string; checkedAt: string },
  since = new Date(0),
): boolean => !isUnasked({ reason }) && !NO_ANSWERS.has(reason) && checkedAt >= since.toISOString();

/** Tries of an address before this check. */
export interface EarlierTries {
  tries: number;
  /** Those for which no verifier could be asked; they are no `tries`. */
  unasked: number;
}

/** When an address is retried, in milliseconds; null when that is useless. */
export function againAfterMs(
  check: { status: string; reason: string },
  { tries, unasked }: EarlierTries,
  pace: number,
): number | null {
  if (check.status !== 'unknown') return null;
  const ofUnasked = isUnasked(check) ? UNASKED_WAITS_MS[check.reason][unasked] : undefined;
  const ofTries = CURED_BY_WAITING.has(check.reason) ? WAITS_MS[tries] : undefined;
  const waitMs = ofUnasked ?? ofTries;
  return waitMs === undefined ? null : Math.max(1_000, waitMs * pace);
}

/**
 * The `providerCode` where each address was asked about and none was answered in time: the vendor hangs, or the mail
 * servers of all of them do.
 */
export const ALL_SILENT = 'all_silent';
