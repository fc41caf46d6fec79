/** Messages' HTML is safe to show: whatever comes in, nothing in the answer is run or fetched. */
import fc from 'fast-check';
import { Parser } from 'htmlparser2';
import { describe, expect, it } from 'vitest';
import { sanitizeForDisplay } from '../src/inbox-html.ts';

describe('sanitizeForDisplay', () => {
  it.each([
    ['<p onclick="x()">Hi <b>you</b></p>', '<p>Hi <b>you</b></p>'],
    ['a<script>alert(1)</script>b', 'ab'],
    ['<style>@import "https://x.test/a.css"</style>b', 'b'],
    ['<img src="https://t.test/p.gif" alt="our <logo>">', 'our &lt;logo&gt;'],
    ['a<img src="//t.test/p.gif">b<img src="//t.test/p" alt="&quot;c">d', 'ab"cd'],
    ['<img src="data:image/gif;base64,AA==" alt="dot">', 'dot'],
    ['<img srcset="https://t.test/p.gif 2x" src="cid:a@b">', '<img src="cid:a@b" />'],
    ['<td background="https://t.test/p.gif">x</td>', '<td>x</td>'],
    ['<div style="background:url(https://t.test/p)">x</div>', '<div>x</div>'],
    [
      String.raw`<p style="color: red; width: u\72l(//t.test); background-color: rgb(1, 2, 3)">x</p>`,
      '<p style="color: red; background-color: rgb(1, 2, 3)">x</p>',
    ],
    ['<a href="javascript:alert(1)">x</a>', '<a>x</a>'],
    ['<a href="java\tscript:alert(1)">x</a>', '<a>x</a>'],
    ['<a href="//x.test/">x</a>', '<a>x</a>'],
    ['<a href="mailto:a@b.test">x</a>', linked('mailto:a@b.test')],
    [
      '<a href="https://x.test/?a=1&b=2" ping="https://t.test">x</a>',
      linked('https://x.test/?a=1&amp;b=2'),
    ],
    ['<meta http-equiv="refresh" content="0;url=https://t.test">x', 'x'],
    ['<form action="https://t.test"><input name="a">x</form>', 'x'],
    ['<iframe src="https://t.test">y</iframe>x', 'x'],
    ['<link rel="stylesheet" href="https://t.test">x', 'x'],
    ['<svg><image href="https://t.test"/></svg>x', 'x'],
    ['<base href="https://t.test/">x', 'x'],
    ['a\u0000b\uD800', 'ab\uFFFD'],
  ])('turns %s into %s', (html, clean) => {
    expect(sanitizeForDisplay(html)).toBe(clean);
  });

  it('leaves nothing to fetch or run, whatever comes in', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 30 }), (pieces) => {
        expect(dangersOf(sanitizeForDisplay(pieces.join('')))).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const once = sanitizeForDisplay(pieces.join(''));
        expect(sanitizeForDisplay(once)).toBe(once);
      }),
      {
        examples: [[['<a href="https://t.test/a">']], [['<p>', '<form>', '<div>']]],
        numRuns: 1_000,
      },
    );
  });

  it.each([
    ['tags within tags', '<div>'.repeat(1_000_000)],
    ['tags that are never closed', '<b '.repeat(1_000_000)],
    ['escapes', '&'.repeat(5_000_000)],
    ['attributes', `<p ${'a="b" '.repeat(500_000)}>`],
    ['a style', `<p style="${'color:red;'.repeat(500_000)}">`],
    ['comments', '<!--'.repeat(1_000_000)],
  ])('bounds giant messages of %s', (_what, html) => {
    const before = process.cpuUsage();
    expect(sanitizeForDisplay(html).length).toBeLessThanOrEqual(1_000_000);
    // Of CPU: other processes may have the cores.
    expect(process.cpuUsage(before).user).toBeLessThan(3_000_000);
  });
});

function linked(href: string): string {
  return `<a href="${href}" rel="noopener noreferrer nofollow" target="_blank">x</a>`;
}

/** What a browser would load, run or follow by itself, as another parser sees it. */
function dangersOf(html: string): string[] {
  const found: string[] = [];
  const parser = new Parser({
    onopentag(name, attributes) {
      if (FORBIDDEN.test(name)) found.push(`<${name}>`);
      for (const [attribute, value] of Object.entries(attributes)) {
        if (isDangerous(name, attribute, value)) found.push(`${name} ${attribute}=${value}`);
      }
    },
  });
  parser.end(html);
  return found;
}

const FORBIDDEN =
  /^(?:script|style|link|meta|base|iframe|frame|frameset|object|embed|applet|form|input|button|select|textarea|svg|math|video|audio|source|track|template|picture)$/;

function isDangerous(name: string, attribute: string, value: string): boolean {
  if (attribute === 'href') return name !== 'a' || !/^(?:https?:\/\/|mailto:)/i.test(value);
  if (attribute === 'src') return name !== 'img' || !/^cid:/i.test(value);
  if (attribute === 'style') return /url|@|\\|expression|image|\/\*|:\s*var/i.test(value);
  return /^on|^(?:srcset|background|poster|data|action|formaction|ping|cite|longdesc|id|class)$/.test(
    attribute,
  );
}

const address = fc.constantFrom(
  'https://t.test/a',
  '//t.test/a',
  'javascript:alert(1)',
  'JaVa\nScript:alert(1)',
  'data:text/html,x',
  'cid:a@b',
  'mailto:a@b.test',
  '&#106;avascript:x',
  'http:evil',
  'x" onload="y',
);
const oneOf = (words: string) => fc.constantFrom(...words.split(' '));
const name = oneOf(
  'a img p td table svg math style script iframe form input video link meta base xmp noscript ' +
    'template title textarea select option image plaintext mglyph annotation-xml foreignObject ' +
    'IMG A object embed body div',
);
const attribute = oneOf(
  'href src srcset background style onclick onerror action poster data xlink:href ping formaction ' +
    'HREF SrC cite id alt title',
);
const style = fc
  .tuple(
    oneOf('background color width font list-style-type border behavior'),
    oneOf(String.raw`url(//t.test) red \75rl(x) expression(x) u/**/rl(x) " '`),
  )
  .map(([property, value]) => `${property}:${value}`);
const quote = fc.constantFrom('"', "'", '', '`');
const piece = fc.oneof(
  fc
    .tuple(
      name,
      attribute,
      fc.oneof(address, style),
      quote,
      fc.constantFrom('>', '/>', '', ' ', '>x'),
    )
    .map(([tag, key, value, mark, end]) => `<${tag} ${key}=${mark}${value}${mark}${end}`),
  name.map((tag) => `</${tag}>`),
  fc.constantFrom(
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '<!',
    '<',
    '>',
    '&lt;',
    '&#x3c;',
    'text',
    '\0',
  ),
);
