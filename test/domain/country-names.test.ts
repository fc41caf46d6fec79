/** Countries as files name them. */
import { describe, expect, it } from 'vitest';
import { countryCodeOf } from '../../src/domain/country-names.ts';

describe('the country of a cell', () => {
  it.each([
    ['Germany', 'DE'],
    ['deutschland', 'DE'],
    ['DE', 'DE'],
    ['USA', 'US'],
    ['Россия', 'RU'],
    ['Україна', 'UA'],
    ['中国', 'CN'],
    ['中國', 'CN'],
    ['日本', 'JP'],
    ['대한민국', 'KR'],
    ['Ελλάδα', 'GR'],
    ['الإمارات', 'AE'],
    ['الإمارات العربية المتحدة', 'AE'],
    ['ישראל', 'IL'],
    ['ไทย', 'TH'],
    ['Việt Nam', 'VN'],
    ['Suomi', 'FI'],
    ['Magyarország', 'HU'],
    ['România', 'RO'],
    ['TÜRKİYE', 'TR'],
    ['türkiye', 'TR'],
    ['İtalya', 'IT'],
    ['Österreich'.normalize('NFD'), 'AT'],
    ['EL', 'GR'],
    ['', undefined],
    ['constructor', undefined],
    ['__proto__', undefined],
    ['Springfield', undefined],
  ])('%s is %s', (text, code) => {
    expect(countryCodeOf(text)).toBe(code);
  });
});
