/** Cards that payers let the processor keep, against those that we know. */
import { closeFinding } from '../../src/db/operations/findings.ts';
import { listUnsaved, savePaymentMethod } from '../../src/db/wallet/payment-methods.ts';
import type { Finding, HealWords } from '../../src/domain/operations/findings.ts';
import type { SavedMethod } from '../../src/providers/payments/port.ts';
import type { Found, ReconcileContext } from './book.ts';

/** A card whose event was lost is kept now, unless a newer one is, or its payer had it forgotten. */
export async function savedCardFindings(
  context: ReconcileContext,
  listed: readonly SavedMethod[],
  before: Date,
): Promise<Found[]> {
  // An event may be under way.
  const old = listed
    .map((one) => ({ ...one, savedAt: new Date(one.savedAt) }))
    .filter(({ savedAt }) => savedAt < before);
  return (await listUnsaved(context.db, old)).map((method): Found => {
    const finding: Finding = {
      kind: 'unsaved_card',
      subject: method.paymentMethodId,
      operationId: null,
      detail: { userId: method.userId },
    };
    const heal = async (words: HealWords) => {
      const isKnown = await context.db
        .transaction()
        .execute((trx) => savePaymentMethod(trx, method));
      if (isKnown) await closeFinding(context.db, finding, words);
      return isKnown;
    };
    return { finding, isSafe: true, heal };
  });
}
