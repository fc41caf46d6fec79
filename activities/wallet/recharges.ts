/** One payment by a saved method: looked for first, then made under a key of its row. */
import type { Context } from '../../src/context.ts';
import {
  applyRecharge,
  beginCharge,
  getRecharge,
  giveUpRecharge,
  withdrawRecharge,
  type Recharge,
} from '../../src/db/wallet/recharges.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import type { Charge, Payments } from '../../src/providers/payments/port.ts';

type RechargeContext = Pick<Context, 'db' | 'payments' | 'clock' | 'config'>;

interface RechargeStep {
  rechargeId: number;
}

/** Allows for clocks that differ: the payment may seem older than its row. */
const CLOCK_SLACK_MS = 10 * 60_000;

export const rechargeActivities = (context: RechargeContext) => ({
  /**
   * Charges, credits or records the failure; what was decided before is not decided again. Safe to repeat: the
   * processor is asked for the payment first, since it forgets keys after a day. Charges nothing that the client
   * does not want any more. Throws `rejected` for what the client has to cure.
   */
  async chargeRecharge({ rechargeId }: RechargeStep): Promise<{ state: string }> {
    const { db, clock } = context;
    const row = await getRecharge(db, rechargeId);
    if (row.state !== 'pending') return outcomeOf(row);
    const payments = configured(context);
    const lookedAt = clock.now();
    const found = await find(payments, row);
    if (found) return outcomeOf(await record(context, row, found));
    const begun = await db
      .transaction()
      .execute((trx) => beginCharge(trx, rechargeId, () => clock.now()));
    if (!begun.isWanted) return outcomeOf(await withdraw(context, begun.row, lookedAt));
    return outcomeOf(await record(context, row, await payments.chargeSaved(orderOf(row))));
  },

  /** After an interrupted attempt: records the payment, if there is one. */
  async settleRecharge({ rechargeId }: RechargeStep): Promise<void> {
    await adopt(context, rechargeId);
  },

  /** Undo: a payment that was made is credited; an attempt without one is over. Safe to repeat. */
  async abandonRecharge({ rechargeId }: RechargeStep): Promise<void> {
    const row = await getRecharge(context.db, rechargeId);
    if (row.state !== 'pending') return;
    await adopt(context, rechargeId);
    await context.db.transaction().execute((trx) => giveUpRecharge(trx, rechargeId));
  },
});

/**
 * Ends what the client does not want any more. Throws `not_ready` where an earlier request could charge without having
 * been shown at `lookedAt`.
 */
async function withdraw(
  { db, config }: RechargeContext,
  row: Recharge,
  lookedAt: Date,
): Promise<Recharge> {
  const { PROVIDER_TIMEOUT_SECONDS, PROVIDER_LAG_SECONDS } = config;
  const hiddenMs = 1_000 * (PROVIDER_TIMEOUT_SECONDS + PROVIDER_LAG_SECONDS);
  // An unwanted row always says when: `beginCharge` notes it.
  const isShown = lookedAt.getTime() >= (row.asked_at?.getTime() ?? Infinity) + hiddenMs;
  if (row.state === 'pending' && !isShown) {
    const message = 'Waiting until the processor shows what it was asked for';
    throw new ProviderError('not_ready', message, { provider: 'stripe' });
  }
  return db.transaction().execute((trx) => withdrawRecharge(trx, row.id));
}

async function adopt(context: RechargeContext, rechargeId: number): Promise<void> {
  const row = await getRecharge(context.db, rechargeId);
  if (row.state !== 'pending') return;
  const found = await find(configured(context), row);
  if (found) await record(context, row, found);
}

const find = (payments: Payments, row: Recharge): Promise<Charge | null> =>
  payments.findCharge({
    rechargeId: row.id,
    chargeKey: row.charge_key,
    customerId: row.customer_id,
    since: new Date(row.created_at.getTime() - CLOCK_SLACK_MS),
  });

const orderOf = (row: Recharge) => ({
  rechargeId: row.id,
  chargeKey: row.charge_key,
  userId: row.user_id,
  amountCents: row.amount_cents,
  customerId: row.customer_id,
  paymentMethodId: row.payment_method_id,
  key: row.charge_key === null ? `recharge:${row.id}` : `recharge:${row.id}:${row.charge_key}`,
});

async function record({ db }: RechargeContext, row: Recharge, charge: Charge): Promise<Recharge> {
  const facts = { ...charge, rechargeId: row.id, chargeKey: row.charge_key };
  const after = await db.transaction().execute((trx) => applyRecharge(trx, facts));
  return after ?? row;
}

/** A payment that is being made leaves the row pending: its event decides. */
function outcomeOf({ state, failure_reason, decline_code }: Recharge): { state: string } {
  if (state !== 'failed') return { state };
  const reason = failure_reason ?? 'processor_error';
  throw new ProviderError('rejected', `the saved payment method was not charged: ${reason}`, {
    provider: 'stripe',
    clientCode: reason.toUpperCase(),
    ...(decline_code !== null && { providerCode: decline_code }),
  });
}

function configured({ payments }: RechargeContext): Payments {
  if (payments) return payments;
  throw new ProviderError('auth', 'no payment processor is configured', {
    provider: 'stripe',
    operatorHint: 'Set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET and restart the workers.',
  });
}
