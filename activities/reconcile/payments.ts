/** Payments: what the processor has, against wallets and the ledger, both ways. */
import { applyCheckout } from '../../src/db/wallet/checkouts.ts';
import { applyDispute, applyRefund } from '../../src/db/wallet/payment-reversals.ts';
import {
  factOf,
  findCheckouts,
  findReversals,
  listCredited,
} from '../../src/db/wallet/payment-comparison.ts';
import { closeFinding } from '../../src/db/operations/findings.ts';
import { DAY_MS } from '../../src/domain/day.ts';
import type { Finding, HealWords } from '../../src/domain/operations/findings.ts';
import type {
  Dispute,
  ListedCheckout,
  Payments,
  Refund,
} from '../../src/providers/payments/port.ts';
import { graceMs, type Found, type ReconcileContext } from './book.ts';
import { rechargeFindings } from './recharges.ts';
import { savedCardFindings } from './saved-cards.ts';

/** Longer than the processor repeats its events. */
const SESSION_DAYS = 7;
/** A refund may fail after weeks, and a dispute is decided after months. */
const REFUND_DAYS = 60;
const DISPUTE_DAYS = 180;

/**
 * What was paid and never credited is credited once; refunds and disputes that nobody told us of are applied.
 * What is not clear is for a person.
 */
export async function paymentFindings(
  context: ReconcileContext,
  payments: Payments,
): Promise<Found[]> {
  const now = context.clock.now().getTime();
  const ago = (days: number) => new Date(now - days * DAY_MS);
  const [sessions, charges, methods, refunds, disputes] = [
    await payments.listCheckouts(ago(SESSION_DAYS)),
    await payments.listCharges(ago(SESSION_DAYS)),
    await payments.listSavedMethods(ago(SESSION_DAYS)),
    await payments.listRefunds(ago(REFUND_DAYS)),
    await payments.listDisputes(ago(DISPUTE_DAYS)),
  ];
  const before = new Date(now - graceMs(context));
  return [
    ...(await uncredited(context, sessions, before)),
    ...(await unpaid(context, sessions, { from: ago(SESSION_DAYS - 1), before })),
    ...(await rechargeFindings(context, charges, { from: ago(SESSION_DAYS - 1), before })),
    ...(await savedCardFindings(context, methods, before)),
    ...(await unrecorded(context, { refunds, disputes })),
  ];
}

async function uncredited(
  context: ReconcileContext,
  sessions: readonly ListedCheckout[],
  before: Date,
): Promise<Found[]> {
  // An event may be under way.
  const paid = sessions.filter(
    ({ paymentStatus, createdAt }) => paymentStatus === 'paid' && new Date(createdAt) < before,
  );
  const known = await findCheckouts(
    context.db,
    paid.map(({ sessionId }) => sessionId),
  );
  return paid.flatMap((session): Found[] => {
    const row = known.get(session.sessionId);
    // What does not fit is shown by the audit of the wallets.
    if (row && (row.creditedCents > 0 || row.mismatch !== null)) return [];
    const { sessionId, amountCents, currency, userId } = session;
    const finding: Finding = {
      kind: 'uncredited_payment',
      subject: sessionId,
      operationId: null,
      detail: { amountCents, currency, userId: row?.userId ?? userId },
    };
    return [
      { finding, isSafe: true, heal: (words) => credit(context, { session, finding, words }) },
    ];
  });
}

/** False where it is nobody's, or not what was asked for: a person has to say whose it is. */
async function credit(
  { db }: ReconcileContext,
  { session, finding, words }: { session: ListedCheckout; finding: Finding; words: HealWords },
): Promise<boolean> {
  const row = await db.transaction().execute((trx) => applyCheckout(trx, session));
  if (!row || row.credited_cents === 0) return false;
  await closeFinding(db, finding, words);
  return true;
}

/** Sessions that we credited and the processor does not show as paid. */
async function unpaid(
  { db }: ReconcileContext,
  sessions: readonly ListedCheckout[],
  { from, before }: { from: Date; before: Date },
): Promise<Found[]> {
  const paid = new Set(
    sessions.filter((one) => one.paymentStatus === 'paid').map(({ sessionId }) => sessionId),
  );
  const credited = await listCredited(db, from, before);
  return credited
    .filter(({ sessionId }) => !paid.has(sessionId))
    .map(({ sessionId, userId, creditedCents }) => ({
      finding: {
        kind: 'unpaid_credit',
        subject: sessionId,
        operationId: null,
        detail: { userId, creditedCents },
      },
    }));
}

/** Of payments of ours; others may use the account as well. */
async function unrecorded(
  context: ReconcileContext,
  { refunds, disputes }: { refunds: readonly Refund[]; disputes: readonly Dispute[] },
): Promise<Found[]> {
  const { db } = context;
  // An inquiry has moved nothing.
  const moved = disputes.filter(({ isWithdrawn, isReinstated }) => isWithdrawn || isReinstated);
  const ids = [...refunds, ...moved].map(({ paymentId }) => paymentId);
  const { payments, facts } = await findReversals(db, ids);
  const isNew = (paymentId: string, fact: string) => payments.has(paymentId) && !facts.has(fact);
  const found = (id: string, detail: object, apply: Apply): Found => {
    const finding: Finding = {
      kind: 'unrecorded_reversal',
      subject: id,
      operationId: null,
      detail: { ...detail },
    };
    return { finding, isSafe: true, heal: (words) => applied(context, { apply, finding, words }) };
  };
  return [
    ...refunds
      .filter((one) => isNew(one.paymentId, factOf(one.refundId, one.hasFailed)))
      .map((one) => found(one.refundId, one, (trx) => applyRefund(trx, one))),
    ...moved
      .filter((one) =>
        isNew(one.paymentId, factOf(one.disputeId, one.isWithdrawn, one.isReinstated)),
      )
      .map((one) => found(one.disputeId, one, (trx) => applyDispute(trx, one))),
  ];
}

type Apply = (trx: Parameters<typeof applyRefund>[0]) => Promise<void>;

async function applied(
  { db }: ReconcileContext,
  { apply, finding, words }: { apply: Apply; finding: Finding; words: HealWords },
): Promise<boolean> {
  await db.transaction().execute(apply);
  await closeFinding(db, finding, words);
  return true;
}
