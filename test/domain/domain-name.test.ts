/** Which texts are names of domains that can be bought. Choice 25. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalDomainName } from '../../src/domain/domains/domain-name.ts';

describe('normalDomainName', () => {
  it.each([
    ['acme.com', 'acme.com'],
    [' Acme.COM ', 'acme.com'],
    ['acme.com.', 'acme.com'],
    ['Ümlaut.COM', 'xn--mlaut-jva.com'],
    ['xn--mlaut-jva.com', 'xn--mlaut-jva.com'],
    ['例え.jp', 'xn--r8jz45g.jp'],
    ['a.co.uk', 'a.co.uk'],
    ['3m.com', '3m.com'],
    [`${'a'.repeat(63)}.com`, `${'a'.repeat(63)}.com`],
  ])('%s becomes %s', (text, name) => {
    expect(normalDomainName(text)).toBe(name);
  });

  it.each([
    '',
    '   ',
    '.',
    'acme',
    'com.',
    'http://acme.com',
    'acme.com/path',
    'acme.com:443',
    'user@acme.com',
    'acme.com?x',
    'acme.com#x',
    'acme .com',
    'acme..com',
    '.acme.com',
    '-acme.com',
    'acme-.com',
    'a_b.com',
    'acme.com\\x',
    '%61cme.com',
    '127.0.0.1',
    '0x7f.1',
    '2130706433',
    '1.2',
    '[::1]',
    '::1',
    `${'a'.repeat(64)}.com`,
    `${'abcdefgh.'.repeat(29)}com`,
    'acme.com\u0000',
    'acme\u200b.com\n.net',
    'xn--.com',
    '*.acme.com',
  ])('%j is none', (text) => {
    expect(normalDomainName(text)).toBeUndefined();
  });

  it('leaves its own answers as they are, and answers lower-case ASCII for any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.domain(), fc.string({ unit: 'grapheme' })), (text) => {
        const name = normalDomainName(text);
        if (name === undefined) return;
        expect(name).toMatch(/^[a-z0-9.-]{3,253}$/);
        expect(normalDomainName(name)).toBe(name);
      }),
      { numRuns: 500 },
    );
  });
});

it('takes its short cut only where it changes nothing', () => {
  const label = fc.stringMatching(/^[a-z0-9-]{1,12}$/);
  fc.assert(
    fc.property(fc.array(label, { minLength: 2, maxLength: 4 }), (labels) => {
      const name = labels.join('.');
      // A final dot is cut off, and takes the long way.
      expect(normalDomainName(name)).toBe(normalDomainName(`${name}.`));
    }),
    { numRuns: 1_000 },
  );
});
