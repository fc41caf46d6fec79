/** The Stripe adapter: what it lets through as an event, and how it names Stripe's failures. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { ProviderError } from '../../../src/domain/errors.ts';
import {
  charge,
  dispute,
  refund,
  session,
  signed,
  signedEvent,
  stripePayments,
  type SignedEvent,
} from '../../support/vendors/stripe-events.ts';

const payments = stripePayments();
const read = ({ rawBody, signature }: SignedEvent) => payments.readEvent(rawBody, signature);

const passes = (event: SignedEvent): boolean => {
  try {
    return Boolean(read(event));
  } catch (error) {
    return !(error instanceof ProviderError && error.kind === 'rejected');
  }
};

const paid = (options = {}) =>
  signedEvent('checkout.session.completed', session('cs_test_1', 'user-1'), options);

const refused = expect.objectContaining({ name: 'ProviderError', kind: 'rejected' });

describe('readEvent', () => {
  it('reads a paid session of ours', () => {
    expect(read(paid({ eventId: 'evt_1' }))).toEqual({
      eventId: 'evt_1',
      type: 'checkout.session.completed',
      kind: 'checkout',
      checkout: {
        sessionId: 'cs_test_1',
        url: null,
        status: 'complete',
        paymentStatus: 'paid',
        amountCents: 4_100,
        currency: 'usd',
        askedCents: 4_100,
        userId: 'user-1',
        paymentId: 'pi_cs_test_1',
      },
    });
  });

  it('names no user for a session that another product of the same account made', () => {
    const others = session('cs_test_1', 'user-1', { metadata: {} });
    const event = read(signedEvent('checkout.session.completed', others));
    expect(event).toMatchObject({ kind: 'checkout', checkout: { userId: null, askedCents: null } });
  });

  it.each([
    ['refund.created', 'pending', false],
    ['refund.updated', 'succeeded', false],
    ['charge.refund.updated', 'canceled', true],
    ['refund.failed', 'failed', true],
  ])('reads %s of a refund that is %s', (type, status, hasFailed) => {
    expect(read(signedEvent(type, refund('pi_1', 're_1', 700, status)))).toMatchObject({
      kind: 'refund',
      paymentId: 'pi_1',
      refundId: 're_1',
      amountCents: 700,
      hasFailed,
    });
  });

  it.each(['created', 'updated', 'closed'])('charge.dispute.%s moves no money', (type) => {
    const event = signedEvent(`charge.dispute.${type}`, dispute('pi_1', 'dp_1', 4_100));
    expect(read(event)).toMatchObject({ kind: 'ignored' });
  });

  it('reads refunds and disputes by their payment, expanded or not', () => {
    expect(read(signedEvent('charge.refunded', charge('pi_1', 100)))).toMatchObject({
      kind: 'refunded',
      paymentId: 'pi_1',
      totalRefundedCents: 100,
    });
    const expanded = { ...dispute('', 'dp_1', 4_100), payment_intent: { id: 'pi_1' } };
    expect(read(signedEvent('charge.dispute.funds_withdrawn', expanded))).toMatchObject({
      kind: 'dispute',
      paymentId: 'pi_1',
      disputeId: 'dp_1',
      amountCents: 4_100,
    });
  });

  it('ignores events that are no money of ours', () => {
    expect(read(signedEvent('invoice.paid', {}))).toMatchObject({ kind: 'ignored' });
    const withoutPayment = { ...charge('', 100), payment_intent: null };
    expect(read(signedEvent('charge.refunded', withoutPayment))).toMatchObject({ kind: 'ignored' });
  });

  it('takes a signature for 300 seconds, and none from the future', () => {
    expect(read(paid({ ageSeconds: 295 })).kind).toBe('checkout');
    for (const ageSeconds of [306, 3_600, 86_400 * 365, -306, -86_400]) {
      expect(() => read(paid({ ageSeconds }))).toThrow(refused);
    }
  });

  it('takes the new secret’s signature among several while a secret is rolled', () => {
    const { rawBody, signature } = paid();
    const [time, v1] = signature.split(',');
    const rolled = `${time},v1=${'0'.repeat(64)},${v1},v0=${'1'.repeat(64)}`;
    expect(read({ rawBody, signature: rolled }).kind).toBe('checkout');
  });

  it('refuses signed text that is no event', () => {
    const texts = ['{}', '[]', 'null', '"x"', 'not json', '{"id":"evt_1","type":"x"}'];
    for (const text of texts) expect(() => read(signed(text))).toThrow(refused);
    expect(() => read(signedEvent('charge.refunded', { amount_refunded: 'all' }))).toThrow(refused);
  });
});

describe('forged and changed webhooks', () => {
  it('refuses every other secret, scheme and form of the header', () => {
    const { rawBody, signature } = paid();
    const [time = '', v1 = ''] = signature.split(',');
    const seconds = Number(time.slice(2));
    const headers = [
      '',
      ' ',
      't=',
      time,
      v1,
      `${time},v0=${v1.slice(3)}`,
      `${time},v2=${v1.slice(3)}`,
      `${time},v1=`,
      `${time},${v1.slice(0, -1)}`,
      `${time},${v1}0`,
      `${time},${v1.toUpperCase()}`,
      `${v1},${time}`,
      `${time}.0,${v1}`,
      `${time}abc,${v1}`,
      `t=0${seconds},${v1}`,
      `t=+${seconds},${v1}`,
      `t=${seconds}e0,${v1}`,
      `t=${seconds + 1},${v1}`,
      `t=${seconds - 1},${v1}`,
      `t=-${seconds},${v1}`,
      `${time};${v1}`,
      `${time}, ${v1}`,
      `${signature},`,
      paid({ secret: 'whsec_other' }).signature,
      paid({ secret: '' }).signature,
    ];
    const passed = headers.filter((header) => passes({ rawBody, signature: header }));
    expect(passed).toEqual([]);
  });

  it('refuses a body with a byte more, less or other', () => {
    const { rawBody, signature } = paid();
    const end = rawBody.length;
    fc.assert(
      fc.property(
        fc.nat(end - 1),
        fc.uint8Array({ maxLength: 4 }),
        fc.nat(4),
        (at, inserted, removed) => {
          const parts = [rawBody.subarray(0, at), inserted, rawBody.subarray(at + removed)];
          const mutant = Buffer.concat(parts);
          fc.pre(!mutant.equals(rawBody));
          expect(() => read({ rawBody: mutant, signature })).toThrow(refused);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('refuses what only looks the same once it is decoded', () => {
    const text = JSON.stringify({ id: 'evt_\uFFFD', type: 'x', data: { object: {} } });
    const { rawBody, signature } = signed(text);
    expect(read({ rawBody, signature }).kind).toBe('ignored');
    const mark = Buffer.from([0xef, 0xbb, 0xbf]);
    const broken = Buffer.from(
      rawBody.toString('latin1').replace('\u00ef\u00bf\u00bd', '\u00ff'),
      'latin1',
    );
    for (const mutant of [Buffer.concat([mark, rawBody]), broken, Buffer.alloc(0)]) {
      expect(() => read({ rawBody: mutant, signature })).toThrow(refused);
    }
  });
});

describe('failures of Stripe', () => {
  let server: Server | undefined;

  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });

  const answering = async (status: number, body: string, headers = {}) => {
    const requests: string[] = [];
    server = createServer((request, response) => {
      const key = request.headers['idempotency-key'];
      requests.push([request.method, request.url, key].join(' ').trim());
      if (status === 0) request.socket.destroy();
      else response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
    });
    await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return { requests, payments: stripePayments(`http://127.0.0.1:${port}`) };
  };

  const order = { userId: 'u', amountCents: 4_100, key: 'key-1', returnUrl: 'http://127.0.0.1/' };
  const error = (fields: object) => JSON.stringify({ error: { message: 'No.', ...fields } });

  it.each([
    [401, error({ message: 'Invalid API Key provided: sk_test_***box' }), 'auth'],
    [403, error({}), 'auth'],
    [400, error({ type: 'invalid_request_error', code: 'parameter_missing' }), 'rejected'],
    [402, error({ type: 'card_error' }), 'rejected'],
    [409, error({ type: 'idempotency_error' }), 'unavailable'],
    [429, error({ code: 'rate_limit' }), 'rate_limited'],
    [500, error({ type: 'api_error' }), 'unavailable'],
    [503, '<html>Bad gateway</html>', 'unavailable'],
    [200, '{"id": "cs_test_1"}', 'unavailable'],
  ])('%i %s is %s, asked once', async (status, body, kind) => {
    const stand = await answering(status, body, { 'retry-after': '7' });
    const failure = await stand.payments.createCheckout(order).catch((e: unknown) => e);
    expect(failure).toBeInstanceOf(ProviderError);
    expect(failure).toMatchObject({ kind });
    expect(JSON.stringify(failure) + String(failure)).not.toContain('sk_test');
    expect(stand.requests).toEqual(['POST /v1/checkout/sessions key-1']);
    expect(failure).toMatchObject({
      facts: status < 500 && status > 200 ? { retryAfterMs: 7_000 } : {},
    });
  });

  it('a connection that breaks and a server that is not there are unavailable', async () => {
    const stand = await answering(0, '');
    await expect(stand.payments.createCheckout(order)).rejects.toMatchObject({
      kind: 'unavailable',
    });
    await expect(stripePayments().createCheckout(order)).rejects.toMatchObject({
      kind: 'unavailable',
    });
  });

  it('an unknown session is null; what cannot be a session id is not asked for', async () => {
    const stand = await answering(404, error({ code: 'resource_missing' }));
    expect(await stand.payments.findCheckout('cs_test_unknown')).toBeNull();
    expect(await stand.payments.findCheckout('../balance')).toBeNull();
    expect(stand.requests).toHaveLength(1);
  });
});

describe('a list of more than ten thousand', () => {
  const PAGE = 100;
  const COUNT = 10_150;
  let server: Server | undefined;

  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });

  /** Payment intents, newest first: `pi_0` is the last one. `broken`: what the vendor says instead of that page. */
  const listing = async (broken?: { page: number; says: object }) => {
    let requests = 0;
    const objectOf = (n: number) => ({
      id: `pi_${n}`,
      object: 'payment_intent',
      created: 1_790_000_000 + n,
      amount: 2_000,
      amount_received: 2_000,
      currency: 'usd',
      status: 'succeeded',
      customer: 'cus_1',
      metadata: { purpose: 'outreach_recharge', user_id: 'u', recharge_id: String(n + 1) },
    });
    server = createServer((request, response) => {
      requests += 1;
      const query = new URL(request.url!, 'http://stripe').searchParams;
      const after = query.get('starting_after');
      const from = after === null ? COUNT - 1 : Number(after.slice(3)) - 1;
      const size = Math.min(PAGE, from + 1);
      const data = Array.from({ length: size }, (_, at) => objectOf(from - at));
      const page = { object: 'list', url: '/v1/payment_intents', data, has_more: size <= from };
      const said = requests === broken?.page ? { ...page, ...broken.says } : page;
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(said));
    });
    await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const stand = stripePayments(`http://127.0.0.1:${port}`);
    return { payments: stand, requests: () => requests };
  };
  const sought = { chargeKey: null, customerId: 'cus_1', since: new Date(0) };

  it('is read to its end, page by page', async () => {
    const stand = await listing();
    let [pages, seen, largest] = [0, 0, 0];
    for await (const page of stand.payments.listCharges(new Date(0))) {
      expect(stand.requests()).toBe((pages += 1));
      seen += page.length;
      largest = Math.max(largest, page.length);
    }
    expect([pages, seen, largest]).toEqual([102, COUNT, PAGE]);
  });

  it('is searched to its end for a charge, and no further than that charge', async () => {
    const stand = await listing();
    expect(await stand.payments.findCharge({ ...sought, rechargeId: 1 })).toMatchObject({
      paymentId: 'pi_0',
    });
    expect(stand.requests()).toBe(102);
    await stand.payments.findCharge({ ...sought, rechargeId: COUNT });
    expect(stand.requests()).toBe(103);
  });

  it.each([
    ['an empty page before its end', { data: [], has_more: true }],
    ['a page without the word whether there are more', { has_more: undefined }],
    ['the same page again and again', { data: [{ id: `pi_${COUNT - PAGE}`, metadata: {} }] }],
  ])('is never taken for whole where the vendor gives %s', async (_, says) => {
    const stand = await listing({ page: 2, says });
    const read = async () => {
      for await (const page of stand.payments.listCharges(new Date(0))) void page;
    };
    await expect(read()).rejects.toMatchObject({ kind: 'unavailable' });
    const stopped = await listing({ page: 2, says });
    const found = stopped.payments.findCharge({ ...sought, rechargeId: 1 });
    await expect(found).rejects.toMatchObject({ kind: 'unavailable' });
  });
});

describe('a payment intent', () => {
  const recharge = { purpose: 'outreach_recharge', user_id: 'ann', recharge_id: '7' };
  const intent = (more: object) => ({
    id: 'pi_1',
    created: 1_795_000_000,
    amount: 2_000,
    amount_received: 0,
    currency: 'usd',
    status: 'succeeded',
    customer: 'cus_1',
    payment_method: 'pm_1',
    metadata: recharge,
    ...more,
  });
  const readIntent = (type: string, more: object) =>
    read(signedEvent(`payment_intent.${type}`, intent(more)));

  it('of a recharge is told with what was received', () => {
    expect(readIntent('succeeded', { amount_received: 1_900 })).toMatchObject({
      kind: 'recharge',
      charge: { rechargeId: 7, userId: 'ann', status: 'succeeded', amountCents: 1_900 },
    });
  });

  it.each([
    ['processing', 'pending'],
    ['requires_capture', 'pending'],
    ['requires_action', 'failed'],
    ['requires_payment_method', 'failed'],
    ['canceled', 'failed'],
  ])('that is %s is %s: nobody is there to act', (status, told) => {
    const event = readIntent('processing', { status });
    expect(event).toMatchObject({ charge: { status: told, amountCents: 2_000 } });
  });

  it.each([
    [{ code: 'card_declined', decline_code: 'insufficient_funds' }, 'insufficient_funds'],
    [{ code: 'card_declined', decline_code: 'stolen_card' }, 'generic_decline'],
    [{ code: 'card_declined', decline_code: 'fraudulent' }, 'generic_decline'],
    [{ code: 'incorrect_cvc' }, 'incorrect_cvc'],
    [null, null],
  ])('that failed by %j tells the payer %s', (last_payment_error, declineCode) => {
    const failed = { status: 'requires_payment_method', last_payment_error };
    expect(readIntent('payment_failed', failed)).toMatchObject({
      charge: { failure: { reason: 'card_declined', declineCode } },
    });
  });

  it('of a checkout tells the card only where it was to be kept', () => {
    const metadata = { purpose: 'outreach_wallet', user_id: 'ann' };
    const saved = { metadata, setup_future_usage: 'off_session' };
    expect(readIntent('succeeded', saved)).toMatchObject({
      kind: 'method',
      method: { userId: 'ann', customerId: 'cus_1', paymentMethodId: 'pm_1' },
    });
    expect(readIntent('succeeded', { metadata })).toMatchObject({ kind: 'ignored' });
    expect(readIntent('succeeded', { ...saved, customer: null }).kind).toBe('ignored');
  });

  it.each([{}, { purpose: 'shop' }, { ...recharge, recharge_id: 'x' }])(
    'of another product is nothing: %j',
    (metadata) => {
      expect(readIntent('succeeded', { metadata }).kind).toBe('ignored');
    },
  );
});
