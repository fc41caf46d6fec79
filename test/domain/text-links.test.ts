/** Web addresses in texts become links that lead where the text says. */
import { describe, expect, it } from 'vitest';
import { htmlOfText } from '../../src/domain/sending/message-bodies.ts';
import { cpuMs } from '../support/cpu-time.ts';

const linksOf = (text: string) =>
  [...htmlOfText(text).matchAll(/<a href="([^"]*)">([^<]*)<\/a>/g)].map(([, href, shown]) => {
    expect(shown).toBe(href);
    return href;
  });
/** Nothing of the text is lost but its line ends. */
const textOf = (html: string) => html.replaceAll(/<[^>]*>/g, '').replaceAll('&amp;', '&');

describe('a web address in a text', () => {
  it.each([
    // Written without spaces, up to the next stop.
    ['看https://acme.com/价格。谢谢', 'https://acme.com/价格'],
    ['看https://acme.com。谢谢', 'https://acme.com'],
    ['请看https://acme.com/价格，谢谢', 'https://acme.com/价格'],
    ['「https://acme.com」です', 'https://acme.com'],
    ['https://acme.com」です', 'https://acme.com'],
    ['（https://acme.com/a）を', 'https://acme.com/a'],
    ['see https://a.bc！', 'https://a.bc'],
    ['https://acme.com、次', 'https://acme.com'],
    ['انظر https://acme.com/x، شكرا', 'https://acme.com/x'],
    ['देखें https://acme.com/x। धन्यवाद', 'https://acme.com/x'],
    // No domain ends in letters of two scripts.
    ['请访问https://acme.com了解更多', 'https://acme.com'],
    ['https://www.acme.co.jpをご覧ください', 'https://www.acme.co.jp'],
    ['ดูhttps://acme.comได้', 'https://acme.com'],
    ['https://acme.com를 보세요', 'https://acme.com'],
    // Typographic marks.
    ['https://acme.com—now', 'https://acme.com'],
    ['«https://acme.com»', 'https://acme.com'],
    ['“https://acme.com/x”', 'https://acme.com/x'],
    ['https://acme.com/“x”', 'https://acme.com/'],
    ['‘https://acme.com/x’', 'https://acme.com/x'],
    ['https://acme.com/x… and', 'https://acme.com/x'],
    ['\u202bhttps://acme.com/x\u202c', 'https://acme.com/x'],
    // Brackets in pairs.
    ['(https://acme.com/a_(b))', 'https://acme.com/a_(b)'],
    ['https://acme.com/a_(b)', 'https://acme.com/a_(b)'],
    ['https://acme.com/a_(b).', 'https://acme.com/a_(b)'],
    ['(see https://acme.com/a).', 'https://acme.com/a'],
    ['[https://acme.com/a]', 'https://acme.com/a'],
    // As before.
    ['see https://acme.com/?a=1&b=2.', 'https://acme.com/?a=1&amp;b=2'],
    ['siehe https://acme.com/ä.', 'https://acme.com/ä'],
    ['https://müller.de/x', 'https://müller.de/x'],
    ['https://例え.jp/x', 'https://例え.jp/x'],
    ['https://acme.中国/x', 'https://acme.中国/x'],
    ['https://acme.com:8080/x!', 'https://acme.com:8080/x'],
  ])('%s', (text, href) => {
    expect(linksOf(text)).toEqual([href]);
    expect(textOf(htmlOfText(text))).toBe(text);
  });

  it('is one of several in a text without spaces', () => {
    expect(linksOf('https://a.com，https://b.com/x。')).toEqual([
      'https://a.com',
      'https://b.com/x',
    ]);
  });

  it('is none where nothing stands behind the scheme', () => {
    expect(linksOf('https:// and http://。 and https://...')).toEqual([]);
  });

  it('takes no time that grows faster than the text', async () => {
    const write = () => {
      for (const end of [')', '.', '(', '.a', 'a', '你', '。']) {
        htmlOfText(`https://acme.com${end.repeat(100_000)}`);
      }
    };
    expect(await cpuMs(write)).toBeLessThan(2_000);
  });
});
