/** Links in messages: nobody can make, change or read one. Choice 55. */
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createRecipientLinks } from '../../src/encryption/recipient-links.ts';

const key = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const keys = key('one');
const publicUrl = 'https://api.example.test/';
const links = createRecipientLinks({ publicUrl, keys });

const target = 'https://shop.example/angebot?a=1&b=%20#x';
const tokenOf = (url: string) => url.split('/').at(-1)!;
const made = [
  { url: links.unsubscribeUrl(7), link: { kind: 'unsubscribe', sendId: 7 } },
  { url: links.openUrl(7), link: { kind: 'open', sendId: 7 } },
  { url: links.clickUrl(7, target), link: { kind: 'click', sendId: 7, target } },
  {
    url: links.resubscribeToken(7, 2 ** 40, 'de'),
    link: { kind: 'resubscribe', sendId: 7, suppressionId: 2 ** 40, language: 'de' },
  },
  { url: links.resubscribeToken(7, 8), link: { kind: 'resubscribe', sendId: 7, suppressionId: 8 } },
  { url: links.unsubscribeUrl(2 ** 47), link: { kind: 'unsubscribe', sendId: 2 ** 47 } },
];

describe('links in messages', () => {
  it('say what they were made for, the same at every attempt', () => {
    for (const { url, link } of made) expect(links.read(tokenOf(url))).toEqual(link);
    expect(links.unsubscribeUrl(7)).toBe(made[0]!.url);
    expect(made[0]!.url).toMatch(/^https:\/\/api\.example\.test\/u\/[\w-]{31}$/);
    expect(made[1]!.url).toMatch(/^https:\/\/api\.example\.test\/t\/[\w-]{31}$/);
  });

  it('accept none of 5,000 forged and changed tokens', () => {
    const forged = [...mutants(made.map(({ url }) => tokenOf(url)))];
    expect(forged.length).toBeGreaterThan(5_000);
    expect(forged.filter((token) => links.read(token) !== undefined)).toEqual([]);
  });

  it('show nothing of what is in them', () => {
    const token = tokenOf(links.clickUrl(123, target));
    const bytes = Buffer.from(token, 'base64url');
    expect(bytes.includes('shop.example')).toBe(false);
    expect(tokenOf(links.openUrl(124)).slice(0, 12)).not.toBe(
      tokenOf(links.openUrl(123)).slice(0, 12),
    );
  });

  it('survive a rotation of the key, and end when it leaves the ring', () => {
    const rotated = createRecipientLinks({ publicUrl, keys: `${key('two')},${keys}` });
    expect(links.messageTag(7)).toMatch(/^[0-9a-v]{8}$/);
    expect(rotated.isMessageTag(7, links.messageTag(7))).toBe(true);
    expect(links.isMessageTag(7, links.messageTag(8))).toBe(false);
    expect(links.isMessageTag(7, rotated.messageTag(7))).toBe(false);
    expect(rotated.read(tokenOf(made[0]!.url))).toEqual(made[0]!.link);
    expect(rotated.unsubscribeUrl(7)).not.toBe(made[0]!.url);
    const stranger = createRecipientLinks({ publicUrl, keys: key('two') });
    expect(stranger.read(tokenOf(made[0]!.url))).toBeUndefined();
  });

  it('lead to http and https alone', () => {
    for (const bad of [
      'javascript:alert(1)',
      'data:text/html,x',
      '//evil.test',
      'shop',
      'ftp://a/',
    ]) {
      expect(() => links.clickUrl(7, bad)).toThrow('http or https');
    }
    expect(() => links.clickUrl(7, `https://a.test/${'x'.repeat(3_000)}`)).toThrow('too long');
  });
});

/** Every bit turned, every character changed, cut, lengthened, crossed and made up. */
function* mutants(tokens: string[]): Generator<string> {
  for (const token of tokens) {
    const bytes = Buffer.from(token, 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      yield changed.toString('base64url');
    }
    for (let at = 0; at < token.length; at++) {
      yield token.slice(0, at);
      yield token.slice(at + 1);
      for (const char of ['A', 'z', '0', '-', '=', ' ', '+', '/', '%', '\u0000', 'é']) {
        if (token[at] !== char) yield token.slice(0, at) + char + token.slice(at + 1);
      }
    }
    for (const more of ['A', '=', '==', ' ', '\n', token]) yield token + more;
    for (const other of tokens) {
      if (other !== token) yield token.slice(0, 22) + other.slice(22);
    }
  }
  for (let n = 0; n < 3_000; n++) yield randomBytes(16 + (n % 64)).toString('base64url');
  yield '';
}
