import { describe, expect, test } from 'vitest';
import { guardedAddresses, isPublicAddress } from '../../src/providers/address-guard.ts';
import { innerIpv4, innerIpv6 } from '../support/websites/address-forms.ts';

const guard = { allowBenchmarkRange: false };

describe('isPublicAddress', () => {
  test.each(['1.1.1.1', '8.8.8.8', '93.184.216.34', '172.32.0.1', '100.128.0.1', '198.20.0.1'])(
    'admits %s',
    (address) => expect(isPublicAddress(address, guard)).toBe(true),
  );

  test.each(['2606:4700::1111', '2a00:1450:4001:81b::200e', '::ffff:1.1.1.1'])(
    'admits %s',
    (address) => expect(isPublicAddress(address, guard)).toBe(true),
  );

  test.each([...innerIpv4, ...innerIpv6])('refuses %s', (address) => {
    expect(isPublicAddress(address, guard)).toBe(false);
    expect(isPublicAddress(`::ffff:${address}`, guard)).toBe(false);
  });

  test.each([
    '',
    '1',
    '1.1',
    '01.1.1.1',
    '0x1.1.1.1',
    '1.1.1.1.',
    ' 1.1.1.1',
    '[::1]',
    'a.b',
    '1.1.1.1/8',
  ])('refuses %j, which is no canonical address', (address) =>
    expect(isPublicAddress(address, guard)).toBe(false),
  );

  test('refuses an address with a zone', () => {
    expect(isPublicAddress('2606:4700::1111%eth0', guard)).toBe(false);
  });

  test('admits 198.18.0.0/15 only where it is allowed', () => {
    for (const address of ['198.18.0.1', '198.19.255.255', '::ffff:198.18.0.1']) {
      expect(isPublicAddress(address, guard)).toBe(false);
      expect(isPublicAddress(address, { allowBenchmarkRange: true })).toBe(true);
    }
    expect(isPublicAddress('198.17.255.255', guard)).toBe(true);
  });
});

describe('guardedAddresses', () => {
  const resolver = (answers: string[]) => ({ resolveA: () => Promise.resolve(answers) });

  test('answers what the resolver says, in its order', async () => {
    const addresses = await guardedAddresses(resolver(['1.1.1.1', '1.0.0.1']), 'a.example', guard);
    expect(addresses).toEqual(['1.1.1.1', '1.0.0.1']);
  });

  test('is forbidden as soon as one of the answers is not public', async () => {
    const answers = resolver(['1.1.1.1', '10.0.0.1']);
    expect(await guardedAddresses(answers, 'a.example', guard)).toBe('forbidden');
  });

  test('asks nobody about an address', async () => {
    const nobody = { resolveA: () => Promise.reject(new Error('asked')) };
    expect(await guardedAddresses(nobody, '1.1.1.1', guard)).toEqual(['1.1.1.1']);
    expect(await guardedAddresses(nobody, '::1', guard)).toBe('forbidden');
  });
});
