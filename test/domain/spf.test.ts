/** SPF as RFC 7208 evaluates it, for the address of a mail host or for the policy of a relay. */
import { describe, expect, it } from 'vitest';
import { extendedPolicy, spfPolicy, spfVerdict } from '../../src/domain/domains/spf.ts';

const IPV4 = '198.51.100.7';
const TEXTS: Record<string, string[]> = {
  'office.test': ['v=spf1 ip4:192.0.2.0/24 -all'],
  'ours.test': ['v=spf1 ip4:198.51.100.0/24 ~all'],
  'deep.test': ['v=spf1 include:ours.test -all'],
  'loop.test': ['v=spf1 include:loop.test -all'],
  'none.test': ['google-site-verification=1'],
  'twice.test': ['v=spf1 mx -all', 'v=spf1 -all'],
  'relay.acme.com': ['v=spf1 include:relay.test -all'],
};
const dns = {
  resolveA: async (name: string) =>
    ({ 'mail.acme.com': [IPV4], 'acme.com': ['203.0.113.1'], 'near.test': ['198.51.100.200'] })[
      name
    ] ?? [],
  resolveMx: async (name: string) => (name === 'acme.com' ? [{ exchange: 'mail.acme.com' }] : []),
  resolveTxt: async (name: string) => TEXTS[name] ?? [],
};
const verdict = (policy: string, smarthost?: { include: string | undefined }) =>
  spfVerdict(dns, { domain: 'acme.com', policy, way: { ipv4: IPV4, smarthost } });

describe('the policy of a domain', () => {
  it.each([
    ['v=spf1 mx -all', 'pass'],
    ['v=spf1 MX -ALL', 'pass'],
    ['v=spf1 a -all', 'fail'],
    ['v=spf1 a:mail.acme.com -all', 'pass'],
    ['v=spf1 a:near.test -all', 'fail'],
    ['v=spf1 a:near.test/24 -all', 'pass'],
    ['v=spf1 ip4:198.51.100.7 -all', 'pass'],
    ['v=spf1 ip4:198.51.100.0/28 -all', 'pass'],
    ['v=spf1 ip4:198.51.100.8/29 -all', 'fail'],
    ['v=spf1 ip6:2001:db8::/32 -all', 'fail'],
    ['v=spf1 include:office.test -all', 'fail'],
    ['v=spf1 include:office.test include:ours.test -all', 'pass'],
    ['v=spf1 include:deep.test -all', 'pass'],
    ['v=spf1 -mx +all', 'fail'],
    ['v=spf1 ~mx -all', 'fail'],
    ['v=spf1 ?all', 'fail'],
    ['v=spf1 +all', 'pass'],
    ['v=spf1', 'fail'],
    ['v=spf1 redirect=ours.test', 'pass'],
    ['v=spf1 redirect=office.test', 'fail'],
    ['v=spf1 redirect=none.test', 'invalid'],
    ['v=spf1 include:none.test -all', 'invalid'],
    ['v=spf1 include:twice.test -all', 'invalid'],
    ['v=spf1 include:loop.test -all', 'invalid'],
    ['v=spf1 nonsense -all', 'invalid'],
    ['v=spf1 exists:%{i}.test -all', 'unclear'],
    ['v=spf1 ptr -all', 'unclear'],
    ['v=spf1 ptr mx -all', 'pass'],
    ['v=spf1 exp=why.test mx -all', 'pass'],
  ])('%s: %s', async (policy, expected) => {
    expect(await verdict(policy)).toBe(expected);
  });

  it('with more than ten look-ups is invalid', async () => {
    const many = Array.from({ length: 11 }, () => 'include:office.test').join(' ');
    expect(await verdict(`v=spf1 ${many} mx -all`)).toBe('invalid');
  });
});

describe('behind a smarthost', () => {
  it.each([
    ['v=spf1 mx -all', 'fail'],
    ['v=spf1 include:relay.test -all', 'pass'],
    ['v=spf1 include:RELAY.test ~all', 'pass'],
    ['v=spf1 include:relay.acme.com -all', 'pass'],
    ['v=spf1 +all', 'pass'],
  ])('%s: %s', async (policy, expected) => {
    expect(await verdict(policy, { include: 'relay.test' })).toBe(expected);
  });

  it('without a policy of its own nobody may be refused', async () => {
    expect(await verdict('v=spf1 mx -all', { include: undefined })).toBe('fail');
    expect(await verdict('v=spf1 mx ~all', { include: undefined })).toBe('pass');
  });
});

describe('the policy that is set', () => {
  const relay = { include: 'relay.test' };
  it.each([
    [undefined, 'v=spf1 mx -all'],
    [relay, 'v=spf1 mx include:relay.test -all'],
    [{ include: undefined }, 'v=spf1 mx ~all'],
  ])('with the smarthost %j is %s, and lets messages leave', async (smarthost, policy) => {
    expect(spfPolicy({ smarthost })).toBe(policy);
    expect(await verdict(policy, smarthost)).toBe('pass');
  });

  it.each([
    ['v=spf1 include:office.test -all', undefined],
    ['v=spf1 include:office.test -all', relay],
  ])('%s, extended, lets messages leave', async (policy, smarthost) => {
    expect(await verdict(policy, smarthost)).toBe('fail');
    const extended = extendedPolicy(policy, { ipv4: IPV4, smarthost });
    expect(await verdict(extended, smarthost)).toBe('pass');
  });
});
