import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSignal } from '../../support/tools/signal.ts';
import { createCrawler } from '../../../src/providers/websites/crawler.ts';
import type { Websites } from '../../../src/providers/websites/port.ts';
import { version } from '../../../src/domain/version.ts';
import {
  startWebWorld,
  type SeenRequest,
  type WebWorld,
} from '../../support/websites/web-world.ts';

let world: WebWorld;
let websites: Websites;

beforeAll(async () => {
  world = await startWebWorld();
});
afterAll(() => world.close());
beforeEach(() => {
  websites = createCrawler(world.options);
  world.requests.length = 0;
});

const visit = (website: string) => websites.visit({ website, countryCode: null });
const linked = {
  '/': '<a href="/contact">Contact</a> <a href="/impressum">Impressum</a>',
  '/contact': 'here',
  '/impressum': 'here',
};
const isPage = ({ path }: SeenRequest) => path !== '/robots.txt';
const pathsOf = (requests: readonly SeenRequest[]) => requests.map(({ path }) => path);

/** The most requests that ran at one time. */
function mostAtOnce(requests: readonly SeenRequest[]): number {
  const running = (at: number) =>
    requests.filter(({ startedAt, endedAt }) => startedAt <= at && at < endedAt).length;
  return Math.max(...requests.map(({ startedAt }) => running(startedAt)));
}

/** Milliseconds between the end of a request and the start of the next. */
const pauses = (requests: readonly SeenRequest[]) =>
  requests.slice(1).map(({ startedAt }, at) => startedAt - requests[at]!.endedAt);

test('we say who we are and where to read about us', async () => {
  world.site('who.com', linked);
  await visit('http://who.com');
  for (const { headers } of world.requests) {
    expect(headers['user-agent']).toBe(`OutreachBot/${version} (+https://outreach.example/bot)`);
    expect(headers['accept-encoding']).toBe('gzip, deflate, br');
    expect(headers.referer).toBeUndefined();
  }
});

test('one connection serves a whole visit', async () => {
  world.socks.asked.length = 0;
  world.site('keep-alive.com', linked);
  await visit('http://keep-alive.com');
  expect(world.requests.length).toBeGreaterThanOrEqual(4);
  expect(world.socks.asked).toHaveLength(1);
});

describe('a site', () => {
  test('gets a quarter of a second between two pages', async () => {
    world.site('pause.com', linked);
    await visit('http://pause.com');
    const pages = world.requests.filter(isPage);
    expect(pathsOf(pages)).toEqual(['/', '/contact', '/impressum']);
    for (const pause of pauses(pages)) expect(pause).toBeGreaterThan(240);
  });

  test('gets one request at a time, however many visits it has', async () => {
    for (const host of ['many.com', 'www.many.com', 'shop.many.com']) {
      world.site(host, (request, response) => {
        setTimeout(() => {
          response.writeHead(request.url === '/' ? 200 : 404, { 'content-type': 'text/html' });
          response.end('here');
        }, 20);
      });
    }
    const hosts = ['many.com', 'www.many.com', 'shop.many.com', 'many.com'];
    await Promise.all(hosts.map((host) => visit(`http://${host}`)));
    expect(world.requests.length).toBeGreaterThan(6);
    expect(mostAtOnce(world.requests)).toBe(1);
  });

  test('gets the pause that its robots.txt asks for', async () => {
    world.site('delay.com', {
      ...linked,
      '/robots.txt': 'User-agent: *\nCrawl-delay: 1.5',
    });
    await visit('http://delay.com');
    const pages = world.requests.filter(isPage);
    expect(pages).toHaveLength(3);
    for (const pause of pauses(pages)) expect(pause).toBeGreaterThan(1_490);
  });
});

test('an address that carries many sites gets four requests at a time', async () => {
  const shared = world.site('tenant-0.com', {});
  // None is answered before there are so many, and a fifth one would have its time to come.
  const four = createSignal();
  let begun = 0;
  for (let at = 0; at < 12; at += 1) {
    world.site(`tenant-${at}.com`, (request, response) => {
      if ((begun += 1) === 4) four.open();
      void four.opened.then(() =>
        setTimeout(() => {
          response.writeHead(request.url === '/' ? 200 : 404, { 'content-type': 'text/html' });
          response.end('here');
        }, 30),
      );
    });
    world.records.set(`tenant-${at}.com`, [shared]);
  }
  await Promise.all(Array.from({ length: 12 }, (_, at) => visit(`http://tenant-${at}.com`)));
  expect(mostAtOnce(world.requests)).toBe(4);
});

describe('a server that asks to come back later', () => {
  test.each([429, 503])('by %i gets its second, once', async (status) => {
    let times = 0;
    const host = `later-${status}.com`;
    world.site(host, {
      '/': (_request, response) => {
        times += 1;
        if (times > 1) return response.writeHead(200, { 'content-type': 'text/html' }).end('here');
        return response.writeHead(status, { 'retry-after': '1' }).end();
      },
    });
    expect((await visit(`http://${host}`)).state).toBe('found');
    const pages = world.requests.filter(({ path }) => path === '/');
    expect(pages).toHaveLength(2);
    expect(pauses(pages)[0]).toBeGreaterThan(990);
  });

  test.each(['60', 'Wed, 21 Oct 2099 07:28:00 GMT', undefined, 'soon'])(
    'in %s is given up',
    async (later) => {
      const host = `much-later-${String(later).length}.com`;
      world.site(host, {
        '/': (_request, response) =>
          response.writeHead(429, later === undefined ? {} : { 'retry-after': later }).end(),
      });
      expect(await visit(`http://${host}`)).toMatchObject({
        state: 'unreachable',
        reason: `${host} answers with status 429.`,
      });
      expect(world.requests.filter(({ path }) => path === '/')).toHaveLength(1);
    },
  );

  test('on a further page keeps what was read before', async () => {
    world.site('busy.com', {
      '/': '<a href="mailto:info@busy.com">Mail</a><a href="/contact">Contact</a>',
      '/contact': (_request, response) => response.writeHead(503, { 'retry-after': '900' }).end(),
    });
    const answer = await visit('http://busy.com');
    expect(answer.state).toBe('found');
    expect(answer.contacts.emails.map(({ email }) => email)).toEqual(['info@busy.com']);
  });
});
