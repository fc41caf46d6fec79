/** Vendors' decimal dollars into cents. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { centsFromDollars } from '../../src/providers/registrars/dollars.ts';

describe('dollars of a vendor', () => {
  it('become the very same cents, for every amount', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000_000 }), (cents) => {
        const text = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
        expect(centsFromDollars(JSON.parse(text) as number)).toBe(cents);
      }),
    );
  });

  it('with parts of a cent are rounded up, so that no price is understated', () => {
    expect(centsFromDollars(12.991)).toBe(1_300);
    expect(centsFromDollars(8.49)).toBe(849);
    expect(centsFromDollars(70)).toBe(7_000);
  });

  it('that are absent stay absent, and nonsense is refused', () => {
    expect(centsFromDollars(undefined)).toBeNull();
    expect(() => centsFromDollars(-1)).toThrow(TypeError);
    expect(() => centsFromDollars(1e21)).toThrow(TypeError);
  });
});
