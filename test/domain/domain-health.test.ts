/** Whether a registration lasts, as clients are told. Choice 25. */
import { describe, expect, it } from 'vitest';
import { parseCaa } from '../../src/domain/domains/caa-value.ts';
import { checkExpiry, checkMailRecords } from '../../src/domain/domains/domain-health.ts';

const DAY_MS = 86_400_000;
const now = new Date('2026-01-01T00:00:00Z');
const inDays = (days: number) => new Date(now.getTime() + days * DAY_MS);
const check = (domain: Parameters<typeof checkExpiry>[0]) =>
  checkExpiry(domain, { now, warnDays: 30 });

describe('the expiry of a domain', () => {
  it.each([
    [20, true, 'ok', 'it renews by itself'],
    [20, false, 'warning', 'it does not renew by itself'],
    [200, false, 'ok', 'it does not renew by itself'],
    [-1, true, 'failing', 'It expired on'],
  ])('in %i days, automatic renewal %s, is %s', (days, autoRenew, state, words) => {
    const found = check({ expiresAt: inDays(days), autoRenew });
    expect(found.state).toBe(state);
    expect(found.message).toContain(words);
  });

  it.each([
    ['failed', true, /last renewal failed \(RENEWAL_ABOVE_CAP\); it is tried again every day/],
    ['failed', false, /last renewal failed \(RENEWAL_ABOVE_CAP\); it does not renew by itself/],
    ['blocked', true, /waits for an operator \(RENEWAL_ABOVE_CAP\)/],
  ] as const)('warns of a renewal that is %s, automatic: %s', (state, autoRenew, words) => {
    const trouble = { state, code: 'RENEWAL_ABOVE_CAP' };
    const found = check({ expiresAt: inDays(200), autoRenew, trouble });
    expect(found).toMatchObject({ state: 'warning', message: expect.stringMatching(words) });
  });
});

describe('an SPF policy that the owner had before', () => {
  const look = (policy: string, smarthost?: { include: string | undefined }) => {
    const texts: Record<string, string[]> = {
      'acme.com': [policy],
      'spf.office.test': ['v=spf1 ip4:192.0.2.0/24 -all'],
    };
    const dns = {
      resolveA: async () => ['198.51.100.7'],
      resolveMx: async () => [{ exchange: 'mail.acme.com', priority: 10 }],
      resolveNs: async () => [],
      resolveCaa: async () => [],
      resolveTxt: async (name: string) => texts[name] ?? [],
    };
    const host = { hostName: 'mail.acme.com', ipv4: '198.51.100.7' };
    const keys = { dkimSelector: 's1', dkimPublicKey: 'KEY' };
    return checkMailRecords(dns, {
      domain: 'acme.com',
      ...host,
      ...keys,
      smarthost,
      issuer: undefined,
      hasPolicy: false,
    }).then((checks) => checks.find(({ name }) => name === 'spf')!);
  };

  it('and lets our host send is healthy', async () => {
    expect(await look('v=spf1 include:spf.office.test mx -all')).toMatchObject({ state: 'ok' });
  });

  it('and does not is failing, with the exact text to set', async () => {
    expect(await look('v=spf1 include:spf.office.test -all')).toEqual({
      name: 'spf',
      state: 'failing',
      message:
        'TXT acme.com says v=spf1 include:spf.office.test -all, which does not allow mail.acme.com ' +
        '(198.51.100.7); it has to be v=spf1 mx include:spf.office.test -all',
    });
  });

  it('has to name the smarthost where messages leave by one', async () => {
    const relay = { include: 'spf.relay.test' };
    const { state, message } = await look('v=spf1 mx -all', relay);
    expect(state).toBe('failing');
    expect(message).toContain('it has to be v=spf1 include:spf.relay.test mx -all');
    expect((await look('v=spf1 mx include:spf.relay.test -all', relay)).state).toBe('ok');
  });

  it('must not refuse others where the addresses of the smarthost are not known', async () => {
    const { state, message } = await look('v=spf1 mx -all', { include: undefined });
    expect(state).toBe('failing');
    expect(message).toContain('it has to be v=spf1 mx ~all');
  });

  it('whose macros only receivers can evaluate is a warning', async () => {
    expect(await look('v=spf1 exists:%{i}.spf.acme.com -all')).toMatchObject({ state: 'warning' });
  });
});

describe('CAA records that the owner had before', () => {
  const look = async (zone: Record<string, string[]>, hasPolicy = true) => {
    const dns = {
      resolveA: async () => [],
      resolveMx: async () => [],
      resolveNs: async () => [],
      resolveTxt: async () => [],
      resolveCaa: async (name: string) => (zone[name] ?? []).map((text) => parseCaa(text)!),
    };
    const host = { hostName: 'mail.acme.com', ipv4: '198.51.100.7' };
    const keys = { dkimSelector: 's1', dkimPublicKey: 'KEY' };
    const needs = { issuer: 'letsencrypt.org', hasPolicy };
    const checks = await checkMailRecords(dns, { domain: 'acme.com', ...host, ...keys, ...needs });
    const { state, message } = checks.find(({ name }) => name === 'caa')!;
    return [state, message];
  };
  const theirs = '0 issue "digicert.com"';
  const ours = '0 issue "letsencrypt.org"';
  const says = (at: string, name: string) =>
    `CAA ${at} says ${theirs}, which forbids letsencrypt.org to give ${name} a certificate; ` +
    `set CAA ${name} ${ours}`;

  it('and do not forbid our authority are healthy, and so are none', async () => {
    const fine = [
      'ok',
      'letsencrypt.org may give mail.acme.com and mta-sts.acme.com certificates.',
    ];
    expect(await look({})).toEqual(fine);
    expect(await look({ 'acme.com': [theirs, ours] })).toEqual(fine);
  });

  it('and forbid it are failing, with the exact record to set', async () => {
    const both = `${says('acme.com', 'mail.acme.com')}; ${says('acme.com', 'mta-sts.acme.com')}`;
    expect(await look({ 'acme.com': [theirs] })).toEqual(['failing', both]);
    expect(await look({ 'acme.com': [theirs] }, false)).toEqual([
      'failing',
      says('acme.com', 'mail.acme.com'),
    ]);
  });

  it('and forbid the policy’s host alone are a warning: mail still comes', async () => {
    const zone = { 'acme.com': [theirs], 'mail.acme.com': [ours] };
    expect(await look(zone)).toEqual(['warning', says('acme.com', 'mta-sts.acme.com')]);
  });
});
