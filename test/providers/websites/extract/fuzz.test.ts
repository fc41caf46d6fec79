/** Whatever a site sends, reading it neither throws nor takes long. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extractPage } from '../../../../src/providers/websites/extract/index.ts';
import { findingsOf } from '../../../../src/providers/websites/extract/page-findings.ts';
import { madeSites } from '../../../corpus/sites.ts';

const url = 'https://www.acme.de/';
/** The reading itself: `extractPage` would hide that it throws. */
const read = (html: string) => findingsOf({ html, url, countryCode: 'DE' });
/** Far above what it takes on a busy machine, far below what backtracking would. */
const LONG_MS = 10_000;
const TIMEOUT_MS = 90_000;

describe('hostile pages', () => {
  it.each([
    ['two megabytes of <', '<'.repeat(2_000_000)],
    ['two megabytes of @', '@'.repeat(2_000_000)],
    ['a@ a million times', 'a@'.repeat(1_000_000)],
    ['elements nested 10,000 deep', '<div>'.repeat(10_000) + 'x' + '</div>'.repeat(10_000)],
    ['100,000 elements that never end', '<b>'.repeat(100_000)],
    ['tables within tables', '<table><tr><td>'.repeat(50_000)],
    ['digits without end', '1234567890 '.repeat(150_000)],
    ['numbers without end', 'Tel. +49 30 23125014 '.repeat(50_000)],
    ['brackets without end', '[ at '.repeat(300_000)],
    ['disguised addresses without end', 'info (at) acme (dot) de '.repeat(50_000)],
    [
      'links without end',
      Array.from({ length: 20_000 }, (_, at) => `<a href="/contact/${at}">Contact ${at}</a>`).join(
        '',
      ),
    ],
    [
      'mailtos without end',
      Array.from({ length: 20_000 }, (_, at) => `<a href="mailto:a${at}@b.de">x</a>`).join(''),
    ],
    [
      'an element with 20,000 attributes',
      `<a ${Array.from({ length: 20_000 }, (_, at) => `data-m${at}="x@y.de"`).join(' ')}>`,
    ],
    ['quotes that never close', '<a href="'.repeat(100_000)],
    ['a script of open brackets', `<script>@${'('.repeat(100_000)}</script>`],
    ['a script of half strings', `<script>mailto@${`"\\`.repeat(100_000)}</script>`],
    [
      'JSON-LD nested without end',
      `<script type="application/ld+json">${'['.repeat(100_000)}</script>`,
    ],
    [
      'JSON-LD with thousands of addresses',
      `<script type="application/ld+json">${JSON.stringify(Array.from({ length: 5_000 }, (_, at) => ({ email: `a${at}@b.de` })))}</script>`,
    ],
    ['a style sheet of selectors', `<style>${'.a,'.repeat(50_000)}{display:none}</style>`],
    ['hidden elements within a word', '<span style="display:none">a'.repeat(20_000)],
    ['hidden addresses without end', '<p hidden>a@b.de</p>'.repeat(100_000)],
    [
      'hidden elements with names of their own',
      Array.from(
        { length: 30_000 },
        (_, at) => `<p class="n${at}" style="display:none">a${at}@b.de</p>`,
      ).join(''),
    ],
    [
      'classes that a style sheet hides, each by its own rule',
      `<style>${Array.from({ length: 20_000 }, (_, at) => `.n${at}{display:none}`).join('')}</style>${Array.from({ length: 20_000 }, (_, at) => `<p class="n${at}">a${at}@b.de</p>`).join('')}`,
    ],
    [
      'one class hidden and used without end',
      `<style>${'.a .b{display:none}'.repeat(20_000)}.a{display:none}</style>${'<p class=a>a@b.de</p>'.repeat(50_000)}`,
    ],
    ['style sheets without end', '<style>.a{display:none}'.repeat(100_000)],
    ['comments of a style sheet that never end', `<style>${'/*'.repeat(200_000)}</style>`],
    ['blocks of a style sheet that never end', `<style>${'@media{a{'.repeat(100_000)}</style>`],
    [
      'colours within colours',
      '<div style="background:#fff"><p style="color:#fff">a@b.de'.repeat(1_000),
    ],
    ['templates without end', '<template>'.repeat(100_000)],
    ['browsers without scripts', '<noscript>a@b.de</noscript>'.repeat(50_000)],
    ['links with nothing on them', '<a href="mailto:a@b.de"></a>'.repeat(50_000)],
    [
      'titles of drawings without end',
      '<svg><title>Tel. 030 23125014</title></svg>'.repeat(50_000),
    ],
    ['headings without end', '<h1>Impressum'.repeat(100_000)],
    ['broken surrogates', '\uD800'.repeat(500_000)],
    ['zero bytes', '\0'.repeat(1_000_000)],
  ])('are read in time: %s', (_, html) => {
    const before = process.cpuUsage();
    const { emails, phones, profiles, contactLinks } = read(html);
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(LONG_MS);
    expect(emails.length).toBeLessThanOrEqual(100);
    expect(phones.length).toBeLessThanOrEqual(60);
    expect(profiles.length).toBeLessThanOrEqual(60);
    expect(contactLinks.length).toBeLessThanOrEqual(60);
  });

  it('are read where they are no pages and have no address', () => {
    for (const html of ['', ' ', '\uFEFF', '%PDF-1.7', '{}', 'null'])
      expect(read(html).emails).toEqual([]);
    expect(
      extractPage({ html: 'info@acme.de', url: 'not an address', countryCode: 'XX' }).emails,
    ).toEqual([]);
  });

  it(
    'are read whatever bits of a page are flipped, cut out or doubled',
    { timeout: TIMEOUT_MS },
    () => {
      const pages = madeSites().flatMap(({ pages: all }) =>
        Object.values(all).map(({ body }) => body),
      );
      fc.assert(
        fc.property(
          fc.nat(pages.length - 1),
          fc.array(
            fc.tuple(
              fc.double({ min: 0, max: 1, noNaN: true }),
              fc.nat(255),
              fc.constantFrom('flip', 'cut', 'double'),
            ),
            { minLength: 1, maxLength: 12 },
          ),
          (at, changes) => {
            let bytes: Buffer = Buffer.from(pages[at]!);
            for (const [place, value, change] of changes) {
              const index = Math.floor(place * Math.max(0, bytes.length - 1));
              if (change === 'flip') bytes[index] = value;
              else if (change === 'cut')
                bytes = Buffer.concat([bytes.subarray(0, index), bytes.subarray(index + value)]);
              else bytes = Buffer.concat([bytes.subarray(0, index + value), bytes.subarray(index)]);
            }
            const { url: kept } = read(bytes.toString('latin1'));
            expect(kept).toBe(url);
          },
        ),
        { numRuns: 300 },
      );
    },
  );

  it('are read whatever text stands there', { timeout: TIMEOUT_MS }, () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '<a href="mailto:',
        '@',
        '">',
        '</a>',
        ' at ',
        '[at]',
        'Tel. ',
        '+49',
        '030 ',
        '<script>',
        '</script>',
        '&#64;',
        '<td>',
        '<!--',
        '-->',
        '%40',
        '\\',
        "'",
        'fax',
        'constructor(',
        '__proto__',
        'toString()',
        '<constructor>',
        '=',
        '+',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        expect(read(pieces.join('')).url).toBe(url);
      }),
      { numRuns: 500 },
    );
  });
});
