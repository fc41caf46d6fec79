/** The Stripe adapter against the stand-in: every request and every answer fits Stripe's own spec. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { payments } from '../../../src/providers/payments/index.ts';
import type { Payments } from '../../../src/providers/payments/port.ts';
import { startMailWorld, type MailWorld } from '../../support/mail/mail-world.ts';
import { checkCalls } from '../../support/vendors/provider-calls.ts';
import { STRIPE_DEVIATIONS } from '../../support/vendors/provider-deviations.ts';
import { everyOf } from '../../support/vendors/stripe-events.ts';
import { specMissing } from '../../support/vendors/provider-spec.ts';

let world: MailWorld;
let stripe: Payments;

beforeAll(async () => {
  world = await startMailWorld();
  const state = payments.stripe.configure({
    STRIPE_SECRET_KEY: 'sk_test_sandbox',
    STRIPE_WEBHOOK_SECRET: 'whsec_contract',
    STRIPE_URL: world.sandbox().url,
  });
  if (state.state !== 'on') throw new Error('not configured');
  stripe = state.create({ timeoutMs: 3_000, outboundProxy: undefined });
});
afterAll(() => world.close());

describe('the wire of the Stripe adapter', () => {
  const missing = specMissing('stripe.json');
  it.skipIf(missing)(
    `fits the vendor's spec both ways${missing ? ` (${missing})` : ''}`,
    async () => {
      const order = {
        userId: 'user-1',
        amountCents: 4_100,
        key: 'key-1',
        returnUrl: 'http://127.0.0.1:3000/docs',
      };
      const made = await stripe.createCheckout(order);
      expect((await stripe.createCheckout(order)).sessionId).toBe(made.sessionId);
      expect(await stripe.findCheckout(made.sessionId)).toMatchObject({ status: 'open' });
      await world.control('POST', `/payments/${made.sessionId}/pay`, { webhook: 'none' });
      expect(await stripe.findCheckout(made.sessionId)).toMatchObject({ paymentStatus: 'paid' });
      expect(await stripe.findCheckout('cs_test_none')).toBeNull();
      const saving = await stripe.createCheckout({ ...order, key: 'key-2', savesMethod: true });
      await world.control('POST', `/payments/${saving.sessionId}/pay`, { webhook: 'none' });
      const books = await world.control('GET', '/books');
      const { methods } = (books.body as Books).payments;
      const { id: paymentMethodId, customerId } = methods.at(-1)!;
      const named = { rechargeId: 7, chargeKey: '0123456789abcdef' };
      const recharge = { ...named, userId: 'user-1', amountCents: 2_000, key: 'key-3' };
      const since = new Date(Date.now() - 60_000);
      const find = (of = named) => stripe.findCharge({ ...of, customerId, since });
      expect(await find()).toBeNull();
      const charge = await stripe.chargeSaved({ ...recharge, customerId, paymentMethodId });
      expect(charge).toMatchObject({ status: 'succeeded', rechargeId: 7, userId: 'user-1' });
      expect(await find()).toMatchObject(charge);
      // One of the same id, whose row was lost.
      expect(await find({ ...named, chargeKey: 'fedcba9876543210' })).toBeNull();
      expect(await everyOf(stripe.listCharges(since))).toMatchObject([charge]);
      const spec = { file: 'stripe.json', deviations: STRIPE_DEVIATIONS };
      const checked = await checkCalls(world, 'stripe', spec);
      expect(checked?.calls).toBe(11);
      expect(checked?.problems).toEqual([]);
    },
  );
});

interface Books {
  payments: { methods: { id: string; customerId: string }[] };
}
