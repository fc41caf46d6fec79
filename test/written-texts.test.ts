/** What looks for secrets in a world finds them, however they were written down. */
import { describe, expect, it } from 'vitest';
import { findIn, formsOf } from './support/drills/written-texts.ts';

const SECRET = 'canary-of-a-search';

describe('a secret', () => {
  it.each([0, 1, 2, 3, 4])('is found as base64 behind %i bytes', (before) => {
    for (const after of ['', 'a', 'ab', 'abc']) {
      const login = Buffer.from('\0'.repeat(before) + SECRET + after).toString('base64');
      expect(findIn({ 'a.log': `AUTH PLAIN ${login}` }, formsOf(SECRET))).not.toEqual([]);
    }
  });

  it('is found in plain and as hexadecimal, and no other is', () => {
    const hex = Buffer.from(SECRET).toString('hex');
    const places = { plain: `x${SECRET}x`, hex: `\\x00${hex}`, none: 'canary-of-another' };
    const found = findIn(places, formsOf(SECRET)).map((each) => each.split(':')[0]);
    expect(found).toEqual(['plain', 'hex']);
  });
});
