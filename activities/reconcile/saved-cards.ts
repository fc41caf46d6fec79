/** Cards that payers let the processor keep, against those that we know. */
import { closeFinding } from '../../src/db/operations/findings.ts';
import { listUnsaved, savePaymentMethod } from '../../src/db/wallet/payment-methods.ts';
import type { Finding, HealWords } from '../../src/domain/operations/findings.ts';
import type { Pages, SavedMethod } from '../../src/providers/payments/port.ts';
import { untilCancelled, type Found, type ReconcileContext } from './book.ts';

type UnsavedMethod = Awaited<ReturnType<typeof listUnsaved>>[number];

/** A card whose event was lost is kept now, unless a newer one is, or its payer had it forgotten. */
export async function savedCardFindings(
  context: ReconcileContext,
  listed: Pages<SavedMethod>,
  before: Date,
): Promise<Found[]> {
  const unsaved: UnsavedMethod[] = [];
  for await (const page of untilCancelled(listed)) {
    // An event may be under way.
    const old = page
      .map((one) => ({ ...one, savedAt: new Date(one.savedAt) }))
      .filter(({ savedAt }) => savedAt < before);
    unsaved.push(...(await listUnsaved(context.db, old)));
  }
  // Of two cards of one second the last one stays.
  return unsaved.toReversed().map((method): Found => {
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
