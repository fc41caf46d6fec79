/** No spelling of an address, no redirect and no DNS answer makes us dial what is not public. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCrawler } from '../../../src/providers/websites/crawler.ts';
import type { Websites } from '../../../src/providers/websites/port.ts';
import { forbiddenHosts, innerIpv4, innerIpv6 } from '../../support/websites/address-forms.ts';
import { startWebWorld, type WebWorld } from '../../support/websites/web-world.ts';

let world: WebWorld;
let websites: Websites;
/** Sockets that this process opened to anywhere, the proxy included. */
let socketsOpened = 0;
const count = () => (socketsOpened += 1);

beforeAll(async () => {
  world = await startWebWorld();
  websites = createCrawler(world.options);
  subscribe('net.client.socket', count);
});

afterAll(async () => {
  unsubscribe('net.client.socket', count);
  await world.close();
});

beforeEach(() => {
  socketsOpened = 0;
  world.socks.asked.length = 0;
});

const visit = (website: string, by = websites) => by.visit({ website, countryCode: null });
const hosts = forbiddenHosts();

/** Runs a few at a time: what is tried does not wait for each other. */
async function forEach<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const worker = async () => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

describe('an address that is not public', () => {
  test('is tried in at least 500 spellings', () => {
    expect(hosts.length).toBeGreaterThanOrEqual(500);
  });

  test('is refused in every spelling before a socket opens', async () => {
    const through: string[] = [];
    await forEach(hosts, async (host) => {
      for (const website of [host, `http://${host}/`, `https://${host}/a?b=c`]) {
        const { state } = await visit(website);
        if (state === 'found') through.push(website);
        // A bare `localhost` may read as a name that nobody has; it still must not be dialled.
        if (website !== host && state !== 'refused') through.push(`${website} is ${state}`);
      }
    });
    expect(through).toEqual([]);
    expect(socketsOpened).toBe(0);
    expect(world.socks.asked).toEqual([]);
  });

  test('is refused without a proxy too', async () => {
    const direct = createCrawler({ ...world.options, outboundProxy: undefined });
    await forEach(hosts, async (host) => {
      expect({ host, state: (await visit(`http://${host}/`, direct)).state }).toEqual({
        host,
        state: 'refused',
      });
    });
    expect(socketsOpened).toBe(0);
  });

  test('is refused with a user name, another port or another scheme before it', async () => {
    const forms = innerIpv4.flatMap((address) => [
      `http://user:secret@${address}/`,
      `http://public.example@${address}/`,
      `http://${address}:22/`,
      `http://${address}:80/`,
      `https://${address}:443/`,
      `http://${address}:8080/`,
      `ftp://${address}/`,
      `file://${address}/etc/passwd`,
      `gopher://${address}:6379/_INFO`,
      `//${address}/`,
      `\\\\${address}\\share`,
      ` http://${address}/ `,
      `http:\\\\${address}\\`,
      `http:${address}`,
      `http:/${address}`,
      `http://public.example\\@${address}/`,
      `http://${address}#.public.example`,
      `http://${address}?.public.example`,
      `http://[::ffff:${address}]:80/`,
    ]);
    const states = new Set<string>();
    await forEach(forms, async (form) => {
      states.add((await visit(form)).state);
    });
    expect(states.has('found')).toBe(false);
    expect(socketsOpened).toBe(0);
  });

  test('is not dialled when a redirect leads there', async () => {
    const targets = hosts.map((host) => `http://${host}/`);
    world.site('evil.example.com', (request, response) => {
      const target = targets[Number(/^\/(\d+)$/.exec(request.url ?? '')?.[1])];
      if (target === undefined) return response.writeHead(404).end();
      // As a hostile server would: raw bytes, not encoded for a header.
      const location = Buffer.from(target).toString('latin1');
      return response.writeHead(302, { location }).end();
    });
    const through: string[] = [];
    await forEach([...targets.keys()], async (at) => {
      const { state, reason } = await visit(`http://evil.example.com/${at}`);
      if (state !== 'refused') through.push(`${targets[at]}: ${state} ${reason}`);
    });
    expect(through).toEqual([]);
    const dialled = new Set(world.socks.asked.map(({ host }) => host));
    expect(dialled).toEqual(new Set(world.records.get('evil.example.com')));
  });

  test('is not dialled when links, frames or a refresh lead there', async () => {
    const links = innerIpv4.map((address) => `<a href="http://${address}/contact">Contact</a>`);
    world.site('links.example.com', {
      '/': `<html><head><meta http-equiv="refresh" content="0; url=http://127.0.0.1/"></head>
        <body>${links.join('')}<a href="//localhost/kontakt">Kontakt</a>
        <iframe src="http://[::1]/"></iframe><a href="/contact">Contact</a></body></html>`,
      '/contact': '<frameset><frame src="http://169.254.169.254/latest"></frameset>',
    });
    expect((await visit('http://links.example.com/')).state).toBe('found');
    const dialled = new Set(world.socks.asked.map(({ host }) => host));
    expect(dialled).toEqual(new Set(world.records.get('links.example.com')));
  });

  test('is not dialled for robots.txt or a sitemap', async () => {
    world.site('maps.example.com', {
      '/': 'nothing here',
      '/robots.txt': 'User-agent: *\nAllow: /\nSitemap: http://169.254.169.254/sitemap.xml',
    });
    world.site('robots.example.com', (request, response) => {
      if (request.url === '/robots.txt') response.writeHead(302, { location: 'http://10.0.0.1/' });
      response.end();
    });
    await visit('http://maps.example.com/');
    await visit('http://robots.example.com/');
    expect(world.socks.asked.every(({ host }) => host.startsWith('198.18.'))).toBe(true);
  });
});

describe('a name that leads inside', () => {
  const answers = [...innerIpv4, ...innerIpv6, '::ffff:10.0.0.1', 'fe80::1%eth0', 'not an address'];

  test('is refused for every such address, alone or beside a public one', async () => {
    const names = answers.flatMap((address, at) => {
      const answersOf = [[address], ['198.18.99.1', address], [address, '198.18.99.1']];
      return answersOf.map((records, variant) => {
        const name = `inner-${at}-${variant}.example.com`;
        world.records.set(name, records);
        return name;
      });
    });
    await forEach(names, async (name) => {
      for (const website of [`http://${name}/`, `https://${name}/`]) {
        const { state } = await visit(website);
        expect({ website, state }).toEqual({ website, state: 'refused' });
      }
    });
    expect(socketsOpened).toBe(0);
  });

  test('is not dialled when its answer changes between two look-ups', async () => {
    const address = world.site('rebind.example.com', (request, response) => {
      // Each request needs a connection of its own.
      response.writeHead(200, { connection: 'close', 'content-type': 'text/html' });
      response.end(request.url === '/' ? '<a href="/contact">Contact</a>' : 'x');
    });
    let lookups = 0;
    const dns = {
      resolveA: () => Promise.resolve([(lookups += 1) % 2 === 1 ? address : '127.0.0.1']),
    };
    const rebound = createCrawler({ ...world.options, dns });
    const answers = [];
    for (let time = 0; time < 4; time += 1) {
      answers.push((await visit('http://rebind.example.com/', rebound)).state);
    }
    expect(answers).toEqual(['found', 'refused', 'found', 'refused']);
    expect(lookups).toBe(4);
    expect(new Set(world.socks.asked.map(({ host }) => host))).toEqual(new Set([address]));
    expect(world.socks.asked.length).toBeGreaterThan(4);
  });
});

test('the range of the world in a box is refused unless the setting allows it', async () => {
  world.site('box.example.com', { '/': 'hello' });
  const strict = createCrawler({ ...world.options, allowBenchmarkRange: false });
  expect((await visit('http://box.example.com/', strict)).state).toBe('refused');
  expect(socketsOpened).toBe(0);
  expect((await visit('http://box.example.com/')).state).toBe('found');
});
