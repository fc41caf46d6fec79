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
  });
  const about = (type: string, changes = {}) =>
    signedEvent(`checkout.session.${type}`, session(sessionId, userId, changes));
  return {
    userId,
    sessionId,
    about,
    paid: about('completed'),
    refunded: (cents: number) => signedEvent('charge.refunded', charge(paymentId, cents)),
    disputed: (cents: number, id = `dp_${sessionId}`) =>
      signedEvent('charge.dispute.created', dispute(paymentId, id, cents)),
  };
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

describe('refunds and disputes', () => {
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
    userId,
    paymentId: `pi_${sessionId}`,
  }),
});
