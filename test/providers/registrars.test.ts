/** The port of registrars: every adapter against its stand-in, and both against the vendor's spec. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Registrar } from '../../src/providers/registrars/port.ts';
import { registrars } from '../../src/providers/registrars/index.ts';
import { startMailWorld, type MailWorld } from '../support/mail-world.ts';
import { checkCalls } from '../support/provider-calls.ts';
import { NAMECOM_DEVIATIONS } from '../support/provider-deviations.ts';
import { providerError } from '../support/provider-error.ts';
import { specMissing } from '../support/provider-spec.ts';

const CAP_CENTS = 1_600;
const NAMECOM = { NAMECOM_USERNAME: 'sandbox-test', NAMECOM_TOKEN: 'namecom-sandbox-token' };
const LONG_TEXT = `v=DKIM1; k=rsa; p=${'MIIB"x\\'.repeat(60)}`;

let world: MailWorld;
let registrar: Registrar;
beforeAll(async () => {
  // The vendor's 20 calls a second follow the pace; these tests make more.
  world = await startMailWorld({ pace: 50 });
  registrar = namecomWith({});
});
afterEach(() => world.door('DELETE', '/faults'));
afterAll(() => world.close());

function namecomWith(changed: Record<string, string>): Registrar {
  const environment = { ...NAMECOM, NAMECOM_URL: `${world.sandbox().url}/namecom/core/v1` };
  const state = registrars.namecom.configure({ ...environment, ...changed });
  if (state.state !== 'on') throw new Error('not configured');
  return state.create({ timeoutMs: 1_500, outboundProxy: undefined });
}

const fault = (operation: string, kind: string, times = 1) =>
  world.door('POST', '/faults', { vendor: 'namecom', operation, kind, times });

async function orders(domain: string): Promise<{ amountCents: number }[]> {
  const { body } = await world.door('GET', '/books');
  return body.registrars.namecom.orders.filter((o: { domain: string }) => o.domain === domain);
}

describe('quote', () => {
  it('tells price, renewal and term of a free name', async () => {
    const quote = await registrar.quote('free-name.com');
    expect(quote).toMatchObject({ available: true, premium: false, termYears: 1 });
    expect(quote.priceCents).toBeGreaterThan(0);
    expect(Number.isInteger(quote.renewalCents)).toBe(true);
  });

  it('calls a taken name unavailable and does not throw', async () => {
    expect(await registrar.quote('taken-name.com')).toMatchObject({ available: false });
  });

  it('marks a premium name', async () => {
    expect(await registrar.quote('premium-name.com')).toMatchObject({ premium: true });
  });
});

describe('register', () => {
  it('buys once, tells the order and the cents, and is found afterwards', async () => {
    expect(await registrar.find('bought.com')).toBeNull();
    const quote = await registrar.quote('bought.com');
    const bought = await registrar.register('bought.com', CAP_CENTS, 'key-bought');
    expect(bought).toMatchObject({ domain: 'bought.com', chargedCents: quote.priceCents });
    expect(bought.purchasedAt).toMatch(/^\d{4}-.*Z$/);
    expect(Date.parse(bought.expiresAt)).toBeGreaterThan(Date.parse(bought.purchasedAt));
    expect(await registrar.find('bought.com')).toEqual({
      domain: 'bought.com',
      purchasedAt: bought.purchasedAt,
      expiresAt: bought.expiresAt,
    });
  });

  it('repeated with one key answers the first purchase and buys nothing', async () => {
    const first = await registrar.register('twice.com', CAP_CENTS, 'key-twice');
    expect(await registrar.register('twice.com', CAP_CENTS, 'key-twice')).toEqual(first);
    expect(await orders('twice.com')).toHaveLength(1);
  });

  it('of what we own already, with another key, is refused and buys nothing', async () => {
    await registrar.register('ours.com', CAP_CENTS, 'key-ours-1');
    const error = await providerError(registrar.register('ours.com', CAP_CENTS, 'key-ours-2'));
    expect(error).toMatchObject({ kind: 'rejected', facts: { clientCode: 'DOMAIN_UNAVAILABLE' } });
    expect(await orders('ours.com')).toHaveLength(1);
  });

  it('of a taken name is DOMAIN_UNAVAILABLE', async () => {
    const error = await providerError(registrar.register('taken-it.com', CAP_CENTS, 'key-taken'));
    expect(error).toMatchObject({ kind: 'rejected', facts: { clientCode: 'DOMAIN_UNAVAILABLE' } });
  });

  it('above the cap, or of a premium name, is PRICE_ABOVE_CAP and buys nothing', async () => {
    const dear = await providerError(registrar.register('dear.com', 1, 'key-dear'));
    expect(dear).toMatchObject({ kind: 'rejected', facts: { clientCode: 'PRICE_ABOVE_CAP' } });
    const name = 'premium-it.com';
    const premium = await providerError(registrar.register(name, 10_000_000, 'key-premium'));
    expect(premium).toMatchObject({ kind: 'rejected', facts: { clientCode: 'PRICE_ABOVE_CAP' } });
    expect([...(await orders('dear.com')), ...(await orders(name))]).toEqual([]);
  });

  it('of an impossible name is refused for good', async () => {
    const error = await providerError(registrar.register('no_such.com', CAP_CENTS, 'key-bad'));
    expect(error.kind).toBe('rejected');
  });

  it('with a lost answer is `outcome_unknown`, was bought, and repeats without buying', async () => {
    const name = 'lost-answer-one.com';
    const error = await providerError(registrar.register(name, CAP_CENTS, 'key-lost'));
    expect(error.kind).toBe('outcome_unknown');
    expect(await registrar.find(name)).toMatchObject({ domain: name });
    expect(await registrar.register(name, CAP_CENTS, 'key-lost')).toMatchObject({ domain: name });
    expect(await orders(name)).toHaveLength(1);
  });

  it.each(['timeout_before_effect', 'reset', 'error_500'])(
    'is `outcome_unknown` after %s, and provably did nothing',
    async (kind) => {
      const name = `${kind.replaceAll('_', '-')}.com`;
      await fault('POST /domains', kind);
      const error = await providerError(registrar.register(name, CAP_CENTS, `key-${kind}`));
      expect(error.kind).toBe('outcome_unknown');
      expect(await registrar.find(name)).toBeNull();
    },
  );

  it('tells an operator about wrong credentials, and a caller about haste', async () => {
    const stranger = namecomWith({ NAMECOM_TOKEN: 'wrong-token' });
    const error = await providerError(stranger.register('auth.com', CAP_CENTS, 'key-auth'));
    expect(error.kind).toBe('auth');
    expect(error.facts.operatorHint).toMatch(/NAMECOM_TOKEN/);
    expect(JSON.stringify(error) + error.message).not.toContain('wrong-token');
    await fault('POST /domains', 'rate_limited');
    const haste = await providerError(registrar.register('haste.com', CAP_CENTS, 'key-haste'));
    expect(haste.kind).toBe('rate_limited');
    expect(haste.facts.retryAfterMs).toBeGreaterThan(0);
  });
});

describe('find', () => {
  it('passes on what is not a 404', async () => {
    await fault('GET /domains/{domainName}', 'error_500');
    expect((await providerError(registrar.find('any.com'))).kind).toBe('unavailable');
  });
});

describe('records', () => {
  const domain = 'records.com';
  beforeAll(() => registrar.register(domain, CAP_CENTS, 'key-records'));

  it('of every kind come back as they were given, the apex as @', async () => {
    const given = [
      { type: 'A', name: 'mail', value: '198.18.0.7', ttl: 600 },
      { type: 'MX', name: '@', value: `mail.${domain}`, priority: 10, ttl: 300 },
      { type: 'TXT', name: '@', value: 'v=spf1 mx -all', ttl: 300 },
      { type: 'TXT', name: 's1._domainkey', value: LONG_TEXT, ttl: 300 },
      { type: 'SRV', name: '_imaps._tcp', value: `1 993 mail.${domain}`, priority: 0, ttl: 300 },
    ] as const;
    const made = [];
    for (const record of given) made.push(await registrar.createRecord(domain, record));
    const listed = await registrar.listRecords(domain);
    expect(listed).toEqual(made);
    expect(listed).toEqual(given.map((record) => ({ ...record, id: expect.any(String) })));
  });

  it('get the shortest life that the vendor allows, when a shorter one is asked for', async () => {
    const record = { type: 'A', name: 'quick', value: '198.18.0.8', ttl: 60 } as const;
    expect((await registrar.createRecord(domain, record)).ttl).toBe(300);
  });

  it('can be deleted, and deleted again', async () => {
    const record = { type: 'A', name: 'gone', value: '198.18.0.9' } as const;
    const { id } = await registrar.createRecord(domain, record);
    await registrar.deleteRecord(domain, id);
    await registrar.deleteRecord(domain, id);
    expect((await registrar.listRecords(domain)).map((each) => each.id)).not.toContain(id);
  });

  it('of a domain that is not ours are refused', async () => {
    expect((await providerError(registrar.listRecords('not-ours.com'))).kind).toBe('rejected');
  });
});

describe('the wire', () => {
  const missing = specMissing('namecom.json');
  it.skipIf(missing)(
    `fits the vendor's spec both ways${missing ? ` (${missing})` : ''}`,
    async () => {
      const checked = await checkCalls(world, 'namecom', {
        file: 'namecom.json',
        deviations: NAMECOM_DEVIATIONS,
      });
      expect(checked?.calls).toBeGreaterThan(30);
      expect(checked?.problems).toEqual([]);
    },
  );
});
