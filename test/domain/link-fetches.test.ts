/** Who fetches a link: a person, or a program that looks at the message. */
import { describe, expect, it } from 'vitest';
import {
  isMachineRequest,
  judgeFetches,
  type LinkFetch,
} from '../../src/domain/sending/link-fetches.ts';

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148';

describe('isMachineRequest', () => {
  it.each([
    ['a browser', CHROME, false],
    ['a telephone', IPHONE, false],
    ['Outlook', 'Mozilla/4.0 (compatible; ms-office; MSOffice 16)', false],
    [
      'Thunderbird',
      'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.5.0',
      false,
    ],
    ['an app', 'Dalvik/2.1.0 (Linux; U; Android 12; ANA-AN00 Build/HUAWEIANA-AN00)', false],
    // A telephone by this name.
    ['a browser on a Cubot', 'Mozilla/5.0 (Linux; Android 9; CUBOT X19) AppleWebKit/537.36', false],
    // Fetched when a person opens the message, by their provider.
    [
      'Gmail',
      'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
      false,
    ],
    ['Yahoo', 'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html', false],
    // Fetched whether or not anybody opens it.
    ['Apple Mail’s privacy', 'Mozilla/5.0', true],
    [
      'Gmail, ahead',
      `${CHROME.replace('131.0.0.0', '42.0.2311.135')} Edge/12.246 Mozilla/5.0`,
      true,
    ],
    ['nobody', '', true],
    ['nobody, in blanks', '  ', true],
    ['Barracuda', 'Barracuda Sentinel (EE)', true],
    ['Proofpoint', 'Mozilla/5.0 (compatible; proofpoint-urldefense/1.0)', true],
    ['Mimecast', 'Mimecast-URL-Scanner/2.0', true],
    ['Bing’s preview', `${CHROME} BingPreview/1.0b`, true],
    ['Google', 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', true],
    ['a chat', 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)', true],
    ['Facebook', 'facebookexternalhit/1.1', true],
    ['a headless browser', CHROME.replace('Chrome/', 'HeadlessChrome/'), true],
    ['a script', 'python-requests/2.31.0', true],
    ['curl', 'curl/8.4.0', true],
    ['Go', 'Go-http-client/2.0', true],
    ['Java', 'Apache-HttpClient/4.5.1 (Java/1.8.0_172)', true],
  ])('%s: %s', (_who, userAgent, isMachine) => {
    expect(isMachineRequest('GET', { 'user-agent': userAgent })).toBe(isMachine);
  });

  it.each([
    ['HEAD', {}],
    ['GET', { purpose: 'prefetch' }],
    ['GET', { 'sec-purpose': 'prefetch;prerender' }],
    ['GET', { 'x-moz': 'prefetch' }],
    ['GET', { 'x-purpose': 'preview' }],
  ])('%s %j is a program, also with the words of a browser', (method, headers) => {
    expect(isMachineRequest(method, { 'user-agent': CHROME, ...headers })).toBe(true);
  });

  it('is quick for words of any length', () => {
    const before = process.cpuUsage();
    isMachineRequest('GET', { 'user-agent': 'a-'.repeat(50_000) });
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(500);
  });
});

/** `open` or the message of a link, seconds after the message was sent, `!` for a program's words. */
const fetched = (text: string): LinkFetch[] =>
  text.split(' ').map((each) => {
    const [, target, seconds, mark] = /^([a-z]+)(\d+(?:\.\d)?)(!?)$/.exec(each)!;
    const at = new Date(1_000_000_000_000 + Number(seconds) * 1_000);
    return { target: target === 'open' ? '' : target!, at, isMachine: mark === '!' };
  });

describe('judgeFetches', () => {
  it.each([
    ['open60', 'person', 'is read after a minute'],
    ['open60 a75', 'person person', 'is read, and a link followed'],
    ['open10', 'machine', 'nobody reads within ten seconds'],
    ['a9', 'machine', 'nor follows a link'],
    ['a11', 'person', 'a quick reader'],
    ['open60!', 'machine', 'what says that it is a program'],
    ['a60 b61', 'machine machine', 'two links at once'],
    ['a60 b63', 'machine machine', 'or within seconds'],
    ['a60 b64', 'person person', 'but people follow two links'],
    ['a60 a61', 'person person', 'a double click is no burst'],
    ['open60 a60 b60 c61', 'machine machine machine machine', 'a scanner loads the picture, too'],
    ['open55 a60 b60', 'person machine machine', 'what was opened before was opened'],
    ['a60 b60 a300', 'machine machine person', 'after the scanner comes the person'],
    ['a60! b61', 'machine machine', 'another link beside a known program’s'],
    ['a60! open62', 'machine person', 'a person beside a preview in a chat'],
  ])('%s: %s (%s)', (text, verdicts) => {
    const sentAt = new Date(1_000_000_000_000);
    const judged = judgeFetches(sentAt, fetched(text));
    expect(judged.map((isMachine) => (isMachine ? 'machine' : 'person')).join(' ')).toBe(verdicts);
  });
});
