/** The Porkbun stand-in as a registrar: exact prices, limits, remembered answers, its own DNS. */
import { Resolver } from 'node:dns/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PORKBUN_API_KEY, PORKBUN_SECRET_API_KEY } from '../../src/sandbox/porkbun/wire.ts';
import {
  startTestSandbox,
  STRICT_PACE,
  type Reply,
  type TestSandbox,
} from '../support/vendors/sandbox.ts';

const CREDENTIALS = { 'x-api-key': PORKBUN_API_KEY, 'x-secret-api-key': PORKBUN_SECRET_API_KEY };

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox({ pace: 500 });
});
afterAll(() => sandbox.remove());

const ask = (path: string, body: object = {}, headers: object = {}, world = sandbox) =>
  world.ask('POST', `/porkbun/api/json/v3${path}`, body, { ...CREDENTIALS, ...headers });
const buy = (domain: string, cost = 1_108, key?: string): Promise<Reply> =>
  ask(
    `/domain/create/${domain}`,
    { cost, agreeToTerms: 'yes' },
    key === undefined ? {} : { 'Idempotency-Key': key },
  );
const books = async () => (await sandbox.control('GET', '/books')).body.registrars.porkbun;

describe('a purchase', () => {
  it('is in the books with its cents, and the name is sold for every registrar', async () => {
    const { body } = await buy('sold.com');
    expect(body).toMatchObject({ status: 'SUCCESS', domain: 'sold.com', cost: 1_108 });
    expect(body).not.toHaveProperty('expirationDate');
    expect((await books()).orders).toContainEqual(
      expect.objectContaining({ domain: 'sold.com', kind: 'register', amountCents: 1_108 }),
    );
    expect((await ask('/domain/checkDomain/sold.com')).body.response.avail).toBe('no');
    expect((await buy('sold.com')).body.code).toBe('DOMAIN_NOT_AVAILABLE');
    const names = { domainNames: ['sold.com'] };
    const { body: check } = await sandbox.namecom('POST', '/domains:checkAvailability', names);
    expect(check.results[0].purchasable).toBe(false);
    await sandbox.namecom('POST', '/domains', { domain: { domainName: 'theirs.com' } });
    expect((await buy('theirs.com')).body.code).toBe('DOMAIN_NOT_AVAILABLE');
  });

  it('a cent off, over $100 or of a premium name is refused with HTTP 400', async () => {
    const codes = [
      (await buy('cent.com', 1_109)).body.code,
      (await buy('years.ai', 8_270)).body.code,
      (await buy('years.ai', 16_540)).body.code,
      (await buy('premium-x.com', 249_900)).body.code,
      (await buy('no_such.com')).body.code,
      (await buy('taken-x.com')).body.code,
    ];
    expect(codes).toEqual([
      'COST_MISMATCH',
      'COST_MISMATCH',
      'ORDER_TOO_LARGE',
      'PREMIUM_DOMAIN_NOT_SUPPORTED',
      'INVALID_DOMAIN',
      'DOMAIN_NOT_AVAILABLE',
    ]);
  });

  it('is replayed for its key, refusals too, over a restart as well', async () => {
    const first = await buy('twice.com', 1_108, 'key-1');
    const refusal = await buy('mismatch.com', 1, 'key-2');
    const before = await books();
    sandbox = await sandbox.restart();
    expect(await books()).toEqual(before);
    const second = await buy('twice.com', 1_108, 'key-1');
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.body).toEqual(first.body);
    const again = await buy('mismatch.com', 1, 'key-2');
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual(refusal.body);
    const other = await buy('twice.com', 1_109, 'key-1');
    expect([other.status, other.body.code]).toEqual([409, 'IDEMPOTENCY_KEY_MISMATCH']);
  });

  it('can be renewed for a year, at the renewal’s price', async () => {
    await buy('renewed.dev', 875);
    const cheap = await ask('/domain/renew/renewed.dev', { cost: 875 });
    expect(cheap.body.code).toBe('COST_MISMATCH');
    const { body } = await ask('/domain/renew/renewed.dev', { cost: 1_287 });
    const year = new Date().getUTCFullYear() + 2;
    expect(body.expirationDate).toMatch(new RegExp(`^${year}-`));
    const { body: listed } = await ask('/domain/listAll', { domain: 'renewed.dev' });
    expect(listed.domains[0]).toMatchObject({ autoRenew: 1, apiAccess: 1 });
    expect(listed.domains[0].expireDate).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  });
});

describe('the wire', () => {
  it('answers ERROR with a code for missing and wrong keys, and broken JSON', async () => {
    const path = '/porkbun/api/json/v3/domain/listAll';
    const none = await sandbox.ask('POST', path, {});
    expect([none.status, none.body.code]).toEqual([400, 'API_KEY_REQUIRED']);
    const wrong = await ask('/domain/listAll', {}, { 'x-api-key': 'pk1_wrong' });
    expect(wrong.body).toMatchObject({ status: 'ERROR', code: 'INVALID_API_KEYS_001' });
    const broken = await sandbox.ask('POST', path, '{"domain":');
    expect(broken.body.code).toBe('INVALID_OR_EMPTY_JSON');
  });

  it('takes ten checks in ten seconds, and tells how many are used', async () => {
    const strict = await startTestSandbox({ limitPace: STRICT_PACE });
    const check = (n: number) => ask(`/domain/checkDomain/n${n}.com`, {}, {}, strict);
    const replies = [];
    for (let n = 0; n < 11; n += 1) replies.push(await check(n));
    await strict.remove();
    expect(replies[9]!.body.limits).toMatchObject({ TTL: 10, limit: 10, used: 10 });
    expect(replies[10]!.status).toBe(429);
    expect(replies[10]!.body).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
    expect(replies[10]!.body.ttlRemaining).toBeGreaterThan(0);
  });

  it('takes one order a second, and makes a code of the refusal', async () => {
    const strict = await startTestSandbox({ limitPace: STRICT_PACE });
    const order = (domain: string) =>
      ask(`/domain/create/${domain}`, { cost: 1_108, agreeToTerms: 'yes' }, {}, strict);
    const [first, second] = await Promise.all([order('a.com'), order('b.com')]);
    await strict.remove();
    const haste = [first, second].find(({ status }) => status === 400);
    expect(haste?.body.code).toBe('1_OUT_OF_1_CREATE_ATTEMPTS_WITHIN_1_SECONDS_USED');
  });

  it('shows full names and numbers as texts, and its records are in the world’s DNS', async () => {
    await buy('zone.com');
    const txt = { name: '', type: 'TXT', content: 'v=spf1 -all', ttl: 600 };
    await ask('/dns/create/zone.com', txt);
    await ask('/dns/create/zone.com', { name: '', type: 'MX', content: 'mail.zone.com', prio: 5 });
    expect((await ask('/dns/create/zone.com', txt)).body.code).toBe('DUPLICATE_RECORD');
    expect((await ask('/dns/create/zone.com', { ...txt, ttl: 300 })).body.code).toBe('INVALID_TTL');
    const { records } = (await ask('/dns/retrieve/zone.com')).body;
    const shown = (type: string) => records.find((each: { type: string }) => each.type === type);
    expect(shown('MX')).toMatchObject({ name: 'zone.com', ttl: '600', prio: '5' });
    expect(shown('TXT').prio).toBeNull();
    // A new domain is parked: an ALIAS for the apex, a CNAME for everything below.
    expect(shown('ALIAS')).toMatchObject({ content: 'pixie.porkbun.com' });
    expect(shown('CNAME').name).toBe('*.zone.com');
    const resolver = new Resolver();
    resolver.setServers([sandbox.dns]);
    expect(await resolver.resolveTxt('zone.com')).toEqual([['v=spf1 -all']]);
    // Node 24 adds a `type`.
    expect(await resolver.resolveMx('zone.com')).toMatchObject([
      { exchange: 'mail.zone.com', priority: 5 },
    ]);
  });

  it('follows the control API’s faults and magic names, and logs no key', async () => {
    await sandbox.control('POST', '/faults', { vendor: 'porkbun', kind: 'error_500', times: 1 });
    expect((await ask('/domain/listAll')).status).toBe(500);
    const flaky = [await ask('/domain/checkDomain/flaky-1.com')];
    flaky.push(await ask('/domain/checkDomain/flaky-1.com'));
    expect(flaky.map(({ status }) => status)).toEqual([500, 200]);
    await sandbox.ask('POST', '/porkbun/api/json/v3/ping', {
      apikey: PORKBUN_API_KEY,
      secretapikey: PORKBUN_SECRET_API_KEY,
    });
    const log = JSON.stringify((await sandbox.control('GET', '/requests?vendor=porkbun')).body);
    expect(log).not.toContain(PORKBUN_SECRET_API_KEY);
    expect(log).not.toContain(PORKBUN_API_KEY);
  });

  it('shows an effect that lags late, also to its readers by POST', async () => {
    const lag = { vendor: 'porkbun', kind: 'lag', times: 1, delayMs: 60_000 };
    await sandbox.control('POST', '/faults', { ...lag, operation: 'POST /domain/create/late.com' });
    expect((await buy('late.com')).body.status).toBe('SUCCESS');
    expect((await ask('/domain/listAll', { domain: 'late.com' })).body.domains).toEqual([]);
    expect((await books()).domains).toContainEqual(expect.objectContaining({ domain: 'late.com' }));
  });
});
