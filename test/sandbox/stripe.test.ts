/** The Stripe stand-in with the official client: sessions, the page, webhooks, refunds. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import Stripe from 'stripe';
import { startTestSandbox, WEBHOOK_SECRET, type TestSandbox } from '../support/vendors/sandbox.ts';

/** An API that takes webhooks, refusing the first `refusals` of them. */
interface Receiver {
  url: string;
  events: Stripe.Event[];
  refusals: number;
  server: Server;
}

let receiver: Receiver;
let sandbox: TestSandbox;
beforeEach(async () => {
  receiver = await startReceiver();
  sandbox = await startTestSandbox({ pace: 50, webhookUrl: receiver.url });
});
afterEach(async () => {
  await sandbox.remove();
  receiver.server.close();
});

const order: Stripe.Checkout.SessionCreateParams = {
  mode: 'payment',
  line_items: [
    {
      quantity: 1,
      price_data: { currency: 'usd', unit_amount: 4_100, product_data: { name: 'Wallet <b>' } },
    },
  ],
  success_url: 'http://127.0.0.1:3000/done?session={CHECKOUT_SESSION_ID}',
};
const open = () => sandbox.stripe.checkout.sessions.create(order);
const pay = (id: string, webhook = 'once') =>
  sandbox.control('POST', `/payments/${id}/pay`, { webhook });
const types = () => receiver.events.map((event) => event.type);

describe('a checkout session', () => {
  it('is made once for one idempotency key; the key with other parameters is refused', async () => {
    const options = { idempotencyKey: 'key-1' };
    const first = await sandbox.stripe.checkout.sessions.create(order, options);
    sandbox = await sandbox.restart();
    const second = await sandbox.stripe.checkout.sessions.create(order, options);
    expect(second.id).toBe(first.id);
    expect(second.lastResponse.headers['idempotent-replayed']).toBe('true');
    const other = { ...order, client_reference_id: 'user-2' };
    await expect(sandbox.stripe.checkout.sessions.create(other, options)).rejects.toMatchObject({
      type: 'StripeIdempotencyError',
      statusCode: 400,
    });
  });

  it('refuses less than $0.50, unknown parameters, and what is missing, by name', async () => {
    const { sessions } = sandbox.stripe.checkout;
    const cheap = structuredClone(order);
    cheap.line_items![0]!.price_data!.unit_amount = 49;
    await expect(sessions.create(cheap)).rejects.toMatchObject({ code: 'amount_too_small' });
    const odd = { ...order, colour: 'red' };
    await expect(sessions.create(odd)).rejects.toMatchObject({ code: 'parameter_unknown' });
    const { success_url: _, ...rest } = order;
    await expect(sessions.create(rest)).rejects.toMatchObject({
      code: 'parameter_missing',
      param: 'success_url',
    });
  });

  it('is paid by the button of its page, which works without JavaScript', async () => {
    const session = await open();
    const page = await (await fetch(session.url!)).text();
    expect(page).toContain('Pay $41.00');
    expect(page).toContain('Wallet &#60;b&#62;');
    const action = /<form method="post" action="([^"]+)">/.exec(page)![1]!;
    const answer = await fetch(new URL(action, sandbox.url), {
      method: 'POST',
      headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
      redirect: 'manual',
    });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe(`http://127.0.0.1:3000/done?session=${session.id}`);
    const paid = await sandbox.stripe.checkout.sessions.retrieve(session.id);
    expect(paid).toMatchObject({ status: 'complete', payment_status: 'paid', url: null });
    expect((await pay(session.id)).status).toBe(409);
  });

  it('401 for another key', async () => {
    const { hostname, port } = new URL(sandbox.url);
    const stranger = new Stripe('sk_test_other', { host: hostname, port, protocol: 'http' });
    await expect(stranger.checkout.sessions.list()).rejects.toMatchObject({ statusCode: 401 });
  });
});

describe('a webhook', () => {
  it('carries a signature that the official client accepts', async () => {
    const session = await open();
    await pay(session.id);
    expect(types()).toEqual(['checkout.session.completed']);
    expect(receiver.events[0]!.data.object).toMatchObject({ id: session.id });
  });

  it('is repeated with the same event until the API answers 2xx', async () => {
    receiver.refusals = 3;
    await pay((await open()).id);
    await expect.poll(() => receiver.events.length).toBe(4);
    expect(new Set(receiver.events.map((event) => event.id)).size).toBe(1);
    const { body } = await sandbox.control('GET', '/books');
    await expect
      .poll(async () => (await sandbox.control('GET', '/books')).body.payments.webhooks[0].state)
      .toBe('delivered');
    expect(body.payments.webhooks).toHaveLength(1);
  });

  it('none, twice and late do what they say', async () => {
    await pay((await open()).id, 'none');
    expect(receiver.events).toHaveLength(0);
    await pay((await open()).id, 'twice');
    expect(receiver.events).toHaveLength(2);
    expect(receiver.events[0]!.id).toBe(receiver.events[1]!.id);
    const began = performance.now();
    await pay((await open()).id, 'late');
    await expect.poll(() => receiver.events.length).toBe(3);
    // Ten seconds at fifty times the pace.
    expect(performance.now() - began).toBeGreaterThan(190);
  });

  it('that is pending when the sandbox ends is sent by the next one', async () => {
    receiver.refusals = 1;
    const slow = await startTestSandbox({ webhookUrl: receiver.url });
    const session = await slow.stripe.checkout.sessions.create(order);
    await slow.control('POST', `/payments/${session.id}/pay`);
    const next = await slow.restart();
    await expect.poll(() => receiver.events.length).toBe(2);
    await next.remove();
  });
});

describe('money going back', () => {
  it('counts refunds cumulatively, up to the whole', async () => {
    const session = await open();
    await pay(session.id);
    const refund = (amountCents?: number) =>
      sandbox.control('POST', `/payments/${session.id}/refund`, { amountCents });
    await refund(1_000);
    expect((await refund(9_999)).status).toBe(409);
    await refund();
    const charges = receiver.events
      .filter((event) => event.type === 'charge.refunded')
      .map((event) => event.data.object as Stripe.Charge);
    expect(charges.map((charge) => charge.amount_refunded)).toEqual([1_000, 4_100]);
    expect(charges.map((charge) => charge.refunded)).toEqual([false, true]);
    expect((await refund()).status).toBe(409);
  });

  it('a dispute names the payment and comes once', async () => {
    const session = await open();
    const dispute = () => sandbox.control('POST', `/payments/${session.id}/dispute`);
    expect((await dispute()).status).toBe(409);
    await pay(session.id);
    await dispute();
    const { payment_intent } = await sandbox.stripe.checkout.sessions.retrieve(session.id);
    expect(receiver.events.at(-1)).toMatchObject({
      type: 'charge.dispute.funds_withdrawn',
      data: { object: { payment_intent, amount: 4_100 } },
    });
    expect((await dispute()).status).toBe(409);
  });

  it('an expired session cannot be paid', async () => {
    const session = await open();
    await sandbox.control('POST', `/payments/${session.id}/expire`);
    expect(types()).toEqual(['checkout.session.expired']);
    expect((await pay(session.id)).status).toBe(409);
    expect((await sandbox.control('POST', '/payments/cs_test_none/pay')).status).toBe(404);
  });
});

describe('a card that was kept', () => {
  const keep = {
    customer_creation: 'always',
    payment_intent_data: { setup_future_usage: 'off_session' },
  } as const;
  /** The session's payment intent, paid. */
  const paidWith = async (more: Partial<Stripe.Checkout.SessionCreateParams>) => {
    const session = await sandbox.stripe.checkout.sessions.create({ ...order, ...more });
    await pay(session.id);
    const { payment_intent } = await sandbox.stripe.checkout.sessions.retrieve(session.id);
    return sandbox.stripe.paymentIntents.retrieve(payment_intent as string);
  };
  const charge = ({ customer, payment_method }: Stripe.PaymentIntent, more: object = {}) =>
    sandbox.stripe.paymentIntents.create({
      amount: 2_000,
      currency: 'usd',
      ...(typeof customer === 'string' && { customer }),
      payment_method: payment_method as string,
      off_session: true,
      confirm: true,
      ...more,
    });
  const refusal = (of: Promise<unknown>) =>
    of.then(
      () => 'none',
      (error: unknown) => error,
    );

  it('is charged without its payer, and found by its customer', async () => {
    const paid = await paidWith(keep);
    expect(types()).toEqual(['payment_intent.succeeded', 'checkout.session.completed']);
    expect(paid).toMatchObject({ setup_future_usage: 'off_session', status: 'succeeded' });
    const made = await charge(paid);
    expect(made).toMatchObject({ status: 'succeeded', amount_received: 2_000 });
    const { data } = await sandbox.stripe.paymentIntents.list({
      customer: made.customer as string,
    });
    expect(data.map(({ id }) => id)).toEqual([made.id, paid.id]);
    await expect.poll(() => types().at(-1)).toBe('payment_intent.succeeded');
  });

  it('of nobody, of somebody else or detached is refused', async () => {
    const lost = await paidWith({ payment_intent_data: keep.payment_intent_data });
    const unasked = await paidWith({ customer_creation: 'always' });
    const paid = await paidWith(keep);
    const refused = { statusCode: 400, param: 'payment_method' };
    expect(await refusal(charge(lost))).toMatchObject(refused);
    expect(await refusal(charge(unasked))).toMatchObject(refused);
    expect(await refusal(charge(paid, { customer: 'cus_other' }))).toMatchObject(refused);
    const path = `/payment-methods/${paid.payment_method as string}`;
    await sandbox.control('POST', path, { card: 'detached' });
    expect(await refusal(charge(paid))).toMatchObject(refused);
  });

  it('that is declined answers 402 with its payment, under its key for ever', async () => {
    const paid = await paidWith(keep);
    const path = `/payment-methods/${paid.payment_method as string}`;
    await sandbox.control('POST', path, { card: 'authentication_required' });
    const declined = {
      statusCode: 402,
      code: 'authentication_required',
      payment_intent: { status: 'requires_payment_method', amount_received: 0 },
    };
    expect(await refusal(charge(paid))).toMatchObject(declined);
    await expect.poll(() => types().at(-1)).toBe('payment_intent.payment_failed');
  });

  it('is not asked for by a parameter that is gone', async () => {
    const gone = { payment_method_types: ['card'] };
    const code = { code: 'payment_method_types_no_longer_supported' };
    expect(await refusal(charge(await paidWith(keep), gone))).toMatchObject(code);
    expect(await refusal(paidWith(gone as object))).toMatchObject(code);
  });
});

async function startReceiver(): Promise<Receiver> {
  const { webhooks } = new Stripe('sk_test_sandbox');
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const signature = String(request.headers['stripe-signature']);
      started.events.push(
        webhooks.constructEvent(Buffer.concat(parts), signature, WEBHOOK_SECRET, 300),
      );
      started.refusals -= 1;
      response.writeHead(started.refusals >= 0 ? 503 : 200).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/wallet/webhook`;
  const started: Receiver = { url, events: [], refusals: 0, server };
  return started;
}
