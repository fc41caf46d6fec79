/**
 * Click tracking leaves links alone whose visible text is an address: it would differ from the target, which filters
 * take for phishing. docs/sending-rules.md#form-of-a-message.
 */
import { describe, expect, it } from 'vitest';
import { withClickLinks } from '../../src/domain/sending/message-bodies.ts';
import { showsAddress } from '../../src/domain/sending/shown-addresses.ts';
import { cpuMs } from '../support/cpu-time.ts';

const unsubscribeUrl = 'https://outreach.example/u/abc?x=1&y=2';
const clickUrl = (url: string) => `https://outreach.example/c?u=${encodeURIComponent(url)}`;
const tracked = (html: string) => withClickLinks(html, { unsubscribeUrl, clickUrl });
const isTracked = (shown: string) =>
  tracked(`<p><a href="https://acme.example/a">${shown}</a></p>`).includes('/c?u=');

describe('a link that shows an address', () => {
  it.each([
    'acme.com<br>more',
    'more<br/>acme.com',
    '<div>acme.com</div><div>more</div>',
    'acme<b>.com</b>',
    'acme<wbr>.com',
    'acme<!-- x -->.com',
    'acme&#46;com',
    'acme&#x2e;com',
    'acme&period;com',
    'ann&commat;acme&period;com',
    'https&colon;&sol;&sol;acme',
    'acme&shy;.com',
    'acme&zwnj;.com',
    'acme&nbsp;acme.com',
    '192.0.2.1/x',
    '192.0.2.1',
    '[2001:db8::1]/x',
    '2001:db8::1',
    'acme．com',
    'acme。com',
    'acme｡com',
    'ａｃｍｅ.ｃｏｍ',
    'ann＠acme.com',
    'münchen.de',
    'MÜNCHEN.DE/preise',
    'xn--mnchen-3ya.de',
    'пример.рф',
    'mu\u0308nchen.de',
    'उदाहरण.भारत',
    '例え。jp',
    'مثال.مصر',
    'acme.com:8080/x',
    '(acme.com)',
    '<img src="https://acme.example/a.png" alt="acme.com">',
    "<img alt='acme.com' src='/a.png'>",
    '<img src="/a>b.png" alt=acme.com>',
    '[::1]',
    'fe80::1:2',
    '2001:db8:0:0:1::5',
    '2001:db8:0:0:1:2:3:4',
  ])('stays as it is: %s', (shown) => {
    expect(isTracked(shown)).toBe(false);
  });

  it.each([
    'see more',
    'Node.js 2.0',
    'version 1.2.3',
    '10:30, room 2',
    'e.g. this',
    'Mehr<br>erfahren',
    '詳しくはこちら。今すぐ',
    'Hello.<br>World',
    'a &amp; b',
    '<img src="https://acme.example/a.png" alt="Our offer">',
    '<img data-alt="acme.com" alt="Our offer">',
    '<img alt="Our offer" alt="acme.com">',
    'Add::on',
    'face::1',
    '12::30',
    '00:1a:2b:3c:4d:5e',
  ])('is told from any other text: %s', (shown) => {
    expect(isTracked(shown)).toBe(true);
  });
});

/** The shortest of three times, in milliseconds. */
async function timeOf(shown: string): Promise<number> {
  let shortest = Infinity;
  for (let time = 0; time < 3; time += 1) {
    shortest = Math.min(shortest, await cpuMs(() => showsAddress(shown)));
  }
  return shortest;
}

describe('the time for a long text', () => {
  it.each([
    ['an image without an end', '<img ', ' alt="a'],
    ['an image with an open quote', '<img ', " alt='a"],
    ['images without an end', '', '<img '],
    ['tags without an end', '', '<p '],
    ['an image of many attributes', '<img ', 'a = '],
    ['a word', '', 'a'],
    ['a word of marks', '', '-'],
    ['words with dots', '', 'zzz.'],
    ['groups of hexadecimals', '', 'a:'],
    ['long groups of hexadecimals', '', 'abcd:'],
    ['colons', '', ':'],
    ['brackets', '', '[:'],
    ['spaces', '<img alt', ' '],
  ])('grows no faster than the text: %s', async (_case, start, part) => {
    const ofLength = (length: number) =>
      start + part.repeat(Math.ceil(length / part.length)).slice(0, length);
    await timeOf(ofLength(25_000));
    const [short, long] = [await timeOf(ofLength(25_000)), await timeOf(ofLength(100_000))];
    // Four times the text takes four times as long, sixteen times if it were quadratic; 100 ms are noise.
    expect(long).toBeLessThan(Math.max(100, 10 * short));
  });
});

describe('the target of a link', () => {
  it.each([
    ['https://acme.example/?a=1&amp;b=2', 'https://acme.example/?a=1&b=2'],
    ['https://acme.example/?a=1&#38;b=2', 'https://acme.example/?a=1&b=2'],
    ['https://acme.example/?a=1&copy=2', 'https://acme.example/?a=1&copy=2'],
    ['https://acme.example&sol;x', 'https://acme.example/x'],
  ])('is what a browser reads: %s', (href, url) => {
    expect(tracked(`<a href="${href}">x</a>`)).toContain(encodeURIComponent(url));
  });

  it('is the way out however it is written', () => {
    const href = unsubscribeUrl.replace('&', '&#x26;');
    expect(tracked(`<a href="${href}">x</a>`)).not.toContain('/c?u=');
  });
});
