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

/** Reasons that may disappear with time; the others will still be unknown in an hour. */
const CURED_BY_WAITING = new Set(['greylisted', 'temporary_failure']);

/** Greylists let a sender in after one to fifteen minutes; the second wait is for the strict ones. */
const WAITS_MS = [5 * 60_000, 20 * 60_000];

/** When an address is retried, in milliseconds; null when that is useless. */
export function againAfterMs(
  check: { status: string; reason: string },
  tries: number,
  pace: number,
): number | null {
  if (check.status !== 'unknown' || !CURED_BY_WAITING.has(check.reason)) return null;
  const waitMs = WAITS_MS[tries - 1];
  return waitMs === undefined ? null : Math.max(1_000, waitMs * pace);
}
