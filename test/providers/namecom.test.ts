/** Name.com's own ways, one by one: what its stand-in does not show at will. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { namecom } from '../../src/providers/registrars/namecom.ts';
import { fromRecord, toRecord } from '../../src/providers/registrars/namecom-records.ts';
import type { Registrar } from '../../src/providers/registrars/port.ts';
import { startJsonServer, type JsonServer } from '../support/tools/json-server.ts';
import { providerError } from '../support/vendors/provider-error.ts';

let vendor: JsonServer;
let registrar: Registrar;
beforeAll(async () => {
  vendor = await startJsonServer();
  const state = namecom.configure({
    NAMECOM_USERNAME: 'someone',
    NAMECOM_TOKEN: 'a-token',
    NAMECOM_URL: `${vendor.url}/core/v1`,
  });
  if (state.state !== 'on') throw new Error('not configured');
  registrar = state.create({ timeoutMs: 15_000, outboundProxy: undefined });
});
afterAll(() => vendor.close());

const free = (domainName: string, more: object = {}) => ({
  domainName,
  purchasable: true,
  premium: false,
  purchaseType: 'registration',
  purchasePrice: 8.99,
  renewalPrice: 12.99,
  ...more,
});

/** The name is free; the purchase is answered as given. */
function answerPurchase(status: number, body: object): void {
  vendor.answer = (call) =>
    call === 'POST /core/v1/domains:checkAvailability'
      ? { status: 200, body: { results: [free('acme.com')] } }
      : { status, body };
}

describe('a refused purchase', () => {
  it.each([
    [400, 'Domain is not available', undefined, 'rejected', 'DOMAIN_UNAVAILABLE'],
    [400, 'Purchase price does not match', undefined, 'rejected', 'PRICE_ABOVE_CAP'],
    [
      400,
      'Purchase price is required for premium domains',
      undefined,
      'rejected',
      'PRICE_ABOVE_CAP',
    ],
    [422, 'Unprocessable Entity', 'Unsupported TLD', 'rejected', 'DOMAIN_REJECTED'],
    [451, 'Unavailable For Legal Reasons', undefined, 'rejected', 'DOMAIN_UNAVAILABLE'],
    [409, 'Idempotency key has been reused', undefined, 'rejected', 'DOMAIN_REJECTED'],
    [422, 'Domain pricing unavailable', 'Please try again', 'unavailable', undefined],
    [402, 'Payment failed', 'Insufficient Funds', 'quota', undefined],
    [403, 'Permission denied', 'Failed authentication', 'auth', undefined],
    [429, 'Rate Limit Exceeded', undefined, 'rate_limited', undefined],
    [500, 'Internal Server Error', undefined, 'outcome_unknown', undefined],
    [504, 'The upstream server is slow', undefined, 'outcome_unknown', undefined],
  ])('%i "%s" (%s) is %s %s', async (status, message, details, kind, clientCode) => {
    answerPurchase(status, { message, details });
    const error = await providerError(registrar.register('acme.com', 1_600, 'key'));
    expect(error.kind).toBe(kind);
    expect(error.facts.clientCode).toBe(clientCode);
    expect(error.message).toContain(details ?? message);
  });

  it('for want of credit tells the operator to add some', async () => {
    answerPurchase(402, { message: 'Payment failed' });
    const { facts } = await providerError(registrar.register('acme.com', 1_600, 'key'));
    expect(facts.operatorHint).toMatch(/add credit/);
  });
});

describe('an offer', () => {
  it('is looked up by name: the order of the results is not promised', async () => {
    const results = [free('other.com', { purchasePrice: 1 }), free('acme.com')];
    vendor.answer = () => ({ status: 200, body: { results } });
    expect((await registrar.quote('acme.com')).priceCents).toBe(899);
  });

  it('of another kind than a registration is not taken', async () => {
    const results = [free('acme.com', { purchaseType: 'aftermarket_i' })];
    vendor.answer = () => ({ status: 200, body: { results } });
    expect((await registrar.quote('acme.com')).available).toBe(false);
  });

  it('for a registry of two-year terms says so', async () => {
    vendor.answer = () => ({ status: 200, body: { results: [free('acme.ai')] } });
    expect((await registrar.quote('acme.ai')).termYears).toBe(2);
  });
});

describe('the list of records', () => {
  it('is read to its last page', async () => {
    const record = (id: number) => ({ id, host: null, type: 'A', answer: '198.18.0.1', ttl: 300 });
    const pages = [
      { records: [record(1)], nextPage: 2, lastPage: 3 },
      { records: [record(2)], nextPage: 3 },
    ];
    vendor.answer = (call) => {
      const page = Number(new URL(call.split(' ')[1]!, vendor.url).searchParams.get('page'));
      return { status: 200, body: pages[page - 1] ?? { records: [record(3)], totalCount: 3 } };
    };
    const listed = await registrar.listRecords('acme.com');
    expect(listed.map((each) => each.id)).toEqual(['1', '2', '3']);
  });
});

describe('a record', () => {
  it.each([null, '', '@', undefined])('with the host %j is one of the apex', (host) => {
    const record = fromRecord({ id: 1, host, type: 'A', answer: '198.18.0.1', ttl: 300 });
    expect(record.name).toBe('@');
    expect(toRecord(record).host).toBe('');
  });

  it('of more than 255 bytes travels in quoted pieces and comes back in one', () => {
    const value = `${'a'.repeat(254)}"\\${'b'.repeat(300)}`;
    const { answer } = toRecord({ type: 'TXT', name: 's1._domainkey', value });
    const pieces = answer.match(/"(?:[^"\\]|\\.)*"/g) ?? [];
    expect(pieces).toHaveLength(3);
    const back = fromRecord({ id: 1, host: 's1._domainkey', type: 'TXT', answer, ttl: 300 });
    expect(back.value).toBe(value);
  });

  it('is measured in bytes, and cut between characters', () => {
    const value = 'é'.repeat(200);
    const { answer } = toRecord({ type: 'TXT', name: '@', value });
    expect(answer).toBe(`"${'é'.repeat(127)}" "${'é'.repeat(73)}"`);
    const back = fromRecord({ id: 1, host: '', type: 'TXT', answer, ttl: 300 });
    expect(back.value).toBe(value);
  });

  it('of a short text travels as it is', () => {
    expect(toRecord({ type: 'TXT', name: '@', value: 'v=spf1 -all' }).answer).toBe('v=spf1 -all');
  });

  it('has a priority only where the type has one', () => {
    const wire = { id: 1, host: 'x', answer: 'y', ttl: 300, priority: 5 };
    expect(fromRecord({ ...wire, type: 'TXT' })).not.toHaveProperty('priority');
    expect(fromRecord({ ...wire, type: 'MX' }).priority).toBe(5);
  });
});

describe('its address', () => {
  it.each([
    ['https://api.name.com/core/v1', []],
    ['https://api.dev.name.com/core/v1', []],
    ['http://127.0.0.1:3900/namecom/core/v1', ['NAMECOM_URL']],
    ['https://api.name.com.example.org/core/v1', ['NAMECOM_URL']],
    ['http://api.name.com/core/v1', ['NAMECOM_URL']],
  ])('%s is a development setting: %j', (address, found) => {
    expect(namecom.developmentSettings({ NAMECOM_URL: address })).toEqual(found);
  });
});

describe('automatic renewal', () => {
  const shown = (autorenewEnabled: boolean, expireDate = '2027-01-15T10:00:00Z') => ({
    domainName: 'acme.com',
    createDate: '2026-01-15T10:00:00Z',
    expireDate,
    autorenewEnabled,
  });
  const renewal = { domain: shown(false, '2028-01-15T10:00:00Z'), order: 7, totalPaid: 12.99 };

  /** Answers by the first call whose end fits. */
  function answerBy(table: Record<string, object>): void {
    vendor.calls.length = 0;
    vendor.answer = (call) => {
      const found = Object.entries(table).find(([end]) => call.endsWith(end));
      return found ? { status: 200, body: found[1] } : { status: 500, body: { message: 'none' } };
    };
  }
  const switchedOff = () => vendor.calls.filter((call) => call.startsWith('PATCH'));

  it('that a purchase brought all the same is switched off, and the purchase stands', async () => {
    const bought = { domain: shown(true), order: 6, totalPaid: 8.99 };
    const offer = { results: [free('acme.com')] };
    answerBy({ ':checkAvailability': offer, 'POST /core/v1/domains': bought });
    const registration = await registrar.register('acme.com', 1_600, 'key');
    expect(registration).toMatchObject({ orderRef: '6', chargedCents: 899 });
    expect(switchedOff()).toEqual(['PATCH /core/v1/domains/acme.com']);
  });

  it('is switched off before we renew, at the price of the vendor', async () => {
    const pricing = { premium: false, renewalPrice: 12.99 };
    answerBy({ ':renew': renewal, ':getPricing': pricing, '/acme.com': shown(true) });
    const expiresAt = '2027-01-15T10:00:00.000Z';
    const renewed = await registrar.renew('acme.com', 1_600, 'key', expiresAt);
    expect(renewed).toMatchObject({ chargedCents: 1_299, expiresAt: '2028-01-15T10:00:00.000Z' });
    expect(switchedOff()).toHaveLength(1);
    expect(vendor.calls.at(-1)).toBe('POST /core/v1/domains/acme.com:renew');
  });

  it('that was quicker than we is not paid again', async () => {
    answerBy({ '/acme.com': shown(true, '2028-01-15T10:00:00Z') });
    const expiresAt = '2027-01-15T10:00:00.000Z';
    const renewed = await registrar.renew('acme.com', 1_600, 'key', expiresAt);
    expect(renewed).toMatchObject({ chargedCents: null, expiresAt: '2028-01-15T10:00:00.000Z' });
    expect(vendor.calls.filter((call) => call.endsWith(':renew'))).toEqual([]);
  });

  it('does not matter for what a renewal without a price costs: it is not bought', async () => {
    const pricing = { premium: false, renewalPrice: null };
    answerBy({ ':renew': renewal, ':getPricing': pricing, '/acme.com': shown(false) });
    const asked = registrar.renew('acme.com', 1_600, 'key', '2027-01-15T10:00:00.000Z');
    expect((await providerError(asked)).facts.clientCode).toBe('PRICE_ABOVE_CAP');
  });
});
