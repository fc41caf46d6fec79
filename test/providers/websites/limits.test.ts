/** Whatever a site sends is bounded in bytes, unpacked bytes and time. */
import type { RequestListener } from 'node:http';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCrawler } from '../../../src/providers/websites/crawler.ts';
import type { Websites } from '../../../src/providers/websites/port.ts';
import { bomb } from '../../support/api/bombs.ts';
import { startWebWorld, type WebWorld } from '../../support/websites/web-world.ts';

let world: WebWorld;
let websites: Websites;
let sites = 0;

beforeAll(async () => {
  world = await startWebWorld();
});
afterAll(() => world.close());
beforeEach(() => {
  websites = createCrawler(world.options);
});

const page = '<title>x</title><a href="mailto:info@acme.com">Mail</a>';
const html = { 'content-type': 'text/html' };

/** Visits a site whose home page is answered by `home`. */
async function visitHome(home: RequestListener) {
  sites += 1;
  const host = `site-${sites}.com`;
  world.site(host, { '/': home });
  return websites.visit({ website: `http://${host}/`, countryCode: 'US' });
}

const emailsOf = ({ contacts }: Awaited<ReturnType<typeof visitHome>>) =>
  contacts.emails.map(({ email }) => email);

describe('a compressed page', () => {
  test.each([
    ['gzip', gzipSync(page)],
    ['x-gzip', gzipSync(page)],
    ['GZIP', gzipSync(page)],
    ['deflate', deflateSync(page)],
    ['deflate', deflateRawSync(page)],
    ['br', brotliCompressSync(page)],
    ['identity', Buffer.from(page)],
  ])('in %s is read', async (encoding, body) => {
    const answer = await visitHome((_request, response) =>
      response.writeHead(200, { ...html, 'content-encoding': encoding }).end(body),
    );
    expect(answer.state).toBe('found');
    expect(emailsOf(answer)).toEqual(['info@acme.com']);
  });

  test.each(['gzip, gzip', 'gzip, br', 'zstd', 'compress', 'x-unknown'])(
    'in %s is refused',
    async (encoding) => {
      const answer = await visitHome((_request, response) =>
        response.writeHead(200, { ...html, 'content-encoding': encoding }).end(gzipSync(page)),
      );
      expect(answer).toMatchObject({
        state: 'refused',
        reason: expect.stringContaining('compresses in a way') as string,
      });
    },
  );

  test('that is cut off in the middle is read as far as it goes', async () => {
    const filler = Array.from({ length: 20_000 }, () => Math.random()).join(' ');
    const body = gzipSync(page + filler);
    const answer = await visitHome((_request, response) =>
      response.writeHead(200, { ...html, 'content-encoding': 'gzip' }).end(body.subarray(0, 9_000)),
    );
    expect(emailsOf(answer)).toEqual(['info@acme.com']);
  });

  test('that is broken is refused', async () => {
    const answer = await visitHome((_request, response) =>
      response.writeHead(200, { ...html, 'content-encoding': 'gzip' }).end('no gzip at all'),
    );
    expect(answer.state).toBe('refused');
  });

  test.each(['gzip', 'deflate', 'br'] as const)(
    'in %s that unpacks to 1 GB is cut off at 2 MB, and its start is read',
    async (encoding) => {
      const body = await bomb(encoding, page, 1024 ** 3);
      expect(body.length).toBeLessThan(8 * 1024 ** 2);
      const before = process.memoryUsage().rss;
      const answer = await visitHome((_request, response) =>
        response.writeHead(200, { ...html, 'content-encoding': encoding }).end(body),
      );
      expect(emailsOf(answer)).toEqual(['info@acme.com']);
      expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 ** 2);
    },
    120_000,
  );
});

describe('a page that is too large', () => {
  test('is cut off at 2 MB, and what came is used', async () => {
    let sent = 0;
    const answer = await visitHome((_request, response) => {
      response.writeHead(200, html);
      response.write(page);
      const block = Buffer.alloc(64 * 1024, ' ');
      const more = () => {
        while (!response.destroyed && response.write(block)) sent += block.length;
        response.once('drain', more);
      };
      more();
    });
    expect(emailsOf(answer)).toEqual(['info@acme.com']);
    expect(sent).toBeLessThan(16 * 1024 ** 2);
  });

  test('in a million pieces weighs no more than its bytes', async () => {
    const before = process.memoryUsage().rss;
    const answer = await visitHome((_request, response) => {
      response.writeHead(200, html).flushHeaders();
      response.socket?.end(`${'1\r\nx\r\n'.repeat(1_000_000)}0\r\n\r\n`);
    });
    expect(answer.state).toBe('found');
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 ** 2);
  });
});

describe('what is no page', () => {
  test.each([
    'application/pdf',
    'image/png',
    'application/json',
    'application/octet-stream',
    'video/mp4',
  ])('of type %s is refused without reading it', async (type) => {
    let wasEnded = false;
    const answer = await visitHome((_request, response) => {
      response.writeHead(200, { 'content-type': type });
      response.on('close', () => (wasEnded = true));
      const block = Buffer.alloc(64 * 1024, 'x');
      const more = () => {
        while (!response.destroyed && response.write(block));
        response.once('drain', more);
      };
      more();
    });
    expect(answer).toMatchObject({ state: 'refused', pages: [] });
    expect(answer.reason).toContain(type);
    await expect.poll(() => wasEnded).toBe(true);
  });

  test.each([
    undefined,
    'text/html',
    'text/html; charset=UTF-8',
    'TEXT/HTML',
    'application/xhtml+xml',
    'text/plain',
  ])('type %s is a page', async (type) => {
    const answer = await visitHome((_request, response) =>
      response.writeHead(200, type === undefined ? {} : { 'content-type': type }).end(page),
    );
    expect(answer.state).toBe('found');
  });

  test('binary data that calls itself a page is refused', async () => {
    const answer = await visitHome((_request, response) =>
      response.writeHead(200, html).end(Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR')),
    );
    expect(answer.state).toBe('refused');
  });
});

describe('a server without manners', () => {
  test('that sends huge headers is given up', async () => {
    const answer = await visitHome((_request, response) => {
      response.socket?.end(`HTTP/1.1 200 OK\r\n${'x-a: 1234567890\r\n'.repeat(10_000)}\r\n`);
    });
    expect(answer).toMatchObject({ state: 'unreachable' });
    expect(answer.reason).toMatch(/sends too many headers\.$/);
  });

  test('that speaks no HTTP is given up', async () => {
    const answer = await visitHome((_request, response) => {
      response.socket?.end('220 mail.example.com ESMTP\r\n');
    });
    expect(answer).toMatchObject({ state: 'unreachable' });
    expect(answer.reason).toMatch(/does not speak HTTP\.$/);
  });

  test('that breaks the connection is given up', async () => {
    const answer = await visitHome((_request, response) => void response.socket?.destroy());
    expect(answer).toMatchObject({ state: 'unreachable' });
    expect(answer.reason).toMatch(/broke the connection\.$/);
  });

  test('that breaks off in the middle of a page is read as far as it came', async () => {
    const answer = await visitHome((_request, response) => {
      response.writeHead(200, { ...html, 'content-length': '100000' });
      response.write(page, () => response.socket?.destroy());
    });
    expect(emailsOf(answer)).toEqual(['info@acme.com']);
  });

  test.concurrent('that never answers is given up after 10 s', async () => {
    const startedAt = performance.now();
    const answer = await visitHome(() => undefined);
    expect(answer).toMatchObject({ state: 'unreachable' });
    expect(answer.reason).toMatch(/did not answer in time\.$/);
    expect(performance.now() - startedAt).toBeLessThan(20_000);
  });

  test.concurrent('that drips a header line a second is given up after 10 s', async () => {
    const startedAt = performance.now();
    const answer = await visitHome((_request, response) => {
      response.socket?.write('HTTP/1.1 200 OK\r\n');
      const drip = setInterval(() => response.socket?.write('x-drip: 1\r\n'), 1_000);
      response.on('close', () => clearInterval(drip));
    });
    expect(answer.state).toBe('unreachable');
    expect(performance.now() - startedAt).toBeLessThan(20_000);
  });

  test.concurrent('that drips its page is read as far as it came within 10 s', async () => {
    const startedAt = performance.now();
    const answer = await visitHome((_request, response) => {
      response.writeHead(200, html).write(page);
      const drip = setInterval(() => response.write('x'), 500);
      response.on('close', () => clearInterval(drip));
    });
    expect(emailsOf(answer)).toEqual(['info@acme.com']);
    expect(performance.now() - startedAt).toBeLessThan(20_000);
  });

  test.concurrent(
    'that is slow on every page gets 30 s in all',
    async () => {
      const startedAt = performance.now();
      const links = [1, 2, 3, 4, 5, 6].map((n) => `<a href="/contact-${n}">Contact</a>`);
      world.site('slow-site.com', (request, response) => {
        if (request.url === '/robots.txt') return response.writeHead(404).end();
        const timer = setTimeout(() => response.writeHead(200, html).end(links.join('')), 8_000);
        response.on('close', () => clearTimeout(timer));
        return undefined;
      });
      const answer = await websites.visit({
        website: 'http://slow-site.com',
        countryCode: null,
      });
      expect(answer.state).toBe('found');
      expect(performance.now() - startedAt).toBeLessThan(45_000);
    },
    90_000,
  );
});

test('a visit that is cancelled throws the reason at once and lets go of its connections', async () => {
  let wasClosed = false;
  let cancelledAt = Infinity;
  const controller = new AbortController();
  const reason = new Error('enough');
  world.site('hanging.com', (_request, response) => {
    response.on('close', () => (wasClosed = true));
    cancelledAt = performance.now();
    controller.abort(reason);
  });
  const visiting = websites.visit(
    { website: 'http://hanging.com', countryCode: null },
    controller.signal,
  );
  await expect(visiting).rejects.toBe(reason);
  // Who never answers is given up after 10 s.
  expect(performance.now() - cancelledAt).toBeLessThan(9_000);
  await expect.poll(() => wasClosed).toBe(true);
});
