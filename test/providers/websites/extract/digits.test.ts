/** Numbers are read in the digits of every script, and however their digits are grouped. */
import { describe, expect, it } from 'vitest';
import { extractPage } from '../../../../src/providers/websites/extract/index.ts';
import { DIGIT_WRITINGS } from '../../../corpus/digit-writings.ts';

const url = 'https://www.acme.com/contact';

const numbersOf = (html: string, countryCode: string): string[] => [
  ...new Set(
    extractPage({ html, url, countryCode })
      .phones.filter(({ isFax }) => !isFax)
      .map(({ phone }) => phone),
  ),
];

const written = DIGIT_WRITINGS.filter(({ phones }) => phones.length > 0);
const others = DIGIT_WRITINGS.filter(({ phones }) => phones.length === 0);

describe('a telephone number', () => {
  it.each(written.map((each) => [each.name, each] as const))(
    'is found in %s',
    (_, { html, country, phones }) => {
      expect(numbersOf(html, country)).toEqual(phones);
    },
  );

  it('in digits of a script is read by the country of the page’s language', () => {
    const html = '<html lang="fa"><p>تلفن: ۰۲۱-۸۸۷۷۶۶۵۵</p>';
    const { phones } = extractPage({ html, url, countryCode: null });
    expect(phones.map(({ phone }) => phone)).toEqual(['+982188776655']);
  });

  it('called a fax in such a script is one', () => {
    const { phones } = extractPage({
      html: '<p>โทรสาร ๐๒-๓๘๑-๔๔๐๘</p>',
      url,
      countryCode: 'TH',
    });
    expect(phones).toMatchObject([{ phone: '+6623814408', isFax: true }]);
  });
});

describe('other figures in such digits and groups', () => {
  it.each(others.map((each) => [each.name, each] as const))(
    'are left alone: %s',
    (_, { html, country }) => {
      expect(numbersOf(html, country)).toEqual([]);
    },
  );
});
