/** What counts as an e-mail address, and the one form it gets. RFC 5321, 5322, 6531. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressKey, readEmailAddress } from '../../src/domain/email-validation/email-address.ts';

const long = (length: number) => 'a'.repeat(length);
/** A domain of exactly `length` characters. */
const longDomain = (length: number) =>
  `${`${long(49)}.`
    .repeat(5)
    .slice(0, length - 4)
    .replace(/\.$/, 'x')}.com`;

describe('readEmailAddress', () => {
  it.each([
    ['ann@acme.com', 'ann@acme.com'],
    ['  Ann.Lee@ACME.Com \n', 'Ann.Lee@acme.com'],
    ['ann+list@acme.com', 'ann+list@acme.com'],
    ["o'brien!#$%&*/=?^_`{|}~-@acme.com", "o'brien!#$%&*/=?^_`{|}~-@acme.com"],
    ['a@b.co', 'a@b.co'],
    ['1@1-2.museum', '1@1-2.museum'],
    ['ann@mail.sub.acme.co.uk', 'ann@mail.sub.acme.co.uk'],
    [`${long(64)}@acme.com`, `${long(64)}@acme.com`],
    ['ann@bücher.de', 'ann@xn--bcher-kva.de'],
    ['ann@BÜCHER.DE', 'ann@xn--bcher-kva.de'],
    ['ann@例え.jp', 'ann@xn--r8jz45g.jp'],
    ['ann@xn--bcher-kva.de', 'ann@xn--bcher-kva.de'],
    ['用户@例え.jp', '用户@xn--r8jz45g.jp'],
    ['"john.doe"@acme.com', 'john.doe@acme.com'],
    ['"john doe"@acme.com', '"john doe"@acme.com'],
    [String.raw`"a\"b"@acme.com`, String.raw`"a\"b"@acme.com`],
    ['"a@b"@acme.com', '"a@b"@acme.com'],
    ['".a."@acme.com', '".a."@acme.com'],
  ])('reads %j', (text, email) => {
    expect(readEmailAddress(text)?.email).toBe(email);
  });

  it.each([
    ['', 'nothing'],
    ['ann', 'no @'],
    ['@acme.com', 'no local part'],
    ['ann@', 'no domain'],
    ['ann@@acme.com', 'an @ unquoted'],
    ['ann@lee@acme.com', 'an @ unquoted'],
    ['.ann@acme.com', 'a dot first'],
    ['ann.@acme.com', 'a dot last'],
    ['ann..lee@acme.com', 'two dots'],
    ['ann lee@acme.com', 'a blank'],
    ['ann@ acme.com', 'a blank'],
    ['ann@acme .com', 'a blank'],
    ['ann\t@acme.com', 'a tab'],
    ['ann\u0000@acme.com', 'a control character'],
    ['ann\u200b@acme.com', 'an invisible character'],
    ['ann(comment)@acme.com', 'a comment'],
    ['Ann <ann@acme.com>', 'a display name'],
    ['<ann@acme.com>', 'angle brackets'],
    ['mailto:ann@acme.com', 'a scheme'],
    ['ann,lee@acme.com', 'a comma'],
    ['ann;@acme.com', 'a semicolon'],
    ['ann:lee@acme.com', 'a colon'],
    [String.raw`ann\@acme.com`, 'a backslash'],
    ['ann@acme', 'no dot in the domain'],
    ['ann@localhost', 'no dot in the domain'],
    ['ann@.acme.com', 'an empty label'],
    ['ann@acme..com', 'an empty label'],
    ['ann@acme.com.', 'a final dot'],
    ['ann@-acme.com', 'a hyphen first'],
    ['ann@acme-.com', 'a hyphen last'],
    ['ann@ac_me.com', 'an underscore'],
    ['ann@acme.123', 'a number as ending'],
    ['ann@192.0.2.1', 'an address of the internet'],
    ['ann@[192.0.2.1]', 'an address literal'],
    ['ann@[IPv6:2001:db8::1]', 'an address literal'],
    ['ann@acme.com/path', 'a path'],
    ['ann@acme.com?x=1', 'a query'],
    ['ann@acme.com:25', 'a port'],
    ['ann@acme%2ecom', 'an escape'],
    ['""@acme.com', 'empty quotes'],
    ['"ann@acme.com', 'an open quote'],
    ['"an"n@acme.com', 'a quote in the middle'],
    ['"a\nb"@acme.com', 'a line break in quotes'],
    [`${long(65)}@acme.com`, 'a local part of 65 octets'],
    [`${'ü'.repeat(33)}@acme.com`, 'a local part of 66 octets'],
    [`ann@${long(64)}.com`, 'a label of 64 characters'],
    [`${long(60)}@${longDomain(200)}`, 'an address of more than 254 octets'],
  ])('refuses %j: %s', (text) => {
    expect(readEmailAddress(text)).toBeUndefined();
  });

  it.each(['foo..bar@docomo.ne.jp', 'foo.@docomo.ne.jp', 'a...b@ezweb.ne.jp'])(
    'takes %s, which its carrier gave out against the RFC',
    (text) => {
      expect(readEmailAddress(text)).toMatchObject({ email: text, isIrregular: true });
    },
  );

  it.each(['.foo@docomo.ne.jp', 'foo bar@docomo.ne.jp', 'foo..bar@docomo.example.jp'])(
    'refuses %s there all the same',
    (text) => {
      expect(readEmailAddress(text)).toBeUndefined();
    },
  );

  it('tells which addresses need SMTPUTF8 (RFC 6531)', () => {
    expect(readEmailAddress('jürgen@acme.com')).toMatchObject({ isInternational: true });
    expect(readEmailAddress('juergen@bücher.de')).toMatchObject({ isInternational: false });
  });

  it('takes composed and decomposed letters for the same', () => {
    expect(readEmailAddress('jürgen@acme.com')).toEqual(readEmailAddress('jürgen@acme.com'));
  });

  it('reads its own answer to the same answer, and never throws', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.emailAddress(), fc.string({ unit: 'binary' })),
        (text) => {
          const address = readEmailAddress(text);
          if (address === undefined) return;
          expect(readEmailAddress(address.email)).toEqual(address);
          expect(address.email).toMatch(/^\S(.|\n)*@[a-z0-9.-]+$/u);
          expect(address.email).not.toMatch(/[\r\n]/);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('compares addresses without regard to case', () => {
    expect(addressKey({ email: 'Ann@acme.com' })).toBe('ann@acme.com');
  });
});
