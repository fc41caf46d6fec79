/** Forgets the card that automatic recharges charge. Choice 75. */
import type { Context } from '../../context.ts';
import { noteChange } from '../../db/accounts/audit-log.ts';
import { commitOnce } from '../../db/accounts/request-effects.ts';
import { setAutoRecharge } from '../../db/wallet/auto-recharges.ts';
import { lockWallet } from '../../db/wallet/ledger-posting.ts';
import { findPaymentMethod, forgetPaymentMethod } from '../../db/wallet/payment-methods.ts';
import { notFound } from '../../domain/errors.ts';
import { configuredPayments, refusePayments } from './payment-processor.ts';
import { getWallet, type WalletState } from './wallet-settings.ts';

/**
 * Has the processor let go of the saved card, forgets it here and switches recharges off. 404 where there is none,
 * 502 where the processor does not answer: then nothing is changed, and it may be asked again.
 */
export async function forgetSavedCard(
  context: Pick<Context, 'db' | 'clock' | 'payments'>,
  userId: string,
): Promise<WalletState> {
  const { db, clock } = context;
  const method = await findPaymentMethod(db, userId);
  if (!method) throw notFound('saved card');
  const { payment_method_id: paymentMethodId } = method;
  await configuredPayments(context.payments).forgetMethod(paymentMethodId).catch(refusePayments);
  // If the process dies here, the card is of no use any more, and the client asks again.
  await commitOnce(db, async (trx) => {
    await lockWallet(trx, userId);
    await forgetPaymentMethod(trx, { userId, paymentMethodId, now: clock.now() });
    // Another card may have been saved meanwhile: it goes on with the recharges.
    if (!(await findPaymentMethod(trx, userId))) await setAutoRecharge(trx, userId, null);
    noteChange({ before: { hasPaymentMethod: true }, after: { hasPaymentMethod: false } });
  });
  return getWallet(context, userId);
}
