/** Charges of saved payment methods: what the processor has, against recharges, both ways. */
import { closeFinding } from '../../src/db/operations/findings.ts';
import { findRecharges, listCreditedRecharges } from '../../src/db/wallet/payment-comparison.ts';
import { applyRecharge } from '../../src/db/wallet/recharges.ts';
import type { Finding, HealWords } from '../../src/domain/operations/findings.ts';
import type { ListedCharge } from '../../src/providers/payments/port.ts';
import type { Found, ReconcileContext } from './book.ts';

/** A charge that is certainly one of ours. */
type OurCharge = ListedCharge & { rechargeId: number };

/**
 * A charge that succeeded and was never credited is credited once; a failure that nobody told ends its
 * attempt. Credits whose charge the processor does not show are for a person.
 */
export async function rechargeFindings(
  context: ReconcileContext,
  listed: readonly ListedCharge[],
  { from, before }: { from: Date; before: Date },
): Promise<Found[]> {
  const charges = listed.flatMap((one): OurCharge[] =>
    one.rechargeId === null ? [] : [{ ...one, rechargeId: one.rechargeId }],
  );
  return [
    ...(await undecided(context, charges, before)),
    ...(await unpaid(context, charges, { from, before })),
  ];
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

async function unpaid(
  { db }: ReconcileContext,
  charges: readonly OurCharge[],
  { from, before }: { from: Date; before: Date },
): Promise<Found[]> {
  const paid = new Set(
    charges.filter(({ status }) => status === 'succeeded').map(({ paymentId }) => paymentId),
  );
  const credited = await listCreditedRecharges(db, from, before);
  return credited
    .filter(({ paymentId }) => !paid.has(paymentId))
    .map(({ paymentId, userId, creditedCents }) => ({
      finding: {
        kind: 'unpaid_credit',
        subject: paymentId ?? '',
        operationId: null,
        detail: { userId, creditedCents },
      },
    }));
}
