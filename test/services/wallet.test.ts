/** Payment events in every order, twice and at once: what a session is credited, what comes back. */
import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertCheckout } from '../../src/db/wallet/checkouts.ts';
import { captureHold, hold } from '../../src/db/wallet/ledger.ts';
import { auditWallets } from '../../src/db/wallet/ledger-audit.ts';
import { findWallet } from '../../src/db/wallet/wallets.ts';
import { receivePaymentEvent, verifyCheckout } from '../../src/services/wallet/wallet.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import {
  charge,
  dispute,
  refund,
  session,
  signedEvent,
  stripePayments,
  type SignedEvent,
} from '../support/vendors/stripe-events.ts';
import { movement, userWith } from '../support/wallet/wallet.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.close());

const payments = stripePayments();
const receive = (event: SignedEvent) =>
  receivePaymentEvent({ db: database.db, payments, logger: pino({ level: 'silent' }) }, event);

const receiveAll = async (events: SignedEvent[]) => {
  for (const event of events) await receive(event);
};

const balances = async (userId: string) => {
  const { availableCents, heldCents, owedCents } = await findWallet(database.db, userId);
  return [availableCents, heldCents, owedCents];
};

let last = 0;

/** A user with an open checkout of $41.00, and the events that Stripe may send about it. */
async function openCheckout() {
  last += 1;
  const userId = await userWith(database.db);
  const sessionId = `cs_test_${last}`;
  const paymentId = `pi_${sessionId}`;
  await insertCheckout(database.db, {
    sessionId,
    userId,
    amountCents: 4_100,
    status: 'open',
    paymentStatus: 'unpaid',
    paymentId: null,
    currency: 'usd',
    askedCents: 4_100,
  });
  const about = (type: string, changes: Parameters<typeof session>[2] = {}) =>
    signedEvent(`checkout.session.${type}`, session(sessionId, userId, changes));
  return {
    userId,
    sessionId,
    about,
    paid: about('completed'),
    refunded: (cents: number) => signedEvent('charge.refunded', charge(paymentId, cents)),
    refund: (type: string, cents: number, status = 'succeeded', id = `re_${sessionId}`) =>
      signedEvent(type, refund(paymentId, id, cents, status)),
    aboutDispute: (type: string, cents = 4_100) =>
      signedEvent(`charge.dispute.${type}`, dispute(paymentId, `dp_${sessionId}`, cents)),
    disputed: (cents: number, id = `dp_${sessionId}`) =>
      signedEvent('charge.dispute.funds_withdrawn', dispute(paymentId, id, cents)),
  };
}

type Checkout = Awaited<ReturnType<typeof openCheckout>>;

/** Every order of all of them. */
function ordersOf<T>(all: readonly T[]): T[][] {
  if (all.length <= 1) return [[...all]];
  return all.flatMap((one, at) => ordersOf(all.toSpliced(at, 1)).map((rest) => [one, ...rest]));
}

const unpaid = { payment_status: 'unpaid' };

describe('a checkout session', () => {
  it('is credited once, however often and under how many event ids it is told', async () => {
    const { userId, paid, about } = await openCheckout();
    await receiveAll([paid, paid, about('completed'), about('async_payment_succeeded')]);
    expect(await balances(userId)).toEqual([4_100, 0, 0]);
  });

  it('is credited once by twenty webhooks and verifications at the same time', async () => {
    const { userId, sessionId, about } = await openCheckout();
    const verify = () =>
      verifyCheckout({ db: database.db, payments: knowing(userId) }, { userId, sessionId });
    const events = Array.from({ length: 10 }, () => about('completed'));
    await Promise.all(events.flatMap((event) => [receive(event), verify()]));
    expect(await balances(userId)).toEqual([4_100, 0, 0]);
  });

  it('that is complete but unpaid is credited only when the payment succeeds', async () => {
    const { userId, about } = await openCheckout();
    await receive(about('completed', unpaid));
    expect(await balances(userId)).toEqual([0, 0, 0]);
    await receive(about('async_payment_succeeded'));
    await receive(about('completed', unpaid));
    expect(await balances(userId)).toEqual([4_100, 0, 0]);
  });

  it('whose payment failed, or that expired, is never credited', async () => {
    const { userId, about } = await openCheckout();
    await receiveAll([about('async_payment_failed', unpaid)]);
    const other = await openCheckout();
    await receive(other.about('expired', { ...unpaid, status: 'expired', payment_intent: null }));
    expect(await balances(userId)).toEqual([0, 0, 0]);
    expect(await balances(other.userId)).toEqual([0, 0, 0]);
  });

  it('that we forgot (we died after making it) is credited to the user it names', async () => {
    const userId = await userWith(database.db);
    await receive(signedEvent('checkout.session.completed', session('cs_test_lost', userId)));
    expect(await balances(userId)).toEqual([4_100, 0, 0]);
  });

  it('that is not ours, or of nobody here, is credited to nobody', async () => {
    const userId = await userWith(database.db);
    const { sessionId } = await openCheckout();
    const completed = 'checkout.session.completed';
    await receiveAll([
      signedEvent(completed, session('cs_test_shop', userId, { metadata: { shop: 'yes' } })),
      signedEvent(completed, session('cs_test_nobody', 'nobody-here')),
      signedEvent(completed, session(sessionId, userId)),
    ]);
    expect(await balances(userId)).toEqual([0, 0, 0]);
    const unmatched = await database.db
      .selectFrom('payment_events')
      .select('event_id')
      .where('outcome', '=', 'unmatched')
      .execute();
    expect(unmatched).toHaveLength(3);
  });
});

describe('a payment that is not what was asked for', () => {
  const nothingAsked = { purpose: 'outreach_wallet' };
  it.each([
    ['of another amount', { amount_total: 4_000 }, 'paid 4000, asked for 4100'],
    ['in another currency', { currency: 'eur' }, 'paid in eur'],
    ['of a session that nobody here asked for', { metadata: nothingAsked }, 'asked for nothing'],
  ])('%s is not credited, and is a finding until it is given back', async (_what, changes, why) => {
    const { userId, sessionId, about, refunded } = await openCheckout();
    const isUnasked = 'metadata' in changes;
    if (isUnasked) {
      const row = database.db.updateTable('checkouts').where('session_id', '=', sessionId);
      await row.set({ asked_cents: null }).execute();
    }
    await receiveAll([about('completed', changes), about('async_payment_succeeded', changes)]);
    expect(await balances(userId)).toEqual([0, 0, 0]);
    const found = async () =>
      (await auditWallets(database.db)).filter(({ subject }) => subject === sessionId);
    expect(await found()).toMatchObject([{ check: expect.stringContaining(why), expected: 0 }]);
    await receive(refunded(4_100));
    expect(await found()).toEqual([]);
    expect(await balances(userId)).toEqual([0, 0, 0]);
  });
});

describe('refunds and disputes', () => {
  it('an inquiry takes nothing, whatever becomes of it', async () => {
    const { userId, paid, aboutDispute } = await openCheckout();
    await receiveAll([
      paid,
      aboutDispute('created'),
      aboutDispute('updated'),
      aboutDispute('closed'),
    ]);
    expect(await balances(userId)).toEqual([4_100, 0, 0]);
  });

  it('a won dispute gives back what it took; what was spent meanwhile is settled first', async () => {
    const { userId, paid, aboutDispute } = await openCheckout();
    await receive(paid);
    await database.db.transaction().execute(async (trx) => {
      const { holdId } = await hold(trx, movement(userId, 1_600));
      const capture = { operationKey: `${userId}:capture`, description: 'Domain' };
      await captureHold(trx, { holdId, amountCents: 1_600, ...capture });
    });
    await receiveAll([aboutDispute('created'), aboutDispute('funds_withdrawn')]);
    expect(await balances(userId)).toEqual([0, 0, 1_600]);
    await receiveAll([aboutDispute('closed'), aboutDispute('funds_reinstated')]);
    expect(await balances(userId)).toEqual([2_500, 0, 0]);
  });

  it('a failed refund gives back what it took, and a later one takes again', async () => {
    const { userId, paid, refunded, refund: about } = await openCheckout();
    await receiveAll([paid, about('refund.created', 1_000), refunded(1_000)]);
    expect(await balances(userId)).toEqual([3_100, 0, 0]);
    await receiveAll([
      about('refund.updated', 1_000, 'failed'),
      about('refund.failed', 1_000, 'failed'),
    ]);
    expect(await balances(userId)).toEqual([4_100, 0, 0]);
    const second = about('refund.created', 1_000, 'pending', `re_${userId}`);
    await receiveAll([second, refunded(1_000)]);
    expect(await balances(userId)).toEqual([3_100, 0, 0]);
  });

  /** Each with what it says: which of them have come decides, not when. */
  const FACTS = {
    paid: (one: Checkout) => one.paid,
    'refund 1 begins': (one: Checkout) => one.refund('refund.created', 1_000, 'pending'),
    'refund 1 is counted': (one: Checkout) => one.refunded(1_000),
    'refund 1 fails': (one: Checkout) => one.refund('refund.failed', 1_000, 'failed'),
    'both are counted': (one: Checkout) => one.refunded(1_700),
    'refund 2 begins': (one: Checkout) =>
      one.refund('charge.refund.updated', 700, 'succeeded', `re_2_${one.sessionId}`),
    disputed: (one: Checkout) => one.aboutDispute('created'),
    withdrawn: (one: Checkout) => one.aboutDispute('funds_withdrawn', 2_000),
    reinstated: (one: Checkout) => one.aboutDispute('funds_reinstated', 2_000),
    unknown: (one: Checkout) => one.aboutDispute('something_new'),
  } satisfies Record<string, (one: Checkout) => SignedEvent>;
  type Fact = keyof typeof FACTS;

  function leftAfter(facts: readonly Fact[]): number {
    const has = (fact: Fact) => facts.includes(fact);
    if (!has('paid')) return 0;
    const failed = has('refund 1 fails') ? 1_000 : 0;
    const first = (has('refund 1 begins') || has('refund 1 fails')) && failed === 0 ? 1_000 : 0;
    const known = first + (has('refund 2 begins') ? 700 : 0);
    const counted = has('both are counted') ? 1_700 : has('refund 1 is counted') ? 1_000 : 0;
    const withdrawn = has('withdrawn') && !has('reinstated') ? 2_000 : 0;
    return 4_100 - Math.min(4_100, Math.max(known, counted - failed) + withdrawn);
  }

  it.each<Fact[]>([
    ['paid', 'refund 1 begins', 'refund 1 is counted', 'refund 1 fails', 'unknown'],
    ['paid', 'refund 1 begins', 'refund 2 begins', 'both are counted', 'refund 1 fails'],
    ['paid', 'refund 1 is counted', 'both are counted', 'refund 1 fails', 'withdrawn'],
    ['paid', 'disputed', 'withdrawn', 'reinstated', 'refund 1 is counted'],
    ['paid', 'withdrawn', 'reinstated', 'refund 2 begins', 'both are counted'],
    ['refund 1 is counted', 'refund 1 fails', 'disputed', 'withdrawn', 'unknown'],
  ])('end alike in every order: %s, %s, %s, %s, %s', async (...facts) => {
    for (const order of ordersOf(facts)) {
      const checkout = await openCheckout();
      for (const [at, fact] of order.entries()) {
        await receive(FACTS[fact](checkout));
        const left = leftAfter(order.slice(0, at + 1));
        const told = order.slice(0, at + 1).join(', ');
        expect([told, ...(await balances(checkout.userId))]).toEqual([told, left, 0, 0]);
      }
    }
    expect(await auditWallets(database.db)).toEqual([]);
  });

  it('take back the difference to what was taken for that payment before', async () => {
    const { userId, paid, refunded } = await openCheckout();
    await receiveAll([paid, refunded(1_000), refunded(1_000)]);
    expect(await balances(userId)).toEqual([3_100, 0, 0]);
    await receiveAll([refunded(1_500), refunded(1_000)]);
    expect(await balances(userId)).toEqual([2_600, 0, 0]);
  });

  it('a dispute of a refunded payment takes only the rest', async () => {
    const { userId, paid, refunded, disputed } = await openCheckout();
    await receiveAll([paid, refunded(1_000), disputed(4_100), refunded(4_100)]);
    expect(await balances(userId)).toEqual([0, 0, 0]);
  });

  it('of money that was spent is owed, and held money goes on working', async () => {
    const { userId, paid, disputed } = await openCheckout();
    await receive(paid);
    await database.db.transaction().execute(async (trx) => {
      const { holdId } = await hold(trx, movement(userId, 3_000));
      const capture = { operationKey: `${userId}:capture`, description: 'Domain' };
      await captureHold(trx, { holdId, amountCents: 1_600, ...capture });
    });
    await receive(disputed(4_100));
    expect(await balances(userId)).toEqual([0, 1_400, 3_000]);
    const next = session(`cs_test_next_${userId}`, userId, { amount_total: 5_000 });
    await receive(signedEvent('checkout.session.completed', next));
    expect(await balances(userId)).toEqual([2_000, 1_400, 0]);
  });

  it('end the same in every order, repeated and at once, also before the credit', async () => {
    const choice = fc.record({
      refunds: fc.uniqueArray(fc.integer({ min: 1, max: 4_100 }), { maxLength: 3 }),
      disputes: fc.array(fc.integer({ min: 1, max: 4_100 }), { maxLength: 2 }),
      repeats: fc.integer({ min: 1, max: 3 }),
      atOnce: fc.boolean(),
      order: fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
    });
    await fc.assert(
      fc.asyncProperty(choice, async ({ refunds, disputes, repeats, atOnce, order }) => {
        const checkout = await openCheckout();
        const told = [
          checkout.paid,
          ...refunds.map((cents) => checkout.refunded(cents)),
          ...disputes.map((cents, i) => checkout.disputed(cents, `dp_${checkout.sessionId}_${i}`)),
        ];
        const events = Array.from({ length: repeats }, () => told)
          .flat()
          .map((event) => ({ event, rank: order.next().value }))
          .toSorted((a, b) => a.rank - b.rank)
          .map(({ event }) => event);
        if (atOnce) await Promise.all(events.map(receive));
        else await receiveAll(events);
        const reversed = Math.max(0, ...refunds) + disputes.reduce((sum, cents) => sum + cents, 0);
        const left = 4_100 - Math.min(4_100, reversed);
        expect(await balances(checkout.userId)).toEqual([left, 0, 0]);
      }),
      { numRuns: 25 },
    );
    expect(await auditWallets(database.db)).toEqual([]);
  });
});

/** Stripe's answer to a look-up, without a Stripe: the adapter's own tests ask a server. */
const knowing = (userId: string) => ({
  ...payments,
  findCheckout: async (sessionId: string) => ({
    sessionId,
    url: null,
    status: 'complete' as const,
    paymentStatus: 'paid' as const,
    amountCents: 4_100,
    currency: 'usd',
    askedCents: 4_100,
    userId,
    paymentId: `pi_${sessionId}`,
  }),
});
