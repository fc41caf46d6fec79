/** Money in words, and what the product charges. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertCents, formatCents, formatDollars } from '../../src/domain/wallet/money.ts';
import { clusterPrice } from '../../src/domain/wallet/prices.ts';

describe('formatDollars', () => {
  it.each([
    [4_100, '$41.00'],
    [0, '$0.00'],
    [5, '$0.05'],
    [-5, '-$0.05'],
    [-4_100, '-$41.00'],
    [99_999_999, '$999999.99'],
    [Number.MAX_SAFE_INTEGER, '$90071992547409.91'],
  ])('%i cents are %s', (cents, text) => {
    expect(formatDollars(cents)).toBe(text);
  });

  it('loses no cent of any amount', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (cents) => {
        const text = formatCents(cents);
        expect(text).toMatch(/^-?\d+\.\d\d$/);
        expect(Number(text.replace('.', ''))).toBe(cents);
      }),
    );
  });

  it.each([0.5, 41.000001, Number.NaN, Infinity, 2 ** 53])(
    'refuses %d, which is no amount',
    (x) => {
      expect(() => assertCents(x)).toThrow(TypeError);
      expect(() => formatDollars(x)).toThrow(TypeError);
    },
  );
});

describe('clusterPrice', () => {
  // Spec: Limits.
  it.each([
    [{ domain: true, server: true }, 1_600, 2_500, 4_100],
    [{ domain: true, server: false }, 1_600, 0, 1_600],
    [{ domain: false, server: true }, 0, 2_500, 2_500],
    [{ domain: false, server: false }, 0, 0, 0],
  ])('of %o', (needs, domainCents, serverCents, totalCents) => {
    expect(clusterPrice(needs)).toEqual({ domainCents, serverCents, totalCents });
  });
});
