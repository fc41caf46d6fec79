/** Which card of a payer is kept: the one that was saved last, and none that they had forgotten. */

export interface KnownMethod {
  payment_method_id: string;
  saved_at: Date;
  forgotten_at: Date | null;
}

/**
 * Whether a card that was saved takes the place of what is known: events come in any order and more than once. The
 * processor counts whole seconds.
 */
export function replaces(
  known: KnownMethod,
  { paymentMethodId, savedAt }: { paymentMethodId: string; savedAt: Date },
): boolean {
  if (known.forgotten_at === null) return known.saved_at <= savedAt;
  if (known.payment_method_id === paymentMethodId) return false;
  return Math.floor(known.forgotten_at.getTime() / 1_000) * 1_000 <= savedAt.getTime();
}

/**
 * Whether a card at the processor should have been kept and is not: its event was lost. Of two cards of one second
 * either may be the last, so the one that is kept stays.
 */
export function isUnsaved(
  known: KnownMethod | undefined,
  method: { paymentMethodId: string; savedAt: Date },
): boolean {
  if (!known) return true;
  if (known.payment_method_id === method.paymentMethodId) return false;
  const isOfOneSecond = known.saved_at.getTime() === method.savedAt.getTime();
  return !(known.forgotten_at === null && isOfOneSecond) && replaces(known, method);
}
