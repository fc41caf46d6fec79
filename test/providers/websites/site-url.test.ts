import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  forbiddenUrl,
  otherName,
  pageKey,
  siteOf,
  startingUrls,
  webUrl,
} from '../../../src/providers/websites/site-url.ts';

const starts = (website: string) => startingUrls(website).map(({ href }) => href);

describe('startingUrls', () => {
  test.each([
    ['https://acme.com/a?b=c#d', ['https://acme.com/a?b=c']],
    ['http://acme.com', ['http://acme.com/']],
    ['acme.com', ['https://acme.com/', 'http://acme.com/']],
    ['//acme.com/x', ['https://acme.com/x', 'http://acme.com/x']],
    ['  WWW.Acme.COM.  ', ['https://www.acme.com/', 'http://www.acme.com/']],
    ['acme.com:8080/x', ['https://acme.com:8080/x', 'http://acme.com:8080/x']],
    ['müller.de', ['https://xn--mller-kva.de/', 'http://xn--mller-kva.de/']],
    ['mailto:a@b.c', []],
    ['javascript:alert(1)', []],
    ['tel:+4930123456', []],
    ['', []],
    ['a b c', []],
    [`https://acme.com/${'x'.repeat(3_000)}`, []],
  ])('%j is tried as %j', (website, expected) => expect(starts(website)).toEqual(expected));
});

describe('pageKey', () => {
  const key = (url: string) => pageKey(new URL(url));

  test('is one for the spellings of a page', () => {
    const spellings = ['http://acme.com', 'https://www.acme.com/', 'https://acme.com/index.html'];
    expect(new Set(spellings.map(key)).size).toBe(1);
    expect(key('https://acme.com/contact/')).toBe(key('https://acme.com/contact'));
  });

  test('is another for another page', () => {
    expect(key('https://acme.com/?p=1')).not.toBe(key('https://acme.com/?p=2'));
    expect(key('https://acme.com/a')).not.toBe(key('https://shop.acme.com/a'));
  });
});

describe('siteOf', () => {
  const site = (url: string) => siteOf(new URL(url));

  test('takes the names of a registrable domain together, and hosted sites apart', () => {
    expect(site('https://www.acme.co.uk')).toBe(site('http://shop.acme.co.uk'));
    expect(site('https://a.github.io')).not.toBe(site('https://b.github.io'));
    expect(site('https://a.wixsite.com')).not.toBe(site('https://b.wixsite.com'));
    expect(site('http://198.18.0.1')).toBe('198.18.0.1');
  });
});

test('otherName puts www. before a bare name and takes it away', () => {
  const other = (url: string) => otherName(new URL(url))?.href;
  expect(other('https://acme.com/x')).toBe('https://www.acme.com/x');
  expect(other('https://www.acme.com/x')).toBe('https://acme.com/x');
  expect(other('https://shop.acme.com/')).toBeUndefined();
  expect(other('https://1.1.1.1/')).toBeUndefined();
});

test('no text makes the handling of URLs throw', () => {
  const parts = fc.constantFrom(
    'http://',
    'https://',
    '//',
    'user:pw@',
    '[::1]',
    '%',
    ':',
    '@',
    '#',
  );
  const text = fc.array(fc.oneof(parts, fc.string({ unit: 'binary' }), fc.domain(), fc.webUrl()));
  fc.assert(
    fc.property(text, fc.webUrl(), (pieces, base) => {
      const mutated = pieces.join('');
      const urls = [...startingUrls(mutated), webUrl(mutated, new URL(base)) ?? []].flat();
      for (const url of urls) {
        expect(url.protocol).toMatch(/^https?:$/);
        forbiddenUrl(url);
        expect(siteOf(url)).toBeTypeOf('string');
        expect(pageKey(url)).toBeTypeOf('string');
        otherName(url);
      }
    }),
    { numRuns: 2_000 },
  );
});
