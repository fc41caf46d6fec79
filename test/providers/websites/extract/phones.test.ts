/** Telephone numbers are told from all other figures, in E.164, and faxes are kept apart. */
import { describe, expect, it } from 'vitest';
import { extractPage } from '../../../../src/providers/websites/extract/index.ts';
import { LANGUAGES } from '../../../corpus/languages.ts';
import { PHONE_WRITINGS } from '../../../corpus/phone-writings.ts';

function found(
  html: string,
  countryCode: string | null = 'DE',
  url = 'https://www.acme.de/kontakt',
) {
  const { phones } = extractPage({ html, url, countryCode });
  return [
    ...new Map(phones.map(({ phone, isFax }) => [phone, isFax ? `fax ${phone}` : phone])).values(),
  ];
}

const dialling: Record<string, string> = { DE: '49', FR: '33', IT: '39', GB: '44', US: '1' };
const countries = LANGUAGES.filter(({ country }) => dialling[country]);

describe('a telephone number', () => {
  it.each(
    countries.flatMap(({ country, numbers, phone }) =>
      PHONE_WRITINGS.map((write, at) => {
        const [national, e164] = numbers.fixed;
        return [
          country,
          at,
          write({ national, e164, label: phone[0]!, code: dialling[country]! }),
          e164,
        ] as const;
      }),
    ),
  )('of %s is found in writing %i', (country, _, html, expected) => {
    expect(found(html, country, 'https://acme.com/')).toEqual([expected]);
  });

  it.each([
    ['with (0)', 'Tel. +49 (0)30 23125-014', ['+493023125014']],
    ['with a slash for the area', 'Fon 030/23125014', ['+493023125014']],
    [
      'two with a slash between',
      'Tel. 030 23125014 / 0171 3920014',
      ['+493023125014', '+491713920014'],
    ],
    [
      'two in one link',
      '<a href="tel:+49 30 23125014, +49 171 3920014">x</a>',
      ['+493023125014', '+491713920014'],
    ],
    [
      'two in neighbouring elements',
      '<span>030 23125014</span><span>0171 3920014</span>',
      ['+493023125014', '+491713920014'],
    ],
    [
      'with letters for a label',
      'T: 030 23125014 F: 030 23125019',
      ['+493023125014', 'fax +493023125019'],
    ],
    [
      'two with slashes and a blank',
      'Tel. 030/23125014 0171/3920014',
      ['+493023125014', '+491713920014'],
    ],
    ['right behind its label', 'TEL030-23125014', ['+493023125014']],
    ['a plus before a national number', '<a href="tel:+03023125014">x</a>', ['+493023125014']],
    ['of another country with its code', 'Tel. +36 30 555 0123', ['+36305550123']],
    ['with an extension', '<a href="tel:+493023125014;ext=12">x</a>', ['+493023125014']],
    ['in an icon of an image', '<use href="#icon-phone"></use> 030 23125014', ['+493023125014']],
    ['with a label in the line above', '<p>Telefon</p><p>030 23125014</p>', ['+493023125014']],
    [
      'in JSON-LD without a plus',
      '<script type="application/ld+json">{"telephone":"49 30 23125014"}</script>',
      ['+493023125014'],
    ],
  ])('is found: %s', (_, html, expected) => {
    expect(found(html)).toEqual(expected);
  });

  it.each([
    ['a label', 'Telefax: 030 23125019'],
    ['a label behind it', '030 23125019 (Fax)'],
    ['a label before its link', 'Fax: <a href="tel:+493023125019">030 23125019</a>'],
    ['a row', '<table><tr><td>Fax</td><td>030 23125019</td></tr></table>'],
    [
      'a column',
      '<table><tr><th>Name</th><th>Telefax</th></tr><tr><td>Berg</td><td>030 23125019</td></tr></table>',
    ],
    ['a definition', '<dl><dt>Fax</dt><dd>030 23125019</dd></dl>'],
    ['an icon', '<i class="fa fa-fax"></i> 030 23125019'],
    [
      'a label before a link of class tel',
      'Fax: <a class="tel" href="tel:+493023125019">030 23125019</a>',
    ],
    [
      'a label before an element of class tel',
      '<b>Telefax</b> <span class="tel">030 23125019</span>',
    ],
    ['microdata', '<span itemprop="faxNumber">030 23125019</span>'],
    ['JSON-LD', '<script type="application/ld+json">{"faxNumber":"+49 30 23125019"}</script>'],
    ['its scheme', '<a href="fax:+493023125019">x</a>'],
  ])('is a fax by %s', (_, html) => {
    expect(found(html)).toEqual(['fax +493023125019']);
  });

  it('is a telephone when it is called both', () => {
    expect(found('Tel./Fax: 030 23125014')).toEqual(['+493023125014']);
  });

  it.each([
    [null, 'https://acme.fr/', '<p>Tél. 01 99 00 12 34</p>', '+33199001234'],
    [null, 'https://acme.com/', '<html lang="ja"><p>TEL:03-5550-1234</p>', '+81355501234'],
    [null, 'https://acme.com/', '<p>Call +44 20 7946 0123</p>', '+442079460123'],
    ['AT', 'https://acme.com/', '<p>Tel. 01 9346501</p>', '+4319346501'],
  ])('is read by the country %s, else by %s', (countryCode, url, html, expected) => {
    expect(found(html, countryCode, url)).toEqual([expected]);
  });
});

describe('other figures', () => {
  it.each([
    ['prices', '1.249,00 € 030 12345,00 EUR 30.000 Preis 030 231250 €', 'DE'],
    ['ranges of prices', 'Цена 14000-15000 руб., 15500-16500, 16500-20000', 'RU'],
    ['dates', '12.04.2023 2023-04-12 14:32 04/12/2023 2012-2026 20230412', 'DE'],
    [
      'tax and register numbers',
      'USt-IdNr. DE213371503 Steuernummer 39175/39210 HRB 030231250 IBAN DE02 1203 0000 0000 2020 51',
      'DE',
    ],
    ['registers with letters', 'DE213371503 B0302312501 ATU80445314 NL863769501B01', 'DE'],
    ['French registers', 'SIRET 421 633 173 00012, RCS 421 633 173', 'FR'],
    [
      'Russian registers',
      'ИНН 7734708858 ОГРН 1137746879699 БИК 044525205 р/с 40702810440000014115',
      'RU',
    ],
    ['Finnish registers', 'Y-tunnus 0653692-2, OVT 003706536922', 'FI'],
    ['coordinates', '52.520008, 13.404954 -74.005974', 'US'],
    ['postcodes', '〒720-0822 SW1A 2AA 10001-2345', 'JP'],
    ['placeholders', '<a href="tel:1234567890">x</a> 123-456-7890 +49 30 12345678 777777777', 'US'],
    ['short of a digit', '<a href="tel:+7903997812">x</a>', 'RU'],
    ['addresses of the net', '192.168.100.200 10.0.0.1:8080', 'US'],
    [
      'forms and lists',
      '<input value="030 23125014"><select><option>+49 30 23125014</option></select>',
      'DE',
    ],
    ['scripts', '<script>var tel="030 23125014"</script>', 'DE'],
    ['licences', 'License #1126804 ROC 308812', 'US'],
    ['opening hours', 'Mo-Fr 08:00-18:00, 09.00-13.00', 'DE'],
    ['long rows of digits', '4815162342 978-3-16-148410-0 1681302720000', 'DE'],
  ])('are left alone: %s', (_, html, country) => {
    expect(found(html, country, 'https://acme.com/')).toEqual([]);
  });
});
