/** What is kept of tags while a page is read; the reading itself is htmlparser2's. */
import { describe, expect, it } from 'vitest';
import { ATTRIBUTE } from '../../../../src/providers/websites/extract/html/tag.ts';
import { readTokens } from '../../../../src/providers/websites/extract/html/tokens.ts';

/** Tags as they are written with one attribute of each, text and ends, as lines. */
function read(html: string): string[] {
  const lines: string[] = [];
  readTokens(html, {
    open: ({ name }, { from, at, values }) =>
      lines.push(`<${name} ${html.slice(from, at)} ${values[ATTRIBUTE.href] ?? ''}`),
    text: (data) => lines.push(`"${data}`),
    close: ({ name }) => lines.push(`/${name}`),
  });
  return lines;
}

describe('reading HTML', () => {
  it('says where each tag stands, and what an attribute holds', () => {
    expect(read('x<A\nHREF="/a&amp;b">y</A>')).toEqual([
      '"x',
      '<a <A\nHREF="/a&amp;b"> /a&b',
      '"y',
      '/a',
    ]);
  });

  it('takes the first of two attributes of one name, however they are written', () => {
    expect(read('<a HREF=first href=second>')).toEqual([
      '<a <a HREF=first href=second> first',
      '/a',
    ]);
  });

  it('closes what HTML closes unsaid, and nothing of a drawing', () => {
    expect(read('<li>a<li>b<br>').map((line) => line.split(' ')[0])).toEqual([
      '<li',
      '"a',
      '/li',
      '<li',
      '"b',
      '<br',
      '/br',
      '/li',
    ]);
    expect(read('<svg><p/></svg>').map((line) => line.split(' ')[0])).toEqual([
      '<svg',
      '<p',
      '/p',
      '/svg',
    ]);
  });

  it('reads nothing of a tag that the end of the page cuts off', () => {
    const whole = ['<p <p> ', '"x', '/p'];
    expect(read('<p>x</p><a href="mailto:info@acme.com').slice(0, -1)).toEqual(whole);
    expect(read('<p>x</p><a href=mailto:info@acme.com').slice(0, -1)).toEqual(whole);
    expect(read('<p>x</p><!-- info@acme.com')).toEqual(whole);
  });

  it('puts parts of an address together from all attributes that are read', () => {
    const parts: unknown[] = [];
    readTokens('<a DATA-User="info" data-domain=acme.com title="to &#64;" id=x>', {
      open: (_element, tag) => parts.push(tag.parts),
      text: () => undefined,
      close: () => undefined,
    });
    expect(parts).toEqual([{ 'data-user': 'info', 'data-domain': 'acme.com', title: 'to @' }]);
  });
});
