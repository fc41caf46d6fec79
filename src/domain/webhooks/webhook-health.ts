/** When a failing endpoint is paused, and when it is disabled. Choice 45. */
import { DAY_MS } from '../day.ts';
import type { DeliveryAnswer } from './webhooks.ts';

export const DISABLED_REASONS = ['gone', 'failing'] as const;
/** `gone`: it answered 410. `failing`: it accepted nothing for days. */
export type DisabledReason = (typeof DISABLED_REASONS)[number];

export interface WebhookHealth {
  /** Failed attempts in a row. */
  failures: number;
  /** Of the first of them. */
  failingSince: Date | null;
  /** It is not called before then. */
  openUntil: Date | null;
}

export interface HealthRules {
  disableDays: number;
  /** Multiplies the durations of pauses. */
  pace: number;
}

/** How many attempts in a row must fail before an endpoint is paused. */
export const FAILURES_IN_A_ROW = 10;

const FIRST_REST_SECONDS = 30;
const LONGEST_REST_SECONDS = 300;

/** Seconds until the next attempt: 30, 60, 120 and so on up to five minutes. */
export const restSeconds = (failures: number): number =>
  Math.min(
    FIRST_REST_SECONDS * 2 ** Math.min(failures - FAILURES_IN_A_ROW, 20),
    LONGEST_REST_SECONDS,
  );

export const WELL: WebhookHealth = { failures: 0, failingSince: null, openUntil: null };

/** A circuit breaker: opened by failures in a row, tried with one attempt, closed by a 2xx. */
export function healthAfter(
  before: WebhookHealth,
  answer: DeliveryAnswer,
  now: Date,
  { pace }: HealthRules,
): WebhookHealth {
  if (answer.error === null) return WELL;
  // Attempts already in progress when it was paused carry no new information.
  const isLeftAlone = before.openUntil !== null && before.openUntil > now;
  if (isLeftAlone) return before;
  const failures = before.failures + 1;
  const restMs = restSeconds(failures) * 1_000 * pace;
  return {
    failures,
    failingSince: before.failingSince ?? now,
    openUntil: failures < FAILURES_IN_A_ROW ? null : new Date(now.getTime() + restMs),
  };
}

/** Why the endpoint is disabled now; undefined when it is not. */
export function disabledReason(
  { failures, failingSince }: WebhookHealth,
  answer: DeliveryAnswer,
  now: Date,
  { disableDays }: HealthRules,
): DisabledReason | undefined {
  if (answer.status === 410) return 'gone';
  const forMs = failingSince === null ? 0 : now.getTime() - failingSince.getTime();
  const isFailing = failures >= FAILURES_IN_A_ROW && forMs >= disableDays * DAY_MS;
  return isFailing ? 'failing' : undefined;
}
