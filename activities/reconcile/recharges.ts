/** Charges of saved payment methods: what the processor has, against recharges, both ways. */
import { closeFinding } from '../../src/db/operations/findings.ts';
import { findRecharges, listCreditedRecharges } from '../../src/db/wallet/payment-comparison.ts';
import { applyRecharge } from '../../src/db/wallet/recharges.ts';
import type { Finding, HealWords } from '../../src/domain/operations/findings.ts';
import type { ListedCharge, Pages } from '../../src/providers/payments/port.ts';
import { untilCancelled, type Found, type ReconcileContext } from './book.ts';

/** A charge that is certainly one of ours. */
type OurCharge = ListedCharge & { rechargeId: number };

/**
 * A charge that succeeded and was never credited is credited once; a failure that nobody told ends its
 * attempt. Credits whose charge the processor does not show are for a person.
 */
export async function rechargeFindings(
  context: ReconcileContext,
  listed: Pages<ListedCharge>,
  { from, before }: { from: Date; before: Date },
): Promise<Found[]> {
  const found: Found[] = [];
  const credited = await listCreditedRecharges(context.db, from, before);
  const unpaid = new Map(credited.map((one) => [one.paymentId, one]));
  for await (const page of untilCancelled(listed)) {
    const charges = page.flatMap((one): OurCharge[] =>
      one.rechargeId === null ? [] : [{ ...one, rechargeId: one.rechargeId }],
    );
    for (const { status, paymentId } of charges)
      if (status === 'succeeded') unpaid.delete(paymentId);
    found.push(...(await undecided(context, charges, before)));
  }
  for (const { paymentId, userId, creditedCents } of unpaid.values()) {
    found.push({
      finding: {
        kind: 'unpaid_credit',
        subject: paymentId ?? '',
        operationId: null,
        detail: { userId, creditedCents },
      },
    });
  }
  return found;
}

async function undecided(
  context: ReconcileContext,
  charges: readonly OurCharge[],
  before: Date,
): Promise<Found[]> {
  // An event may be under way.
  const old = charges.filter(
    ({ status, createdAt }) => status !== 'pending' && new Date(createdAt) < before,
  );
  const ids = [...new Set(old.map(({ rechargeId }) => rechargeId))];
  const known = await findRecharges(context.db, ids);
  return old.flatMap((charge): Found[] => {
    const sameId = known.get(charge.rechargeId);
    // Ids are handed out again after a restore: a payment of a lost row is not this one's.
    const row = sameId?.chargeKey === charge.chargeKey ? sameId : undefined;
    const isOver = charge.status === 'failed' && row?.state !== 'pending';
    const isCredited = row?.state === 'succeeded' && row.paymentId === charge.paymentId;
    // What does not fit is shown by the audit of the wallets.
    if (isOver || isCredited || row?.mismatchPaymentId === charge.paymentId) return [];
    const { rechargeId, amountCents, currency, status, userId } = charge;
    const finding: Finding = {
      kind: 'uncredited_payment',
      subject: charge.paymentId ?? `recharge/${rechargeId}`,
      operationId: null,
      detail: { rechargeId, amountCents, currency, status, userId: row?.userId ?? userId },
    };
    const heal = (words: HealWords) => decide(context, { charge, finding, words });
    return [{ finding, isSafe: true, heal }];
  });
}

/** False where it is nobody's, or not what was asked for: a person has to say whose it is. */
async function decide(
  { db }: ReconcileContext,
  { charge, finding, words }: { charge: OurCharge; finding: Finding; words: HealWords },
): Promise<boolean> {
  const row = await db.transaction().execute((trx) => applyRecharge(trx, charge));
  if (!row || row.state === 'pending' || row.mismatch_payment_id === charge.paymentId) return false;
  await closeFinding(db, finding, words);
  return true;
}
