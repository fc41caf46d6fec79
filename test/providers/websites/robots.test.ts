/** robots.txt as RFC 9309 has it. */
import type { RequestListener } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCrawler } from '../../../src/providers/websites/crawler.ts';
import type { Websites } from '../../../src/providers/websites/port.ts';
import { parseRobots } from '../../../src/providers/websites/robots.ts';
import { startWebWorld, type WebWorld } from '../../support/websites/web-world.ts';

const home = new URL('https://acme.com/');
const allows = (text: string, path: string) =>
  parseRobots(home, text).isAllowed(new URL(path, home));

describe('the rules of a robots.txt', () => {
  test.each([
    ['', '/', true],
    ['User-agent: *\nDisallow: /', '/', false],
    ['User-agent: *\nDisallow:', '/', true],
    ['User-agent: *\nDisallow: /private', '/private/page', false],
    ['User-agent: *\nDisallow: /private', '/public', true],
    ['User-agent: *\nDisallow: /\nAllow: /contact', '/contact', true],
    ['User-agent: *\nAllow: /a\nDisallow: /a', '/a', true],
    ['User-agent: *\nDisallow: /*.html$', '/page.html', false],
    ['User-agent: *\nDisallow: /*.html$', '/page.html?x=1', true],
    ['User-agent: *\nDisallow: /*?', '/page?x=1', false],
    ['User-agent: *\nDisallow: /%7Ejoe', '/~joe', true],
    ['User-agent: *\nDisallow: /kontakt/%C3%BCber', '/kontakt/über', false],
    ['User-agent: *\nDisallow: /über', '/%C3%BCber', false],
    ['User-agent: OutreachBot\nDisallow: /', '/', false],
    ['user-agent: outreachbot\ndisallow: /', '/', false],
    ['User-agent: OutreachBot/2.0\nDisallow: /', '/', false],
    ['User-agent: OutreachBot\nDisallow:\n\nUser-agent: *\nDisallow: /', '/', true],
    ['User-agent: Googlebot\nDisallow: /', '/', true],
    ['User-agent: a\nUser-agent: OutreachBot\nDisallow: /', '/', false],
    ['User-agent: OutreachBot\nSitemap: /s.xml\nUser-agent: b\nDisallow: /', '/', false],
    [
      'User-agent: OutreachBot\nDisallow: /a\nUser-agent: x\nDisallow:\nUser-agent: OutreachBot\nDisallow: /b',
      '/b',
      false,
    ],
    ['\uFEFFUser-agent: *\nDisallow: /', '/', false],
    ['User-agent: * # all\r\nDisallow: / # everything', '/', false],
    ['User-agent: *\rDisallow: /', '/', false],
    ['User-agent : *\n  Disallow : /', '/', false],
    ['Disallow: /', '/', true],
    ['<html><body>Not found</body></html>', '/', true],
  ])('%j and %s: allowed is %s', (text, path, expected) => {
    expect(allows(text, path)).toBe(expected);
  });

  test('name the delay, up to 10 s', () => {
    const delay = (value: string) =>
      parseRobots(home, `User-agent: *\nCrawl-delay: ${value}`).delayMs;
    expect(['2', '0.5', '10', '3600', '-1', 'soon', ''].map(delay)).toEqual([
      2_000, 500, 10_000, 10_000, 0, 0, 0,
    ]);
  });

  test('name at most five sitemaps', () => {
    const lines = Array.from({ length: 9 }, (_, at) => `Sitemap: https://acme.com/${at}.xml`);
    expect(parseRobots(home, lines.join('\n')).sitemaps).toHaveLength(5);
  });

  test('never throw and never take long, whatever stands there', () => {
    const line = fc.oneof(
      fc.string(),
      fc.constantFrom('User-agent: *', 'Disallow: /', 'Allow: /*$', 'Crawl-delay: x', 'Sitemap:'),
      fc.string().map((value) => `Disallow: ${value}`),
      fc.string({ unit: 'binary' }).map((value) => `User-agent: ${value}`),
    );
    fc.assert(
      fc.property(fc.array(line), fc.webUrl(), (lines, url) => {
        const rules = parseRobots(new URL(url), lines.join('\n'));
        expect(typeof rules.isAllowed(new URL(url))).toBe('boolean');
        expect(rules.delayMs).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  test('made to be slow are judged within a second of CPU', () => {
    const stars = `Disallow: /${'*a'.repeat(400)}b`;
    const rules = parseRobots(home, `User-agent: *\n${`${stars}\n`.repeat(600)}`);
    const before = process.cpuUsage();
    rules.isAllowed(new URL(`/${'a'.repeat(2_000)}`, home));
    rules.isAllowed(new URL(`/${'*'.repeat(500_000)}`.slice(0, 2_000), home));
    expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
  });
});

describe('a visit', () => {
  let world: WebWorld;
  let websites: Websites;
  let sites = 0;

  beforeAll(async () => {
    world = await startWebWorld();
  });
  afterAll(() => world.close());
  beforeEach(() => {
    websites = createCrawler(world.options);
    world.requests.length = 0;
  });

  /** A site whose robots.txt is answered so; its home page links a contact page. */
  function siteWith(robots: RequestListener) {
    sites += 1;
    const host = `robots-${sites}.com`;
    world.site(host, {
      '/': '<a href="/contact">Contact</a>',
      '/contact': 'here',
      '/robots.txt': robots,
    });
    return websites.visit({ website: `http://${host}`, countryCode: null });
  }

  test.each([200, 204, 400, 401, 403, 404, 410])(
    'is made when robots.txt is %i',
    async (status) => {
      const answer = await siteWith((_request, response) => response.writeHead(status).end());
      expect(answer.state).toBe('found');
    },
  );

  test.each([429, 500, 502, 503, 520])('is not made when robots.txt is %i', async (status) => {
    const answer = await siteWith((_request, response) => response.writeHead(status).end());
    // Not `refused`: the next visit may find it.
    expect(answer.state).toBe('unreachable');
    expect(answer.reason).toContain(`status ${status}`);
    expect(world.requests.map(({ path }) => path)).toEqual(['/robots.txt']);
  });

  test('is not made when robots.txt cannot be had for the connection breaks', async () => {
    const answer = await siteWith((_request, response) => void response.socket?.destroy());
    expect(answer.state).toBe('unreachable');
    expect(world.requests.every(({ path }) => path === '/robots.txt')).toBe(true);
  });

  test('is not made when robots.txt breaks off: the rules that are missing may forbid it', async () => {
    let isWhole = false;
    const robots: RequestListener = (_request, response) => {
      if (isWhole) return response.end('User-agent: *\nAllow: /');
      response.writeHead(200, { 'content-length': '1000' });
      return response.write('User-agent: *\n', () => response.socket?.destroy());
    };
    const answer = await siteWith(robots);
    expect(answer.state).toBe('unreachable');
    expect(world.requests.every(({ path }) => path === '/robots.txt')).toBe(true);
    // Nor is what came of it kept for the next visit.
    isWhole = true;
    const website = `http://robots-${sites}.com`;
    expect(await websites.visit({ website, countryCode: null })).toMatchObject({ state: 'found' });
  });

  test('obeys it for the home page', async () => {
    const answer = await siteWith((_request, response) =>
      response.end('User-agent: OutreachBot\nDisallow: /'),
    );
    expect(answer).toMatchObject({ state: 'refused', pages: [] });
    expect(answer.reason).toMatch(/^The robots\.txt of robots-\d+\.com forbids the visit\.$/);
    expect(world.requests.map(({ path }) => path)).toEqual(['/robots.txt']);
  });

  test('obeys it for each further page', async () => {
    const answer = await siteWith((_request, response) =>
      response.end('User-agent: *\nDisallow: /contact'),
    );
    expect(answer.pages).toHaveLength(1);
    expect(world.requests.some(({ path }) => path.startsWith('/contact'))).toBe(false);
  });

  test('follows five redirects of robots.txt', async () => {
    const host = 'elsewhere-robots.com';
    world.site(host, (request, response) => {
      const step = Number(/(\d)$/.exec(request.url ?? '')?.[1] ?? 0);
      if (step >= 5) return response.end('User-agent: *\nDisallow: /');
      return response.writeHead(301, { location: `/robots-${step + 1}` }).end();
    });
    expect(await websites.visit({ website: `http://${host}`, countryCode: null })).toMatchObject({
      state: 'refused',
    });
  });

  test('reads a robots.txt up to 500 KiB', async () => {
    const filler = `# ${'x'.repeat(98)}\n`.repeat(5_000);
    const early = await siteWith((_request, response) =>
      response.end(`User-agent: *\nDisallow: /\n${filler.repeat(3)}`),
    );
    expect(early.state).toBe('refused');
    const late = await siteWith((_request, response) =>
      response.end(`${filler.repeat(3)}User-agent: *\nDisallow: /\n`),
    );
    expect(late.state).toBe('found');
  });

  test('asks for robots.txt once per origin and hour', async () => {
    world.site('cached.com', { '/': '<a href="/contact">Contact</a>', '/contact': 'here' });
    for (let time = 0; time < 3; time += 1) {
      await websites.visit({ website: 'http://cached.com', countryCode: null });
    }
    const asked = world.requests.filter(({ path }) => path === '/robots.txt');
    expect(asked).toHaveLength(1);
  });
});
