/** A recharge whose process dies at any moment: the card is charged once or never, and the wallet has what was charged. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rechargeActivities } from '../../activities/wallet/recharges.ts';
import type { Context } from '../../src/context.ts';
import { auditWallets } from '../../src/db/wallet/ledger-audit.ts';
import { setAutoRecharge } from '../../src/db/wallet/auto-recharges.ts';
import { savePaymentMethod } from '../../src/db/wallet/payment-methods.ts';
import { getRecharge } from '../../src/db/wallet/recharges.ts';
import { findWallet } from '../../src/db/wallet/wallets.ts';
import type { Payments } from '../../src/providers/payments/port.ts';
import { fundWallet } from '../../src/services/wallet/wallet.ts';
import { insertRecharge } from '../../src/transactions/recharge-wallet.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { startTestSandbox, type TestSandbox } from '../support/vendors/sandbox.ts';
import { everyOf, stripePayments } from '../support/vendors/stripe-events.ts';
import { userWith } from '../support/wallet/wallet.ts';

type Needs = Parameters<typeof rechargeActivities>[0];

let database: TestDatabase;
let sandbox: TestSandbox;
let context: Needs & { payments: Payments };
beforeAll(async () => {
  [database, sandbox] = await Promise.all([createTestDatabase(), startTestSandbox({ pace: 20 })]);
  const config = { PROVIDER_TIMEOUT_SECONDS: 30, PROVIDER_LAG_SECONDS: 30 } as Context['config'];
  const clock = { now: () => new Date() };
  context = { db: database.db, payments: stripePayments(sandbox.url), config, clock };
});
afterAll(async () => {
  await sandbox?.remove();
  await database?.close();
});

/** The moments at which a process may die while it does one activity. */
const MOMENTS = [
  'before it looks',
  'before the note that it asks',
  'before the charge',
  'after the charge',
  'before the record',
  'after the record',
] as const;
type Moment = (typeof MOMENTS)[number];

class Death extends Error {}
const die = (): never => {
  throw new Death();
};

/** The tools of a process that dies then. */
function mortal(moment: Moment): Needs {
  const { db, payments } = context;
  let isCharged = false;
  const dying: Payments = {
    ...payments,
    async findCharge(rechargeId) {
      if (moment === 'before it looks') die();
      const found = await payments.findCharge(rechargeId);
      isCharged = found !== null;
      return found;
    },
    async chargeSaved(order) {
      if (moment === 'before the charge') die();
      const charge = await payments.chargeSaved(order);
      isCharged = true;
      if (moment === 'after the charge') die();
      return charge;
    },
  };
  const isLast = moment === 'before the record';
  if (!isLast && moment !== 'before the note that it asks') {
    return { ...context, payments: dying };
  }
  const noRecord = new Proxy(db, {
    get(target, key) {
      if (key === 'transaction' && isCharged === isLast) return die;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { ...context, payments: dying, db: noRecord };
}

/** Does one activity in a process that dies; `after the record` loses its answer only. */
async function killed(name: keyof Activities, rechargeId: number, moment: Moment) {
  const attempt = rechargeActivities(mortal(moment))[name]({ rechargeId });
  if (moment !== 'after the record') return attempt.catch((error: unknown) => error);
  return attempt.then(() => new Death());
}
type Activities = ReturnType<typeof rechargeActivities>;

/** A pending recharge of $20.00 of a user with a saved card, and no money. */
async function attempt() {
  const { db } = database;
  const userId = await userWith(db);
  const order = { userId, amountCents: 4_100, requestKey: userId, savesMethod: true };
  const config = { PUBLIC_URL: 'https://api.example.test' };
  const { sessionId } = await fundWallet({ ...context, config }, order);
  await sandbox.control('POST', `/payments/${sessionId}/pay`, { webhook: 'none' });
  const methods = await everyOf(context.payments.listSavedMethods(new Date(0)));
  const saved = methods.find((one) => one.userId === userId)!;
  const pace = { retryPace: 1, heartbeatSeconds: 30, blockedTimeoutSeconds: 60 };
  const operation = await db.transaction().execute(async (trx) => {
    await savePaymentMethod(trx, { ...saved, savedAt: new Date(saved.savedAt) });
    await setAutoRecharge(trx, userId, {
      thresholdCents: 5_000,
      amountCents: 2_000,
      monthlyLimitCents: 9_000,
    });
    return insertRecharge(trx, { userId, pace, now: new Date() });
  });
  const rechargeId = operation!.resource_id;
  const charges = async () => {
    const all = await everyOf(context.payments.listCharges(new Date(0)));
    return all.filter((one) => one.rechargeId === rechargeId).length;
  };
  const state = async () => ({
    charges: await charges(),
    cents: (await findWallet(db, userId)).availableCents,
    state: (await getRecharge(db, rechargeId)).state,
  });
  return { rechargeId, state };
}

const CHARGED = { charges: 1, cents: 2_000, state: 'succeeded' };
const NEVER = { charges: 0, cents: 0, state: 'failed' };

describe.each(MOMENTS)('a process that dies %s', (moment) => {
  const wasCharged = MOMENTS.indexOf(moment) > MOMENTS.indexOf('before the charge');

  it('in the charge is followed by one that charges once', async () => {
    const { rechargeId, state } = await attempt();
    expect(await killed('chargeRecharge', rechargeId, moment)).toBeInstanceOf(Death);
    const activities = rechargeActivities(context);
    await activities.settleRecharge({ rechargeId });
    expect(await activities.chargeRecharge({ rechargeId })).toEqual({ state: 'succeeded' });
    expect(await state()).toEqual(CHARGED);
  });

  it('in the charge is followed by an undo that keeps what was charged, and charges nothing', async () => {
    const { rechargeId, state } = await attempt();
    await killed('chargeRecharge', rechargeId, moment);
    const activities = rechargeActivities(context);
    await activities.abandonRecharge({ rechargeId });
    await activities.abandonRecharge({ rechargeId });
    expect(await state()).toEqual(wasCharged ? CHARGED : NEVER);
    expect(await auditWallets(database.db)).toEqual([]);
  });

  it.each(['settleRecharge', 'abandonRecharge'] as const)(
    'in %s after a lost answer loses nothing',
    async (name) => {
      const { rechargeId, state } = await attempt();
      await killed('chargeRecharge', rechargeId, 'after the charge');
      await killed(name, rechargeId, moment);
      await rechargeActivities(context)[name]({ rechargeId });
      expect(await state()).toEqual(CHARGED);
    },
  );
});
