import type { RequestListener } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCrawler } from '../../../src/providers/websites/crawler.ts';
import type { Websites } from '../../../src/providers/websites/port.ts';
import { startWebWorld, type WebWorld } from '../../support/websites/web-world.ts';

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

const visit = (website: string) => websites.visit({ website, countryCode: 'DE' });
const to =
  (location: string, status = 302): RequestListener =>
  (_request, response) =>
    response.writeHead(status, { location }).end();

describe('a home page that redirects', () => {
  test.each([301, 302, 303, 307, 308])('is followed with status %i', async (status) => {
    world.site(`s${status}.example.com`, { '/': to('/home', status), '/home': 'here' });
    const answer = await visit(`http://s${status}.example.com`);
    expect(answer).toMatchObject({ state: 'found', pages: [`http://s${status}.example.com/home`] });
  });

  test('is followed five times, not six', async () => {
    const pages = Object.fromEntries([1, 2, 3, 4, 5, 6].map((n) => [`/${n}`, to(`/${n - 1}`)]));
    world.site('chain.example.com', { ...pages, '/0': 'here' });
    expect(await visit('http://chain.example.com/5')).toMatchObject({ state: 'found' });
    expect(await visit('http://chain.example.com/6')).toMatchObject({
      state: 'unreachable',
      reason: 'chain.example.com redirects more than 5 times.',
    });
  });

  test('is left alone when it redirects in a circle', async () => {
    world.site('circle.example.com', { '/': to('/a'), '/a': to('/') });
    expect(await visit('http://circle.example.com')).toMatchObject({
      state: 'unreachable',
      reason: 'circle.example.com redirects in a circle.',
    });
    expect(world.requests.map(({ path }) => path)).toEqual(['/robots.txt', '/', '/a']);
  });

  test('is followed to https, to www. and to another domain, whose robots.txt is asked', async () => {
    world.site('old.example.com', (request, response) => {
      const isSecure = 'encrypted' in request.socket;
      const location = isSecure ? 'https://www.new-name.com/' : 'https://old.example.com/';
      response.writeHead(request.url === '/' ? 301 : 404, { location }).end();
    });
    world.site('www.new-name.com', { '/': 'here' });
    expect(await visit('http://old.example.com')).toMatchObject({
      state: 'found',
      pages: ['https://www.new-name.com/'],
    });
    const asked = world.requests.map(({ host, path }) => host + path);
    expect(asked.indexOf('www.new-name.com/robots.txt')).toBeGreaterThan(-1);
    expect(asked.indexOf('www.new-name.com/robots.txt')).toBeLessThan(
      asked.indexOf('www.new-name.com/'),
    );
  });

  test('is refused where it leads to no web address', async () => {
    world.site('mail.example.com', { '/': to('mailto:info@example.com') });
    world.site('empty.example.com', {
      '/': (_request, response) => response.writeHead(302).end(),
    });
    expect(await visit('http://mail.example.com')).toMatchObject({ state: 'refused' });
    expect(await visit('http://empty.example.com')).toMatchObject({ state: 'refused' });
  });
});

describe('an address without a protocol', () => {
  test('is tried as https first', async () => {
    world.site('both.example.com', { '/': 'here' });
    expect((await visit('both.example.com')).pages).toEqual(['https://both.example.com/']);
  });

  test('is tried as http where nothing answers https', async () => {
    world.site('plain.example.com', { '/': 'here' }, { ports: [80] });
    expect((await visit('plain.example.com')).pages).toEqual(['http://plain.example.com/']);
  });

  test('is found under www. where the bare name has no address, and the other way round', async () => {
    world.site('www.only-www.com', { '/': 'here' });
    world.site('only-bare.com', { '/': 'here' });
    expect((await visit('only-www.com')).pages).toEqual(['https://www.only-www.com/']);
    expect((await visit('http://www.only-bare.com')).pages).toEqual(['http://only-bare.com/']);
  });

  test('may be written in letters of any language', async () => {
    world.site('xn--mller-kva.example.com', { '/': 'here' });
    expect((await visit('müller.example.com')).pages).toEqual([
      'https://xn--mller-kva.example.com/',
    ]);
    expect((await visit('HTTP://MÜLLER.Example.com.')).state).toBe('found');
  });
});

test('a page that is gone gives way to the home page', async () => {
  world.site('moved.example.com', { '/': 'here' });
  const answer = await visit('http://moved.example.com/old/page.html?utm_source=maps');
  expect(answer.pages).toEqual(['http://moved.example.com/']);
});

test.each([401, 403, 404, 410, 500, 503])(
  'a home page with status %i is unreachable',
  async (status) => {
    world.site(`e${status}.example.com`, (request, response) => {
      response.writeHead(request.url === '/robots.txt' ? 404 : status).end();
    });
    expect(await visit(`http://e${status}.example.com`)).toMatchObject({
      state: 'unreachable',
      reason: `e${status}.example.com answers with status ${status}.`,
      pages: [],
    });
  },
);

test.each(['', '   ', 'not a website', 'http://', 'mailto:info@example.com', 'ftp://example.com'])(
  '%j is no web address',
  async (website) => {
    expect((await visit(website)).state).toBe('refused');
    expect(world.requests).toEqual([]);
  },
);

test('cookies are not kept', async () => {
  world.site('cookies.example.com', (request, response) => {
    const headers = { 'set-cookie': 'id=1; Path=/', 'content-type': 'text/html' };
    if (request.url === '/') response.writeHead(302, { ...headers, location: '/next' });
    else response.writeHead(200, headers);
    response.end();
  });
  await visit('http://cookies.example.com');
  expect(world.requests.length).toBeGreaterThan(1);
  expect(world.requests.filter(({ headers }) => headers.cookie !== undefined)).toEqual([]);
});
