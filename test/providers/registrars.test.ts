/** The port of registrars: every adapter of the registry against its stand-in, by the same rules. */
import { Resolver } from 'node:dns/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { checkDelegation } from '../../src/domain/domains/domain-health.ts';
import { createDnsResolver } from '../../src/providers/dns/index.ts';
import type { Registrar } from '../../src/providers/registrars/port.ts';
import { startMailWorld, type MailWorld } from '../support/mail/mail-world.ts';
import { checkCalls } from '../support/vendors/provider-calls.ts';
import { NAMECOM_DEVIATIONS, PORKBUN_DEVIATIONS } from '../support/vendors/provider-deviations.ts';
import { providerError } from '../support/vendors/provider-error.ts';
import { specMissing, type Deviation } from '../support/vendors/provider-spec.ts';
import { LOST_AFTER_MS } from '../support/vendors/sandbox.ts';
import {
  learnOperation,
  ordersOf,
  registrarAt,
  registrarNames,
  wrongSecrets,
} from '../support/vendors/registrar-world.ts';

const CAP_CENTS = 3_000;
const LONG_TEXT = `v=DKIM1; k=rsa; p=${'MIIB"x\\'.repeat(60)}`;

/** The vendors' own contracts, where one is saved. */
const SPECS: Record<string, { file: string; deviations: Deviation[] }> = {
  namecom: { file: 'namecom.json', deviations: NAMECOM_DEVIATIONS },
  porkbun: { file: 'porkbun.json', deviations: PORKBUN_DEVIATIONS },
};

let world: MailWorld;
beforeAll(async () => {
  // The vendors' limits follow the pace; these tests make more calls than they allow.
  world = await startMailWorld({ pace: 500 });
});
afterEach(() => world.control('DELETE', '/faults'));
afterAll(() => world.close());

describe.each(registrarNames)('%s', (vendor) => {
  let registrar: Registrar;
  /** Gives up soon: for answers that never come. */
  let hasty: Registrar;
  /** How the vendor writes its purchase and its renewal, about `probe.com`. */
  let operations: { register: string; renew: string; find: string };
  const named = (name: string) => `${name}-${vendor}.com`;
  const probe = named('probe');

  beforeAll(async () => {
    registrar = registrarAt(world, vendor);
    hasty = registrarAt(world, vendor, { timeoutMs: LOST_AFTER_MS });
    let expiresAt = '';
    const register = await learnOperation(world, vendor, async () => {
      const bought = await registrar.register(probe, CAP_CENTS, `key-${probe}`);
      expiresAt = bought.expiresAt;
      return bought.orderRef;
    });
    const renew = await learnOperation(world, vendor, async () => {
      const renewed = await registrar.renew(probe, CAP_CENTS, `key-renew-${probe}`, expiresAt);
      return renewed.orderRef ?? undefined;
    });
    const find = await learnOperation(world, vendor, async () => {
      await registrar.find(probe);
      return undefined;
    });
    operations = { register, renew, find };
  });

  const fault = (operation: string, kind: string, domain = probe) =>
    world.control('POST', '/faults', {
      vendor,
      operation: operation.replaceAll(probe, domain),
      kind,
      times: 1,
    });
  const buy = (domain: string) => registrar.register(domain, CAP_CENTS, `key-${domain}`);
  const orders = (domain: string) => ordersOf(world, vendor, domain);
  const renewals = async (domain: string) =>
    (await orders(domain)).filter(({ kind }) => kind === 'renew');

  describe('quote', () => {
    it('tells price, renewal and term of a free name', async () => {
      const quote = await registrar.quote(named('free-name'));
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

    it('is given for fifty names at once, in the order asked, odd ones included', async () => {
      const odd = ['taken-x.com', 'x.no-such-tld', 'premium-x.com', 'two-years.ai'];
      const plain = Array.from({ length: 46 }, (_, n) => `fifty-${n}.net`);
      const names = [...plain.slice(0, 20), ...odd, ...plain.slice(20)];
      const quotes = await registrar.quoteAll(names);
      expect(quotes.map(({ domain }) => domain)).toEqual(names);
      const of = (name: string) => quotes.find(({ domain }) => domain === name);
      expect(of('fifty-7.net')).toMatchObject({ available: true, priceCents: expect.any(Number) });
      expect(of('fifty-7.net')).not.toHaveProperty('restricted');
      expect(of('taken-x.com')).toMatchObject({ available: false, priceCents: null });
      expect(of('x.no-such-tld')).toMatchObject({ available: false, restricted: true });
      expect(of('premium-x.com')).toMatchObject({ premium: true });
      expect(of('two-years.ai')).toMatchObject({ termYears: 2 });
    });

    it('is given for no names without a question', async () => {
      expect(await registrar.quoteAll([])).toEqual([]);
    });
  });

  describe('register', () => {
    it('buys once, tells the order and the cents, and is found afterwards', async () => {
      const domain = named('bought');
      expect(await registrar.find(domain)).toBeNull();
      const quote = await registrar.quote(domain);
      const bought = await buy(domain);
      expect(bought).toMatchObject({ domain, chargedCents: quote.priceCents });
      expect(bought.orderRef).not.toBe('');
      expect(bought.purchasedAt).toMatch(/^\d{4}-.*Z$/);
      expect(Date.parse(bought.expiresAt)).toBeGreaterThan(Date.parse(bought.purchasedAt));
      const { purchasedAt, expiresAt } = bought;
      expect(await registrar.find(domain)).toEqual({ domain, purchasedAt, expiresAt });
      expect(await orders(domain)).toMatchObject([{ amountCents: bought.chargedCents }]);
    });

    it('repeated with one key answers the first purchase and buys nothing', async () => {
      const first = await buy(named('twice'));
      expect(await buy(named('twice'))).toEqual(first);
      expect(await orders(named('twice'))).toHaveLength(1);
    });

    it('of what we own already, with another key, is refused and buys nothing', async () => {
      const domain = named('ours');
      await buy(domain);
      const error = await providerError(registrar.register(domain, CAP_CENTS, 'key-ours-2'));
      expect(error).toMatchObject({ kind: 'rejected' });
      expect(error.facts.clientCode).toBe('DOMAIN_UNAVAILABLE');
      expect(await orders(domain)).toHaveLength(1);
    });

    it('of a taken name is DOMAIN_UNAVAILABLE', async () => {
      const error = await providerError(buy(named('taken-it')));
      expect(error).toMatchObject({ kind: 'rejected' });
      expect(error.facts.clientCode).toBe('DOMAIN_UNAVAILABLE');
    });

    it.each([
      ['dear', 1],
      ['premium-it', 10_000_000],
    ])('of %s, where %i cents are allowed, is PRICE_ABOVE_CAP', async (name, cap) => {
      const domain = named(name);
      const error = await providerError(registrar.register(domain, cap, `key-${domain}`));
      expect(error).toMatchObject({ kind: 'rejected', facts: { clientCode: 'PRICE_ABOVE_CAP' } });
      expect(await orders(domain)).toEqual([]);
    });

    it('of an impossible name is refused for good', async () => {
      expect((await providerError(buy('no_such.com'))).kind).toBe('rejected');
    });

    it('with a lost answer is `outcome_unknown`, was bought, and repeats without buying', async () => {
      const domain = named('lost-answer');
      const lost = hasty.register(domain, CAP_CENTS, `key-${domain}`);
      expect((await providerError(lost)).kind).toBe('outcome_unknown');
      expect(await registrar.find(domain)).toMatchObject({ domain });
      expect(await buy(domain)).toMatchObject({ domain });
      expect(await orders(domain)).toHaveLength(1);
    });

    it.each(['timeout_before_effect', 'reset', 'error_500'])(
      'is `outcome_unknown` after %s, and provably did nothing',
      async (kind) => {
        const domain = named(kind.replaceAll('_', '-'));
        await fault(operations.register, kind, domain);
        const lost = hasty.register(domain, CAP_CENTS, `key-${domain}`);
        expect((await providerError(lost)).kind).toBe('outcome_unknown');
        expect(await registrar.find(domain)).toBeNull();
      },
    );

    it('tells an operator about wrong credentials, and repeats no secret', async () => {
      const stranger = registrarAt(world, vendor, { changed: wrongSecrets(vendor) });
      const error = await providerError(stranger.register('auth.com', CAP_CENTS, 'key-auth'));
      expect(error.kind).toBe('auth');
      expect(error.facts.operatorHint).toMatch(/_(TOKEN|KEY)/);
      expect(JSON.stringify(error) + error.message).not.toContain('wrong-secret');
    });

    it('asked too fast says when it may be repeated', async () => {
      const domain = named('haste');
      await fault(operations.register, 'rate_limited', domain);
      const haste = await providerError(buy(domain));
      expect(haste.kind).toBe('rate_limited');
      expect(haste.facts.retryAfterMs).toBeGreaterThan(0);
    });
  });

  describe('renew', () => {
    it('adds one term, tells the cents, and is found afterwards', async () => {
      const domain = named('renewed');
      const bought = await buy(domain);
      const { renewalCents } = await registrar.quote(named('as-free-as-renewed'));
      const key = `renew-${domain}`;
      const renewed = await registrar.renew(domain, CAP_CENTS, key, bought.expiresAt);
      expect(renewed.chargedCents).toBe(renewalCents);
      expect(yearOf(renewed.expiresAt)).toBe(yearOf(bought.expiresAt) + 1);
      const found = await registrar.find(domain);
      expect(yearOf(found!.expiresAt)).toBe(yearOf(renewed.expiresAt));
      expect(await renewals(domain)).toMatchObject([{ amountCents: renewed.chargedCents }]);
    });

    it('repeated, with whatever key, answers what is there and pays nothing', async () => {
      const domain = named('renewed-twice');
      const { expiresAt } = await buy(domain);
      const first = await registrar.renew(domain, CAP_CENTS, 'renew-key-1', expiresAt);
      const second = await registrar.renew(domain, CAP_CENTS, 'renew-key-2', expiresAt);
      expect(yearOf(second.expiresAt)).toBe(yearOf(first.expiresAt));
      expect(second).toMatchObject({ orderRef: null, chargedCents: null });
      expect(await renewals(domain)).toHaveLength(1);
    });

    it('above the cap is PRICE_ABOVE_CAP and pays nothing', async () => {
      const domain = named('renewed-dear');
      const { expiresAt } = await buy(domain);
      const error = await providerError(registrar.renew(domain, 1, 'renew-dear', expiresAt));
      expect(error).toMatchObject({ kind: 'rejected', facts: { clientCode: 'PRICE_ABOVE_CAP' } });
      expect(await renewals(domain)).toEqual([]);
    });

    it('of a domain that is not ours is refused', async () => {
      const stranger = registrar.renew('not-ours.com', CAP_CENTS, 'k', new Date().toISOString());
      expect((await providerError(stranger)).kind).toBe('rejected');
    });

    it.each([
      ['timeout_after_effect', 1],
      ['reset', 0],
    ])('after %s is `outcome_unknown`, and repeated pays once', async (kind, paid) => {
      const domain = named(`renewed-${kind.replaceAll('_', '-')}`);
      const { expiresAt } = await buy(domain);
      await fault(operations.renew, kind, domain);
      const lost = hasty.renew(domain, CAP_CENTS, `renew-${domain}`, expiresAt);
      expect((await providerError(lost)).kind).toBe('outcome_unknown');
      expect(await renewals(domain)).toHaveLength(paid);
      const again = await registrar.renew(domain, CAP_CENTS, `renew-${domain}`, expiresAt);
      expect(yearOf(again.expiresAt)).toBe(yearOf(expiresAt) + 1);
      expect(await renewals(domain)).toHaveLength(1);
    });
  });

  describe('find', () => {
    it('passes on what is not an absence', async () => {
      await fault(operations.find, 'error_500');
      expect((await providerError(registrar.find(probe))).kind).toBe('unavailable');
    });
  });

  describe('the list of domains', () => {
    it('has what was bought, as it is found one by one', async () => {
      const listed = await registrar.listDomains!();
      expect(listed).toContainEqual(expect.objectContaining(await registrar.find(probe)));
      expect(listed.map(({ domain }) => domain)).not.toContain(named('never-bought'));
    });
  });

  describe('a purchase', () => {
    it('is delegated: the health of the domain names its servers', async () => {
      const domain = named('delegated');
      const resolver = new Resolver();
      resolver.setServers([world.sandbox().dns]);
      const dns = {
        resolveA: (name: string) => resolver.resolve4(name),
        resolveMx: (name: string) => resolver.resolveMx(name),
        resolveNs: (name: string) => resolver.resolveNs(name),
        resolveCaa: async () => [],
        resolveTxt: async (name: string) =>
          (await resolver.resolveTxt(name)).map((parts) => parts.join('')),
      };
      await buy(domain);
      expect(await checkDelegation(dns, domain)).toMatchObject({
        state: 'ok',
        message: expect.stringMatching(/^Its name servers are \S+\.(name|porkbun)\.com, /),
      });
    });
  });

  describe('records', () => {
    const domain = named('records');
    beforeAll(() => buy(domain));

    it('of every kind come back as they were given, and are seen in the DNS', async () => {
      const given = [
        { type: 'A', name: 'mail', value: '198.18.0.7', ttl: 600 },
        { type: 'MX', name: '@', value: `mail.${domain}`, priority: 10, ttl: 600 },
        { type: 'TXT', name: '@', value: 'v=spf1 mx -all', ttl: 600 },
        { type: 'TXT', name: 's1._domainkey', value: LONG_TEXT, ttl: 600 },
        { type: 'SRV', name: '_imaps._tcp', value: `1 993 mail.${domain}`, priority: 0, ttl: 600 },
      ] as const;
      const blocked = await registrar.listRecords(domain);
      const made = [];
      for (const record of given) made.push(await registrar.createRecord(domain, record));
      const listed = await registrar.listRecords(domain);
      expect(listed).toEqual([...blocked, ...made]);
      expect(made).toEqual(given.map((record) => ({ ...record, id: expect.any(String) })));
      const resolver = new Resolver();
      resolver.setServers([world.sandbox().dns]);
      const [text] = await resolver.resolveTxt(`s1._domainkey.${domain}`);
      expect(text!.join('')).toBe(LONG_TEXT);
      expect(await resolver.resolveMx(domain)).toMatchObject([{ priority: 10 }]);
    });

    it('of CAA are held by the registrar that says so, and refused by the other', async () => {
      const value = '0 issue "letsencrypt.org"';
      const record = { type: 'CAA', name: 'mail', value, ttl: 600 } as const;
      const made = await registrar.createRecord(domain, record).catch(({ kind }) => kind as string);
      const listed = await registrar.listRecords(domain);
      const resolver = createDnsResolver({ servers: [world.sandbox().dns], timeoutMs: 5_000 });
      const isHeld = registrar.name === 'porkbun';
      expect(registrar.recordTypes.includes('CAA')).toBe(isHeld);
      expect(made === 'rejected').toBe(!isHeld);
      expect(listed.some(({ type }) => type === 'CAA')).toBe(isHeld);
      expect(await resolver.resolveCaa(`mail.${domain}`)).toEqual(
        isHeld ? [{ flags: 0, tag: 'issue', value: 'letsencrypt.org' }] : [],
      );
      expect(await resolver.resolveCaa(domain)).toEqual([]);
    });

    it('get the shortest life that the vendor allows, when a shorter one is asked for', async () => {
      const record = { type: 'A', name: 'quick', value: '198.18.0.8', ttl: 1 } as const;
      const { id, ttl } = await registrar.createRecord(domain, record);
      expect(ttl).toBeGreaterThanOrEqual(300);
      const listed = await registrar.listRecords(domain);
      expect(listed.find((each) => each.id === id)).toMatchObject({ ttl });
    });

    it('are changed one by one', async () => {
      const record = { type: 'TXT', name: '@', value: 'v=spf1 -all', ttl: 600 } as const;
      const { id } = await registrar.createRecord(domain, { ...record, value: 'v=spf1 ~all' });
      const before = await registrar.listRecords(domain);
      const changed = await registrar.updateRecord(domain, id, record);
      expect(changed).toEqual({ ...record, id: expect.any(String) });
      const after = await registrar.listRecords(domain);
      const others = before.filter((each) => each.id !== id);
      expect(after.filter((each) => each.id !== changed.id)).toEqual(others);
      expect(after).toContainEqual(changed);
    });

    it('that are gone cannot be changed', async () => {
      const record = { type: 'A', name: 'lost', value: '198.18.0.9' } as const;
      const { id } = await registrar.createRecord(domain, record);
      await registrar.deleteRecord(domain, id);
      const error = await providerError(registrar.updateRecord(domain, id, record));
      expect(error).toMatchObject({ kind: 'rejected', facts: { clientCode: 'RECORD_NOT_FOUND' } });
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
    const spec = SPECS[vendor];
    const missing = spec ? specMissing(spec.file) : 'no contract of this vendor is saved';
    it.skipIf(missing)(
      `fits the vendor's spec both ways${missing ? ` (${missing})` : ''}`,
      async () => {
        const checked = await checkCalls(world, vendor, spec!);
        expect(checked?.calls).toBeGreaterThan(80);
        expect(checked?.problems).toEqual([]);
      },
    );
  });
});

const yearOf = (at: string): number => new Date(at).getUTCFullYear();
