/** Limits of every movement of money, and the errors for violations. */
import { OutreachError } from '../../domain/errors.ts';
import { formatDollars } from '../../domain/wallet/money.ts';

/** The columns of a hold that determine what is left of it. */
export interface Held {
  amount_cents: number;
  captured_cents: number;
  released_cents: number;
}

export const leftOf = (held: Held) => held.amount_cents - held.captured_cents - held.released_cents;

/** A movement on a hold has the hold's reference. */
export const referenceOf = (held: { reference_type: string; reference_id: string }) => ({
  referenceType: held.reference_type,
  referenceId: held.reference_id,
});

/** Throws when less is left of the hold. */
export function assertLeft(held: Held, amountCents: number): void {
  if (leftOf(held) < amountCents) throw exceeded('hold', amountCents, leftOf(held));
}

/** Throws unless it is positive whole cents: anything else is a programming error. */
export function assertPositive(cents: number): void {
  if (!Number.isSafeInteger(cents) || cents <= 0) {
    throw new TypeError(`not a positive amount of cents: ${cents}`);
  }
}

export const exceeded = (what: string, wanted: number, left: number) =>
  new OutreachError(
    'internal',
    'AMOUNT_EXCEEDED',
    `${formatDollars(wanted)} is more than the ${formatDollars(left)} left of this ${what}`,
  );

/** Spec: Errors; choice 40. */
export const insufficientBalance = (requiredCents: number, availableCents: number) =>
  new OutreachError(
    'payment_required',
    'INSUFFICIENT_BALANCE',
    `Insufficient balance. Required: ${formatDollars(requiredCents)}, ` +
      `Available: ${formatDollars(availableCents)}`,
    [{ requiredCents, availableCents }],
  );
