/** Automatic recharges of a wallet: why they stop, and which month an attempt counts in. */

/** Why a payment without its payer failed. */
export const CHARGE_FAILURES = [
  'card_declined',
  'authentication_required',
  'payment_method_invalid',
  'processor_error',
] as const;
export type ChargeFailure = (typeof CHARGE_FAILURES)[number];

/** `monthly_limit` ends with the month, the others when the client sets `autoRecharge` again. */
export const STOP_REASONS = [...CHARGE_FAILURES, 'payment_reversed', 'monthly_limit'] as const;
export type StopReason = (typeof STOP_REASONS)[number];

/** `2026-11`: the month in UTC. */
export const monthOf = (at: Date): string => at.toISOString().slice(0, 7);

/** The first moment of the next month in UTC. */
export const nextMonth = (at: Date): Date =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1));
