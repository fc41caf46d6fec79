/** Payments compared with the processor, both ways, where no webhook ever came. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createActivities, type Activities } from '../../activities/index.ts';
import { rechargeActivities } from '../../activities/wallet/recharges.ts';
import type { BookInput, BookResult } from '../../activities/reconcile/index.ts';
import type { Context } from '../../src/context.ts';
import { listOpenFindings } from '../../src/db/operations/findings.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { findAutoRecharge, setAutoRecharge } from '../../src/db/wallet/auto-recharges.ts';
import { savePaymentMethod } from '../../src/db/wallet/payment-methods.ts';
import { auditWallets } from '../../src/db/wallet/ledger-audit.ts';
import { applyRecharge, getRecharge } from '../../src/db/wallet/recharges.ts';
import { findWallet } from '../../src/db/wallet/wallets.ts';
import { forgetSavedCard } from '../../src/services/wallet/saved-card.ts';
import { fundWallet } from '../../src/services/wallet/wallet.ts';
import { insertRecharge } from '../../src/transactions/recharge-wallet.ts';
import { activityEnvironment } from '../support/workflows/activity-environment.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { createSandboxContext } from '../support/provisioning/provisioning-world.ts';
import { startTestSandbox, type TestSandbox } from '../support/vendors/sandbox.ts';
import { userWith } from '../support/wallet/wallet.ts';

const HOUR_MS = 3_600_000;
const words = { actor: 'operator:ann', reason: 'looked at' };
const BOOK = 'payments';

let database: TestDatabase;
let sandbox: TestSandbox;
let context: Context & { close(): Promise<void> };
let activities: Activities;
let userId: string;

beforeAll(async () => {
  [database, sandbox] = await Promise.all([createTestDatabase(), startTestSandbox({ pace: 20 })]);
  context = createSandboxContext(database, sandbox, '127.0.0.1:9', {
    environment: {
      STRIPE_SECRET_KEY: 'sk_test_sandbox',
      STRIPE_WEBHOOK_SECRET: 'whsec_sandbox',
      STRIPE_URL: sandbox.url,
    },
  });
  activities = createActivities(context);
});
beforeEach(async () => {
  userId = await userWith(database.db);
  context.clock.now = () => new Date(Date.now() + HOUR_MS);
});
afterAll(async () => {
  await context?.close();
  await sandbox?.remove();
  await database?.close();
});

const compare = (heal: 'none' | 'safe' = 'safe', list = activities): Promise<BookResult> =>
  activityEnvironment().run((given: BookInput) => list.compareBook(given), {
    book: BOOK,
    heal,
    words,
  });
const begin = async (amountCents = 4_100) => {
  const requestKey = `${userId}-${amountCents}-${Math.random()}`;
  return (await fundWallet(context, { userId, amountCents, requestKey })).sessionId;
};
/** No webhook is sent. */
const at = async (sessionId: string, verb: string, more: object = {}) => {
  const body = { webhook: 'none', ...more };
  const { status } = await sandbox.control('POST', `/payments/${sessionId}/${verb}`, body);
  expect(status).toBe(200);
};
const available = async () => (await findWallet(database.db, userId)).availableCents;
async function* none() {
  yield [];
}
const open = async () => (await listOpenFindings(database.db)).filter(({ book }) => book === BOOK);

describe('what was paid and never credited', () => {
  it('is credited once, however often it is compared', async () => {
    const sessionId = await begin();
    await at(sessionId, 'pay');
    expect(await compare('none')).toMatchObject({ found: 1, healed: 0 });
    expect(await open()).toMatchObject([
      { kind: 'uncredited_payment', subject: sessionId, detail: { amountCents: 4_100, userId } },
    ]);
    expect(await compare()).toMatchObject({ found: 1, healed: 1 });
    expect(await compare()).toMatchObject({ found: 0 });
    expect([await available(), await open()]).toEqual([4_100, []]);
  });

  it('is credited where the process died before it wrote the session down', async () => {
    const order = { userId, amountCents: 4_100, key: userId, returnUrl: 'https://a.test' };
    const { sessionId } = await context.payments!.createCheckout(order);
    await at(sessionId, 'pay');
    expect(await compare()).toMatchObject({ healed: 1 });
    expect(await available()).toBe(4_100);
  });

  it('is left alone while its event may be under way, and while it is open', async () => {
    context.clock.now = () => new Date();
    await at(await begin(), 'pay');
    await begin();
    expect(await compare()).toMatchObject({ found: 0 });
  });
});

describe('what went back and nobody was told of', () => {
  it('refunds, failed refunds, withdrawn and won disputes are applied', async () => {
    const sessionId = await begin();
    await at(sessionId, 'pay');
    await compare();
    await at(sessionId, 'refund', { amountCents: 1_000 });
    expect(await compare()).toMatchObject({ found: 1, healed: 1 });
    expect(await available()).toBe(3_100);
    await at(sessionId, 'refund-failed');
    await compare();
    expect(await available()).toBe(4_100);
    await at(sessionId, 'dispute');
    await compare();
    expect(await available()).toBe(0);
    await at(sessionId, 'dispute-won');
    await compare();
    expect(await available()).toBe(4_100);
    expect(await compare()).toMatchObject({ found: 0 });
    expect(await auditWallets(database.db)).toEqual([]);
  });

  it('an inquiry is nothing', async () => {
    const sessionId = await begin();
    await at(sessionId, 'pay');
    await compare();
    await at(sessionId, 'inquiry');
    expect(await compare()).toMatchObject({ found: 0 });
  });
});

describe('what is not clear', () => {
  it('a credit for a session that the processor does not show as paid is for a person', async () => {
    const sessionId = await begin();
    await at(sessionId, 'pay');
    await compare();
    const payments = { ...context.payments!, listCheckouts: () => none() };
    const blind = createActivities({ ...context, payments });
    const compared = await compare('safe', blind);
    expect(compared).toMatchObject({ healed: 0 });
    const mine = (await open()).filter(({ subject }) => subject === sessionId);
    expect(mine).toMatchObject([
      { kind: 'unpaid_credit', detail: { userId, creditedCents: 4_100 } },
    ]);
    expect(await available()).toBe(4_100);
  });

  it('a list that breaks off is no whole one: nothing is found missing, and the failure is written down', async () => {
    const sessionId = await begin();
    await at(sessionId, 'pay');
    await compare();
    const { payments } = context;
    async function* broken() {
      yield [];
      throw new ProviderError('unavailable', 'stripe: no answer', { provider: 'stripe' });
    }
    const cut = createActivities({
      ...context,
      payments: { ...payments!, listCheckouts: () => broken() },
    });
    expect(await compare('safe', cut)).toMatchObject({ failed: true, found: 0 });
    expect((await open()).filter(({ subject }) => subject === sessionId)).toEqual([]);
  });

  it.each(['listCheckouts', 'listCharges', 'listSavedMethods', 'listRefunds', 'listDisputes'])(
    '%s is read no further once the comparison is cancelled, as at its time limit',
    async (list) => {
      const environment = activityEnvironment();
      let pages = 0;
      async function* endless() {
        for (;;) {
          pages += 1;
          if (pages === 2) environment.cancel();
          if (pages === 4) throw new Error('it reads on');
          yield [];
        }
      }
      const payments = { ...context.payments!, [list]: () => endless() };
      const cut = createActivities({ ...context, payments });
      const given = { book: BOOK, heal: 'none', words } as const;
      await expect(environment.run(() => cut.compareBook(given))).rejects.toThrow('CANCELLED');
      expect(pages).toBe(2);
    },
  );

  it('what is on a later page is paid all the same, credited or not', async () => {
    const paid = [await begin(), await begin(4_200), await begin(4_300)];
    for (const sessionId of paid) await at(sessionId, 'pay');
    await compare();
    const late = await begin(4_400);
    await at(late, 'pay');
    async function* oneByOne<T>(pages: AsyncIterable<T[]>) {
      for await (const page of pages) for (const one of page) yield [one];
    }
    const { payments } = context;
    const listCheckouts = (since: Date) => oneByOne(payments!.listCheckouts(since));
    const paging = createActivities({ ...context, payments: { ...payments!, listCheckouts } });
    expect(await compare('safe', paging)).toMatchObject({ found: 1, healed: 1 });
    expect(await available()).toBe(4_100 + 4_200 + 4_300 + 4_400);
    const subjects = (await open()).map(({ subject }) => subject);
    expect(subjects.filter((one) => [...paid, late].includes(one))).toEqual([]);
  });

  it('a processor that does not answer is written down, and nothing is closed', async () => {
    await sandbox.control('POST', '/faults', { vendor: 'stripe', kind: 'error_500' });
    expect(await compare()).toMatchObject({ failed: true });
    await sandbox.control('DELETE', '/faults');
  });
});

describe('a card that its payer let the processor keep', () => {
  const method = () =>
    database.db
      .selectFrom('payment_methods')
      .select(['payment_method_id', 'forgotten_at'])
      .where('user_id', '=', userId)
      .executeTakeFirst();
  const save = async () => {
    const requestKey = `${userId}-${Math.random()}`;
    const order = { userId, amountCents: 4_100, requestKey, savesMethod: true };
    await at((await fundWallet(context, order)).sessionId, 'pay');
  };

  it('and of which nobody was told is known, once', async () => {
    await save();
    expect(await compare('none')).toMatchObject({ found: 2, healed: 0 });
    const unsaved = (await open()).find(({ kind }) => kind === 'unsaved_card');
    expect(unsaved).toMatchObject({ subject: expect.stringMatching(/^pm_/), detail: { userId } });
    expect(await method()).toBeUndefined();
    expect(await compare()).toMatchObject({ found: 2, healed: 2 });
    expect(await method()).toEqual({ payment_method_id: unsaved!.subject, forgotten_at: null });
    expect(await compare()).toMatchObject({ found: 0 });
  });

  it('and that they had forgotten stays so, until another one is kept', async () => {
    await save();
    await compare();
    const first = (await method())!.payment_method_id;
    const clock = { now: () => new Date() };
    await forgetSavedCard({ ...context, clock }, userId);
    expect(await compare()).toMatchObject({ found: 0 });
    expect((await method())!.forgotten_at).not.toBeNull();
    await save();
    expect(await compare()).toMatchObject({ found: 2, healed: 2 });
    const second = (await method())!;
    expect(second.forgotten_at).toBeNull();
    expect(second.payment_method_id).not.toBe(first);
  });
});

describe('a charge of a saved card', () => {
  /** An attempt of $20.00; nothing of its payment is told. */
  async function attempt() {
    const requestKey = `${userId}-${Math.random()}`;
    const order = { userId, amountCents: 4_100, requestKey, savesMethod: true };
    const { sessionId } = await fundWallet(context, order);
    await at(sessionId, 'pay');
    await compare();
    const books = await sandbox.control('GET', '/books');
    const { methods } = (books.body as { payments: { methods: Method[] } }).payments;
    const { id: paymentMethodId, customerId } = methods.at(-1)!;
    const pace = { retryPace: 1, heartbeatSeconds: 30, blockedTimeoutSeconds: 60 };
    const operation = await database.db.transaction().execute(async (trx) => {
      await savePaymentMethod(trx, { userId, customerId, paymentMethodId, savedAt: new Date() });
      const settings = { thresholdCents: 5_000, amountCents: 2_000, monthlyLimitCents: 9_000 };
      await setAutoRecharge(trx, userId, settings);
      return insertRecharge(trx, { userId, pace, now: new Date() });
    });
    const rechargeId = operation!.resource_id;
    const card = (kind: string) =>
      sandbox.control('POST', `/payment-methods/${paymentMethodId}`, { card: kind });
    const key = `recharge:${rechargeId}`;
    const { charge_key: chargeKey } = await getRecharge(database.db, rechargeId);
    const pay = (ofKey = chargeKey) =>
      context.payments!.chargeSaved({
        rechargeId,
        chargeKey: ofKey,
        userId,
        amountCents: 2_000,
        customerId,
        paymentMethodId,
        key: `${key}:${ofKey}`,
      });
    return { rechargeId, chargeKey, card, pay, row: () => getRecharge(database.db, rechargeId) };
  }

  it('that was never told is credited once', async () => {
    const { pay, row } = await attempt();
    const { paymentId } = await pay();
    expect(await compare('none')).toMatchObject({ found: 1, healed: 0 });
    expect(await open()).toMatchObject([{ kind: 'uncredited_payment', subject: paymentId }]);
    expect(await compare()).toMatchObject({ found: 1, healed: 1 });
    expect(await compare()).toMatchObject({ found: 0 });
    expect([await available(), (await row()).state]).toEqual([6_100, 'succeeded']);
    expect(await auditWallets(database.db)).toEqual([]);
  });

  it('that failed unseen ends its attempt, and is tried no more', async () => {
    const { card, pay, row } = await attempt();
    await card('insufficient_funds');
    await pay();
    expect(await compare()).toMatchObject({ found: 1, healed: 1 });
    expect(await row()).toMatchObject({ state: 'failed', failure_reason: 'card_declined' });
    expect(await compare()).toMatchObject({ found: 0 });
    expect(await available()).toBe(4_100);
  });

  it('whose answer was lost is found when its operation is given up', async () => {
    const { pay, rechargeId, row } = await attempt();
    await pay();
    await rechargeActivities(context).abandonRecharge({ rechargeId });
    expect([await available(), (await row()).state]).toEqual([6_100, 'succeeded']);
    expect(await rechargeActivities(context).chargeRecharge({ rechargeId })).toEqual({
      state: 'succeeded',
    });
    expect(await available()).toBe(6_100);
  });

  it('that went back unseen is taken back, and stops the recharges', async () => {
    const { pay } = await attempt();
    const { paymentId } = await pay();
    await compare();
    await at(paymentId!, 'refund', { amountCents: 500 });
    expect(await compare()).toMatchObject({ found: 1, healed: 1 });
    expect(await available()).toBe(5_600);
    expect(await findAutoRecharge(database.db, userId)).toMatchObject({
      stop_reason: 'payment_reversed',
    });
  });

  it('of which the processor knows nothing is for a person', async () => {
    const { rechargeId, chargeKey } = await attempt();
    const paymentId = `pi_none_${rechargeId}`;
    const facts = { rechargeId, chargeKey, userId, paymentId, amountCents: 2_000 };
    await database.db
      .transaction()
      .execute((trx) =>
        applyRecharge(trx, { ...facts, currency: 'usd', status: 'succeeded', failure: null }),
      );
    expect(await compare()).toMatchObject({ found: 1, healed: 0 });
    expect(await open()).toMatchObject([{ kind: 'unpaid_credit', subject: facts.paymentId }]);
  });

  // What it leaves at the processor is found by every later comparison: it stands last.
  it('of a row that was lost, whose id was given out again, is for a person and nobody else gets it', async () => {
    const { found: others } = await compare('none');
    const { pay, row } = await attempt();
    const lost = await pay('0123456789abcdef');
    expect(await compare()).toMatchObject({ found: others + 1, healed: 0 });
    const finding = { kind: 'uncredited_payment', subject: lost.paymentId };
    expect(await open()).toContainEqual(expect.objectContaining(finding));
    await pay();
    expect(await compare()).toMatchObject({ found: others + 2, healed: 1 });
    expect([await available(), (await row()).state]).toEqual([6_100, 'succeeded']);
    expect(await row()).toMatchObject({ mismatch: null });
  });
});

interface Method {
  id: string;
  customerId: string;
}
