/** Every answer of a stand-in, held to the vendor's own OpenAPI file. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type Stripe from 'stripe';
import { PORKBUN_API_KEY, PORKBUN_SECRET_API_KEY } from '../../src/sandbox/porkbun/wire.ts';
import { VULTR_API_KEY } from '../../src/sandbox/vultr/wire.ts';
import {
  NAMECOM_DEVIATIONS,
  PORKBUN_DEVIATIONS,
  STRIPE_DEVIATIONS,
} from '../support/vendors/provider-deviations.ts';
import {
  loadProviderSpec,
  specMissing,
  type ProviderSpec,
} from '../support/vendors/provider-spec.ts';
import { startTestSandbox, type TestSandbox } from '../support/vendors/sandbox.ts';
import { VULTR_DEVIATIONS } from '../support/vendors/vultr-deviations.ts';

interface Logged {
  method: string;
  path: string;
  body: unknown;
  status: number;
  answer: unknown;
}

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox({ pace: 20 });
});
afterAll(() => sandbox.remove());

/** All that the vendor answered since the file began, against its spec. */
async function problemsOf(vendor: string, spec: ProviderSpec): Promise<string[]> {
  const { body } = await sandbox.control('GET', `/requests?vendor=${vendor}`);
  const requests = body.requests as Logged[];
  expect(requests.length).toBeGreaterThan(0);
  return requests.flatMap(({ method, path, status, answer }) =>
    spec.validateResponse(method, path, status, answer),
  );
}

const namecomReason = specMissing('namecom.json');
describe.skipIf(namecomReason)(`Name.com's answers ${namecomReason ?? ''}`, () => {
  const spec = loadProviderSpec('namecom.json', NAMECOM_DEVIATIONS)!;

  it('are what the file says, in success and in refusal', async () => {
    const { namecom } = sandbox;
    await namecom('GET', '/hello');
    await namecom('GET', '/accountinfo/balance');
    await namecom('POST', '/domains:checkAvailability', {
      domainNames: ['contract.com', 'taken-1.com', 'premium-1.com'],
    });
    await namecom('POST', '/domains:checkAvailability', { domainNames: ['a.unknown'] });
    await namecom('GET', '/domains/contract.com:getPricing?years=1');
    await namecom('GET', '/domains/contract.com:getPricing?years=10');
    const bought = await namecom('POST', '/domains', { domain: { domainName: 'contract.com' } });
    expect(bought.status).toBe(200);
    await namecom('POST', '/domains', { domain: { domainName: 'taken-1.com' } });
    await namecom('POST', '/domains', { domain: { domainName: 'premium-1.com' } });
    await namecom('GET', '/domains');
    await namecom('GET', '/domains/contract.com');
    await namecom('GET', '/domains/unknown.com');
    await namecom('POST', '/domains', 'domain=contract.com', { 'content-type': 'text/plain' });
    await namecom('GET', '/hello', undefined, { authorization: 'Basic wrong' });
    await useRecords();
    const order = await namecom('GET', `/orders/${bought.body.order}`);
    await namecom('GET', '/orders');
    await namecom('GET', '/orders?createDateStart=2026-01-01&domainName=contract.com&type=renewal');
    await namecom('GET', '/orders?orderStatus=odd');
    await namecom('GET', '/orders/1');
    const refund = {
      orderId: bought.body.order,
      orderItemIds: [order.body.orderItems[0].id],
    };
    expect((await namecom('POST', '/refund', refund)).status).toBe(200);
    await namecom('POST', '/refund', refund);
    expect(await problemsOf('namecom', spec)).toEqual([]);
  });

  it("are in the vendor's form when the control API asks for a fault", async () => {
    for (const kind of ['error_500', 'rate_limited', 'auth', 'rejected']) {
      await sandbox.control('POST', '/faults', { vendor: 'namecom', kind, times: 1 });
      await sandbox.namecom('GET', '/domains');
    }
    expect(await problemsOf('namecom', spec)).toEqual([]);
  });

  async function useRecords(): Promise<void> {
    const { namecom } = sandbox;
    const records = '/domains/contract.com/records';
    const txt = { host: '', type: 'TXT', answer: 'v=spf1 mx -all', ttl: 300 };
    const { body } = await namecom('POST', records, txt);
    await namecom('POST', records, { host: 'mail', type: 'A', answer: '198.18.0.1' });
    await namecom('POST', records, { host: '@', type: 'MX', answer: 'mail.x.com', priority: 10 });
    await namecom('POST', records, { ...txt, ttl: 1 });
    await namecom('GET', `${records}?perPage=1&page=1`);
    await namecom('GET', `${records}/${body.id}`);
    await namecom('GET', `${records}/1`);
    await namecom('PUT', `${records}/${body.id}`, { ...txt, answer: 'v=spf1 -all' });
    await namecom('DELETE', `${records}/${body.id}`);
    await namecom('GET', '/domains/unknown.com/records');
  }
});

const porkbunReason = specMissing('porkbun.json');
describe.skipIf(porkbunReason)(`Porkbun's answers ${porkbunReason ?? ''}`, () => {
  const spec = loadProviderSpec('porkbun.json', PORKBUN_DEVIATIONS)!;
  const credentials = {
    'x-api-key': PORKBUN_API_KEY,
    'x-secret-api-key': PORKBUN_SECRET_API_KEY,
  };
  const ask = (path: string, body: object = {}, headers: object = credentials) =>
    sandbox.ask('POST', `/porkbun/api/json/v3${path}`, body, { ...headers });

  it('are what the file says, in success and in refusal', async () => {
    const domain = 'pork-contract.com';
    const { body: offer } = await ask(`/domain/checkDomain/${domain}`);
    const cost = Math.round(Number(offer.response.price) * 100);
    const order = { cost, agreeToTerms: 'yes' };
    expect((await ask(`/domain/create/${domain}`, order)).body.status).toBe('SUCCESS');
    await ask(`/domain/create/${domain}`, { ...order, cost: 1 });
    await ask('/domain/create/taken-pork.com', order);
    await ask('/domain/listAll', { domain });
    const txt = { name: '', type: 'TXT', content: 'v=spf1 mx -all', ttl: 600 };
    const { body: made } = await ask(`/dns/create/${domain}`, txt);
    await ask(`/dns/retrieve/${domain}`);
    await ask(`/dns/edit/${domain}/${made.id}`, { ...txt, content: 'v=spf1 -all' });
    await ask(`/dns/delete/${domain}/${made.id}`);
    await ask('/dns/retrieve/unknown-pork.com');
    await ask('/ping');
    await sandbox.ask('GET', '/porkbun/api/json/v3/account/balance', undefined, credentials);
    await ask('/domain/listAll', {}, { 'x-api-key': 'wrong', 'x-secret-api-key': 'wrong' });
    expect(await problemsOf('porkbun', spec)).toEqual([]);
  });
});

const vultrReason = specMissing('vultr.json');
describe.skipIf(vultrReason)(`Vultr's answers ${vultrReason ?? ''}`, () => {
  const spec = loadProviderSpec('vultr.json', VULTR_DEVIATIONS)!;
  const ask = (method: string, path: string, body?: object, key = VULTR_API_KEY) =>
    sandbox.ask(method, `/vultr/v2${path}`, body, { authorization: `Bearer ${key}` });

  it('are what the file says, in success and in refusal', async () => {
    const order = {
      region: 'fra',
      plan: 'vc2-1c-1gb',
      os_id: 2136,
      label: 'contract',
      tags: ['x'],
    };
    const { status, body } = await ask('POST', '/instances', order);
    expect(status).toBe(202);
    await ask('POST', '/instances', { ...order, plan: 'none' });
    await ask('GET', '/instances?label=contract&per_page=1');
    await ask('GET', `/instances/${body.instance.id}`);
    await ask('GET', '/instances/cb676a46-66fd-4dfb-b839-443f2e6c0b60');
    await ask('GET', '/ssh-keys');
    await ask('GET', '/account');
    await ask('GET', '/instances', undefined, 'wrong');
    await ask('DELETE', `/instances/${body.instance.id}`);
    expect(await problemsOf('vultr', spec)).toEqual([]);
  });
});

const stripeReason = specMissing('stripe.json');
describe.skipIf(stripeReason)(`Stripe's answers ${stripeReason ?? ''}`, () => {
  const spec = loadProviderSpec('stripe.json', STRIPE_DEVIATIONS)!;

  it('are what the file says, before and after payment, in success and in refusal', async () => {
    const { stripe, control } = sandbox;
    const open = await stripe.checkout.sessions.create(order());
    const session = await stripe.checkout.sessions.create(order());
    await stripe.checkout.sessions.retrieve(session.id);
    await control('POST', `/payments/${session.id}/pay`, { webhook: 'none' });
    const paid = await stripe.checkout.sessions.retrieve(session.id);
    const payment = paid.payment_intent as string;
    const { latest_charge: charge } = await stripe.paymentIntents.retrieve(payment);
    const refund = await stripe.refunds.create({ payment_intent: payment, amount: 100 });
    await stripe.refunds.retrieve(refund.id);
    await stripe.refunds.list({ payment_intent: payment });
    await stripe.charges.retrieve(charge as string);
    await stripe.checkout.sessions.expire(open.id);
    await control('POST', `/payments/${session.id}/dispute`, { webhook: 'none' });
    const { data } = await stripe.events.list({ limit: 3 });
    await stripe.events.retrieve(data[0]!.id);
    await stripe.checkout.sessions.list();
    await stripe.balance.retrieve();
    await stripe.webhookEndpoints.list({ limit: 100 });
    await expect(stripe.checkout.sessions.retrieve('cs_test_none')).rejects.toThrow('No such');
    await expect(stripe.refunds.create({ payment_intent: 'pi_none' })).rejects.toThrow('No such');
    await expect(stripe.checkout.sessions.expire(open.id)).rejects.toThrow('can be expired');
    expect(await problemsOf('stripe', spec)).toEqual([]);
  });

  it("are in the vendor's form when the control API asks for a fault", async () => {
    for (const kind of ['error_500', 'rate_limited', 'auth', 'rejected']) {
      await sandbox.control('POST', '/faults', { vendor: 'stripe', kind, times: 1 });
      await expect(sandbox.stripe.events.list()).rejects.toMatchObject({
        statusCode: expect.any(Number),
      });
    }
    expect(await problemsOf('stripe', spec)).toEqual([]);
  });
});

const order = (): Stripe.Checkout.SessionCreateParams => ({
  mode: 'payment',
  line_items: [
    {
      quantity: 1,
      price_data: { currency: 'usd', unit_amount: 4_100, product_data: { name: 'Wallet' } },
    },
  ],
  success_url: 'http://127.0.0.1:3000/docs?session={CHECKOUT_SESSION_ID}',
  client_reference_id: 'user-1',
  metadata: { purpose: 'test' },
});
