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
  Pages,
  Payments,
  Refund,
} from '../../src/providers/payments/port.ts';
import { graceMs, untilCancelled, type Found, type ReconcileContext } from './book.ts';
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
  const before = new Date(now - graceMs(context));
  const window = { from: ago(SESSION_DAYS - 1), before };
  return [
    ...(await checkoutFindings(context, payments.listCheckouts(ago(SESSION_DAYS)), window)),
    ...(await rechargeFindings(context, payments.listCharges(ago(SESSION_DAYS)), window)),
    ...(await savedCardFindings(context, payments.listSavedMethods(ago(SESSION_DAYS)), before)),
    ...(await refundFindings(context, payments.listRefunds(ago(REFUND_DAYS)))),
    ...(await disputeFindings(context, payments.listDisputes(ago(DISPUTE_DAYS)))),
  ];
}

/** What was paid and not credited, and, once all pages are read, what was credited and is not among the paid. */
async function checkoutFindings(
  context: ReconcileContext,
  sessions: Pages<ListedCheckout>,
  { from, before }: { from: Date; before: Date },
): Promise<Found[]> {
  const found: Found[] = [];
  const credited = await listCredited(context.db, from, before);
  const unpaid = new Map(credited.map((one) => [one.sessionId, one]));
  for await (const page of untilCancelled(sessions)) {
    for (const { sessionId, paymentStatus } of page)
      if (paymentStatus === 'paid') unpaid.delete(sessionId);
    found.push(...(await uncredited(context, page, before)));
  }
  for (const { sessionId, userId, creditedCents } of unpaid.values()) {
    found.push({
      finding: {
        kind: 'unpaid_credit',
        subject: sessionId,
        operationId: null,
        detail: { userId, creditedCents },
      },
    });
  }
  return found;
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

async function refundFindings(context: ReconcileContext, refunds: Pages<Refund>): Promise<Found[]> {
  const found: Found[] = [];
  for await (const page of untilCancelled(refunds)) {
    const reversals = page.map((one) => ({
      id: one.refundId,
      fact: factOf(one.refundId, one.hasFailed),
      detail: one,
      apply: ((trx) => applyRefund(trx, one)) satisfies Apply,
    }));
    found.push(...(await unrecorded(context, reversals)));
  }
  return found;
}

async function disputeFindings(
  context: ReconcileContext,
  disputes: Pages<Dispute>,
): Promise<Found[]> {
  const found: Found[] = [];
  for await (const page of untilCancelled(disputes)) {
    // An inquiry has moved nothing.
    const moved = page.filter(({ isWithdrawn, isReinstated }) => isWithdrawn || isReinstated);
    const reversals = moved.map((one) => ({
      id: one.disputeId,
      fact: factOf(one.disputeId, one.isWithdrawn, one.isReinstated),
      detail: one,
      apply: ((trx) => applyDispute(trx, one)) satisfies Apply,
    }));
    found.push(...(await unrecorded(context, reversals)));
  }
  return found;
}

/** A refund or a dispute, and how it is recorded. */
interface Reversal {
  id: string;
  fact: string;
  detail: { paymentId: string };
  apply: Apply;
}

/** Of payments of ours; others may use the account as well. */
async function unrecorded(
  context: ReconcileContext,
  reversals: readonly Reversal[],
): Promise<Found[]> {
  const ids = reversals.map(({ detail }) => detail.paymentId);
  const { payments, facts } = await findReversals(context.db, ids);
  const isNew = ({ detail, fact }: Reversal) => payments.has(detail.paymentId) && !facts.has(fact);
  return reversals.filter(isNew).map(({ id, detail, apply }): Found => {
    const finding: Finding = {
      kind: 'unrecorded_reversal',
      subject: id,
      operationId: null,
      detail: { ...detail },
    };
    return { finding, isSafe: true, heal: (words) => applied(context, { apply, finding, words }) };
  });
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
