/** Porkbun's own ways, one by one: what its stand-in does not show at will. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { porkbun } from '../../src/providers/registrars/porkbun.ts';
import {
  fromRecord,
  recordAnswer,
  toRecord,
} from '../../src/providers/registrars/porkbun-records.ts';
import type { Registrar } from '../../src/providers/registrars/port.ts';
import { startJsonServer, type JsonAnswer, type JsonServer } from '../support/tools/json-server.ts';
import { providerError } from '../support/vendors/provider-error.ts';

const HOUR_MS = 3_600_000;

let vendor: JsonServer;
let registrar: Registrar;
/** What the vendor answers, by the call's path without its domain. */
let answers: Record<string, (key: string | undefined) => JsonAnswer>;
/** The idempotency keys of orders, in order. */
let keys: string[];

beforeAll(async () => {
  vendor = await startJsonServer();
  const state = porkbun.configure({
    PORKBUN_API_KEY: 'pk1_test',
    PORKBUN_SECRET_API_KEY: 'sk1_test',
    PORKBUN_BASE_URL: `${vendor.url}/api/json/v3`,
  });
  if (state.state !== 'on') throw new Error('not configured');
  registrar = state.create({ timeoutMs: 5_000, outboundProxy: undefined });
});
beforeEach(() => {
  vendor.calls.length = 0;
  keys = [];
  answers = {
    checkDomain: () => check(),
    listAll: () => listed(),
    updateAutoRenew: () => ok({ results: { 'acme.com': { status: 'SUCCESS' } } }),
    create: () => order(),
    renew: () => order({ expirationDate: '2028-01-15' }),
  };
  vendor.answer = (call, request) => {
    const action = /v3\/\w+\/(\w+)/.exec(call)![1]!;
    const key = request.headers['idempotency-key'] as string | undefined;
    if (key) keys.push(key);
    return answers[action]!(key);
  };
});
afterAll(() => vendor.close());

const ok = (body: object): JsonAnswer => ({ status: 200, body: { status: 'SUCCESS', ...body } });
const refused = (code: string, more: object = {}, status = 400): JsonAnswer => ({
  status,
  body: { status: 'ERROR', code, message: `because of ${code}`, ...more },
});
const check = (more: object = {}, rest: object = {}): JsonAnswer =>
  ok({
    response: {
      avail: 'yes',
      type: 'registration',
      price: '11.08',
      premium: 'no',
      minDuration: 1,
      additional: { renewal: { price: '11.08' } },
      ...more,
    },
    ...rest,
  });
const order = (more: object = {}): JsonAnswer =>
  ok({ domain: 'acme.com', orderId: 991, cost: 1_108, ...more });
const listed = (more: object = {}): JsonAnswer =>
  ok({
    domains: [
      {
        domain: 'acme.com',
        createDate: '2026-01-15 10:00:00',
        expireDate: '2027-01-15 10:00:00',
        autoRenew: 0,
        ...more,
      },
    ],
  });
const ago = (ms: number) => new Date(Date.now() - ms).toISOString().slice(0, 19).replace('T', ' ');
const callsOf = (action: string) => vendor.calls.filter((call) => call.includes(`/${action}`));
const buy = (cap = 1_600) => registrar.register('acme.com', cap, 'key');

describe('a refused purchase', () => {
  it.each([
    ['DOMAIN_NOT_AVAILABLE', 400, 'rejected', 'DOMAIN_UNAVAILABLE'],
    ['ORDER_TOO_LARGE', 400, 'rejected', 'PRICE_ABOVE_CAP'],
    ['PREMIUM_DOMAIN_NOT_SUPPORTED', 400, 'rejected', 'PRICE_ABOVE_CAP'],
    ['FRAUD_BLOCK', 400, 'rejected', 'DOMAIN_REJECTED'],
    ['A_CODE_MADE_OF_WHATEVER_THE_MESSAGE_SAYS', 400, 'rejected', 'DOMAIN_REJECTED'],
    ['IDEMPOTENCY_KEY_MISMATCH', 409, 'rejected', 'DOMAIN_REJECTED'],
    ['IDEMPOTENCY_KEY_IN_USE', 409, 'outcome_unknown', undefined],
    ['COST_MISMATCH', 400, 'unavailable', undefined],
    ['INSUFFICIENT_FUNDS', 400, 'quota', undefined],
    ['INVALID_API_KEYS_001', 400, 'auth', undefined],
    ['VERIFICATION_REQUIRED', 400, 'auth', undefined],
    ['TWO_FACTOR', 403, 'auth', undefined],
    ['INTERNAL_ERROR', 500, 'outcome_unknown', undefined],
  ])('%s (%i) is %s %s', async (code, status, kind, clientCode) => {
    answers['create'] = () => refused(code, {}, status);
    const error = await providerError(buy());
    expect(error).toMatchObject({ kind });
    expect(error.facts.clientCode).toBe(clientCode);
    expect(error.message).toContain(`because of ${code}`);
  });

  it('may come with HTTP 200', async () => {
    answers['create'] = () => refused('DOMAIN_NOT_AVAILABLE', {}, 200);
    const error = await providerError(buy());
    expect(error).toMatchObject({ kind: 'rejected' });
    expect(error.facts.clientCode).toBe('DOMAIN_UNAVAILABLE');
  });

  it.each([200, 400])('with HTTP %i says none of our keys again', async (status) => {
    const message = 'Invalid key pk1_test with sk1_test';
    answers['create'] = () => refused('INVALID_KEY_PK1_TEST', { message }, status);
    const error = await providerError(buy());
    expect(JSON.stringify([error.message, error.facts])).not.toMatch(/[ps]k1_test/i);
    expect(error.message).toContain('Invalid key *** with ***');
  });

  it.each([
    ['1_OUT_OF_1_CREATE_ATTEMPTS_WITHIN_10_SECONDS_USED', {}, 400, 10_000],
    ['RATE_LIMIT_EXCEEDED', { ttlRemaining: 7 }, 429, 7_000],
    ['RATE_LIMIT_EXCEEDED', { ttlRemaining: 3 }, 200, 3_000],
    ['RATE_LIMIT_EXCEEDED', {}, 429, 1_000],
  ])('%s %j (%i) may be repeated after %i ms', async (code, more, status, retryAfterMs) => {
    answers['create'] = () => refused(code, more, status);
    const error = await providerError(buy());
    expect(error).toMatchObject({ kind: 'rate_limited', facts: { retryAfterMs } });
  });

  it('for the limit of a day is the operator’s', async () => {
    const code = '1000_OUT_OF_1000_SUCCESSFUL_CREATES_WITHIN_86400_SECONDS_USED';
    answers['create'] = () => refused(code);
    expect(await providerError(buy())).toMatchObject({
      kind: 'quota',
      facts: { operatorHint: expect.stringContaining('daily limit') },
    });
  });

  it('that was remembered for the key is passed over: the credit is there by now', async () => {
    answers['create'] = (key) =>
      key === 'key:1108'
        ? { ...refused('INSUFFICIENT_FUNDS'), headers: { 'idempotent-replayed': 'true' } }
        : order();
    expect(await buy()).toMatchObject({ orderRef: '991' });
    expect(keys).toEqual(['key:1108', 'key:1108:2']);
  });

  it('that was not remembered is asked for once', async () => {
    answers['create'] = () => refused('INSUFFICIENT_FUNDS');
    await providerError(buy());
    expect(keys).toEqual(['key:1108']);
  });
});

describe('a price', () => {
  it.each([
    ['9.73', 1, 973],
    ['19.99', 2, 3_998],
    ['0.29', 1, 29],
    ['1.1', 3, 330],
    ['1,299.00', 1, 129_900],
  ])('of $%s a year for %i years is %i cents', async (price, minDuration, cents) => {
    answers['checkDomain'] = () => check({ price, minDuration });
    const quote = await registrar.quote('acme.com');
    expect(quote).toMatchObject({ priceCents: cents, termYears: minDuration });
  });

  it('is read from the check alone, never from the public list', async () => {
    await buy();
    await registrar.quoteAll(['acme.com']);
    expect(callsOf('pricing')).toEqual([]);
  });

  it('that moved between check and order is read anew by the next attempt', async () => {
    answers['create'] = () => refused('COST_MISMATCH');
    expect((await providerError(buy())).kind).toBe('unavailable');
    answers['checkDomain'] = () => check({ price: '12.50' });
    answers['create'] = () => order({ cost: 1_250 });
    expect(await buy()).toMatchObject({ chargedCents: 1_250 });
    // Another price is another body, which one key may not have.
    expect(keys).toEqual(['key:1108', 'key:1250']);
  });

  it('over $100 is not ordered, whatever may be spent', async () => {
    answers['checkDomain'] = () => check({ price: '82.70', minDuration: 2 });
    const error = await providerError(buy(50_000));
    expect(error).toMatchObject({ kind: 'rejected', facts: { clientCode: 'PRICE_ABOVE_CAP' } });
    expect(callsOf('create')).toEqual([]);
    const [quote] = await registrar.quoteAll(['acme.com']);
    expect(quote).toMatchObject({ available: true, priceCents: 16_540, restricted: true });
  });
});

describe('a purchase', () => {
  it('takes its dates from the list of domains, which are UTC', async () => {
    expect(await buy()).toEqual({
      domain: 'acme.com',
      purchasedAt: '2026-01-15T10:00:00.000Z',
      expiresAt: '2027-01-15T10:00:00.000Z',
      orderRef: '991',
      chargedCents: 1_108,
    });
  });

  it.each([
    ['is not listed yet', () => ok({ domains: [] })],
    ['cannot be looked at', () => refused('INTERNAL_ERROR', {}, 500)],
    ['is listed beyond the limit', () => refused('RATE_LIMIT_EXCEEDED', {}, 429)],
  ])(
    'that went through but %s stands, from now on and for the shortest term',
    async (_, answer) => {
      answers['checkDomain'] = () => check({ minDuration: 2, price: '5.54' });
      answers['listAll'] = answer;
      const before = Date.now();
      const { purchasedAt, expiresAt, ...bought } = await buy();
      expect(bought).toEqual({ domain: 'acme.com', orderRef: '991', chargedCents: 1_108 });
      expect(Date.parse(purchasedAt)).toBeGreaterThanOrEqual(before);
      const end = new Date(purchasedAt);
      end.setUTCFullYear(end.getUTCFullYear() + 2);
      expect(expiresAt).toBe(end.toISOString());
    },
  );

  it('of a name that we bought within 24 hours asks for the remembered answer', async () => {
    answers['checkDomain'] = () => check({ avail: 'no' });
    answers['listAll'] = () => listed({ createDate: ago(23 * HOUR_MS) });
    expect(await buy()).toMatchObject({ orderRef: '991' });
    expect(keys).toEqual(['key:1108']);
  });

  it('of a name that we bought before is not sent: the vendor has forgotten the key', async () => {
    answers['checkDomain'] = () => check({ avail: 'no' });
    answers['listAll'] = () => listed({ createDate: ago(25 * HOUR_MS) });
    const error = await providerError(buy());
    expect(error).toMatchObject({ kind: 'rejected' });
    expect(error.facts.clientCode).toBe('DOMAIN_UNAVAILABLE');
    expect(callsOf('create')).toEqual([]);
  });

  it('of a taken name that is not listed asks under its key: it may have been bought by that', async () => {
    answers['checkDomain'] = () => check({ avail: 'no' });
    answers['listAll'] = () => ok({ domains: [] });
    expect(await buy()).toMatchObject({ orderRef: '991' });
    answers['create'] = () => refused('DOMAIN_NOT_AVAILABLE');
    const error = await providerError(buy());
    expect(error).toMatchObject({ kind: 'rejected', facts: { clientCode: 'DOMAIN_UNAVAILABLE' } });
    expect(keys).toEqual(['key:1108', 'key:1108']);
  });

  it('stops an automatic renewal that may be on, because the name is not listed yet', async () => {
    answers['listAll'] = () => ok({ domains: [] });
    await buy();
    answers['listAll'] = () => refused('INTERNAL_ERROR', {}, 500);
    await buy();
    expect(callsOf('updateAutoRenew')).toHaveLength(2);
    answers['listAll'] = () => listed();
    await buy();
    expect(callsOf('updateAutoRenew')).toHaveLength(2);
  });

  it('stops the automatic renewal, and stands when that fails', async () => {
    answers['listAll'] = () => listed({ autoRenew: 1 });
    await buy();
    expect(callsOf('updateAutoRenew')).toHaveLength(1);
    const failed = { status: 'ERROR', message: 'Domain is not opted in to API access.' };
    answers['updateAutoRenew'] = () => ok({ results: { 'acme.com': failed } });
    expect(await buy()).toMatchObject({ orderRef: '991' });
  });
});

describe('a renewal', () => {
  const expiresAt = '2027-01-15T10:00:00.000Z';
  const renew = () => registrar.renew('acme.com', 1_600, 'key', expiresAt);

  it('sends its price under a key of its own, and tells the new end', async () => {
    expect(await renew()).toMatchObject({
      expiresAt: '2028-01-15T00:00:00.000Z',
      orderRef: '991',
      chargedCents: 1_108,
    });
    expect(keys).toEqual(['key:1108']);
  });

  it('without a new end in its answer is looked up', async () => {
    let lookUps = 0;
    answers['renew'] = () => order();
    answers['listAll'] = () => {
      lookUps += 1;
      return listed(lookUps === 1 ? {} : { expireDate: '2028-01-15 10:00:00' });
    };
    expect((await renew()).expiresAt).toBe('2028-01-15T10:00:00.000Z');
  });

  it('whose new end is not shown yet is `outcome_unknown`', async () => {
    answers['renew'] = () => order();
    expect((await providerError(renew())).kind).toBe('outcome_unknown');
  });

  it('is paid once, when the vendor has done it by itself', async () => {
    answers['listAll'] = () => listed({ expireDate: '2028-01-15 10:00:00', autoRenew: 1 });
    expect(await renew()).toMatchObject({ chargedCents: null });
    expect(callsOf('renew/')).toEqual([]);
    expect(callsOf('updateAutoRenew')).toHaveLength(1);
  });

  it('is not paid while the vendor would renew by itself as well', async () => {
    const failed = { status: 'ERROR', message: 'Domain is not opted in to API access.' };
    answers['listAll'] = () => listed({ autoRenew: '1' });
    answers['updateAutoRenew'] = () => ok({ results: { 'acme.com': failed } });
    const error = await providerError(renew());
    expect(error.facts.operatorHint).toBe(failed.message);
    expect(callsOf('renew/')).toEqual([]);
  });
});

describe('a look', () => {
  it('finds the domain on a later page, where the filter is not known', async () => {
    const other = (n: number) => ({
      domain: `other-${n}.com`,
      createDate: '2026-01-01 00:00:00',
      expireDate: '2027-01-01 00:00:00',
    });
    let page = 0;
    answers['listAll'] = () => {
      page += 1;
      return page === 1
        ? ok({ domains: Array.from({ length: 1_000 }, (_, n) => other(n)) })
        : listed();
    };
    expect(await registrar.find('acme.com')).toMatchObject({ domain: 'acme.com' });
    expect(callsOf('listAll')).toHaveLength(2);
  });
});

describe('many quotes', () => {
  it('wait for the vendor’s limit, before it is passed and after', async () => {
    const used = { limits: { TTL: 10, limit: 10, used: 10 }, ttlRemaining: 0.3 };
    let asked = 0;
    answers['checkDomain'] = () => {
      asked += 1;
      if (asked === 1) return check({}, used);
      return asked === 2 ? refused('RATE_LIMIT_EXCEEDED', { ttlRemaining: 1 }, 429) : check();
    };
    const began = performance.now();
    const quotes = await registrar.quoteAll(['one.com', 'two.com']);
    expect(quotes.map(({ available }) => available)).toEqual([true, true]);
    expect(performance.now() - began).toBeGreaterThan(1_200);
  });

  it('are those that are known when their time is over', async () => {
    const used = { limits: { TTL: 10, limit: 10, used: 10 }, ttlRemaining: 9 };
    answers['checkDomain'] = () => check({}, used);
    const began = performance.now();
    const quotes = await registrar.quoteAll(['one.com', 'two.com'], 8_000);
    expect(quotes.map(({ domain }) => domain)).toEqual(['one.com']);
    expect(performance.now() - began).toBeLessThan(7_000);
  });

  it('do not wait where nothing is left of their patience', async () => {
    answers['checkDomain'] = () => refused('RATE_LIMIT_EXCEEDED', { ttlRemaining: 600 }, 429);
    const error = await providerError(registrar.quoteAll(['one.com']));
    expect(error).toMatchObject({ kind: 'rate_limited', facts: { retryAfterMs: 600_000 } });
  });
});

describe('a record', () => {
  const shown = (more: object) =>
    fromRecord(
      'acme.com',
      recordAnswer.parse({
        id: '7',
        name: 'acme.com',
        type: 'A',
        content: 'x',
        ttl: '600',
        ...more,
      }),
    );

  it.each([
    ['acme.com', '@'],
    ['ACME.com.', '@'],
    ['mail.acme.com', 'mail'],
    ['_imaps._tcp.acme.com', '_imaps._tcp'],
    ['*.acme.com', '*'],
    ['notacme.com', 'notacme.com'],
  ])('named %s is %s', (name, label) => {
    expect(shown({ name }).name).toBe(label);
  });

  it('comes with numbers as texts, and with none where the type has none', () => {
    expect(shown({ type: 'MX', prio: '10' })).toMatchObject({ id: '7', ttl: 600, priority: 10 });
    expect(shown({ type: 'MX', prio: null }).priority).toBe(0);
    expect(shown({ type: 'TXT', prio: '5' })).not.toHaveProperty('priority');
    expect(shown({ type: 'ALIAS', prio: null }).type).toBe('ALIAS');
  });

  it('goes out with the label alone, blank for the apex, and lives 600 s at least', () => {
    const record = { type: 'A', name: '@', value: '198.18.0.1', ttl: 60 } as const;
    expect(toRecord(record)).toEqual({ type: 'A', name: '', content: '198.18.0.1', ttl: 600 });
    expect(toRecord({ ...record, name: 'mail', ttl: 900 })).toMatchObject({
      name: 'mail',
      ttl: 900,
    });
  });

  it('of more than 255 bytes travels as one text, and comes back as one', () => {
    const value = `v=DKIM1; p=${'a'.repeat(400)}`;
    expect(toRecord({ type: 'TXT', name: 's1', value }).content).toBe(value);
    expect(shown({ type: 'TXT', content: value }).value).toBe(value);
    const pieces = `"${value.slice(0, 255)}" "${value.slice(255)}"`;
    expect(shown({ type: 'TXT', content: pieces }).value).toBe(value);
  });

  it('that is there already is answered with its id', async () => {
    const twin = { id: '41', name: 'mail.acme.com', type: 'A', content: '198.18.0.1', ttl: '600' };
    answers['create'] = () => refused('DUPLICATE_RECORD', { existingId: '41' });
    answers['retrieve'] = () => ok({ records: [{ ...twin, prio: null }] });
    const record = { type: 'A', name: 'mail', value: '198.18.0.1' } as const;
    expect(await registrar.createRecord('acme.com', record)).toMatchObject({ id: '41' });
  });

  it('of a domain whose API access is off is the operator’s to open', async () => {
    const code = 'DOMAIN_IS_NOT_OPTED_IN_TO_API_ACCESS_YOU_CAN_ENABLE_API_ACCESS';
    answers['retrieve'] = () => refused(code);
    expect(await providerError(registrar.listRecords('acme.com'))).toMatchObject({
      kind: 'auth',
      facts: { operatorHint: expect.stringContaining('Turn on API access') },
    });
  });
});

describe('its address', () => {
  it.each([
    ['https://api.porkbun.com/api/json/v3', []],
    ['https://api-ipv4.porkbun.com/api/json/v3', []],
    ['http://127.0.0.1:3900/porkbun/api/json/v3', ['PORKBUN_BASE_URL']],
    ['https://api.porkbun.com.example.org/api/json/v3', ['PORKBUN_BASE_URL']],
  ])('%s is a development setting: %j', (address, found) => {
    expect(porkbun.developmentSettings({ PORKBUN_BASE_URL: address })).toEqual(found);
  });
});
