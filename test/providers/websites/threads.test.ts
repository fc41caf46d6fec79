/** Visits happen on threads of their own; what ends a thread ends one page at most. */
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWebsites } from '../../../src/providers/websites/index.ts';
import { createCrawlHandle } from '../../../src/providers/websites/threads/crawl-handle.ts';
import { createParser } from '../../../src/providers/websites/threads/parser.ts';
import { startWebWorld, type WebWorld } from '../../support/websites/web-world.ts';

let world: WebWorld;

beforeAll(async () => {
  world = await startWebWorld();
});
afterAll(() => world.close());

const question = (website: string) => ({ website, countryCode: null });

describe('createWebsites', () => {
  test('visits on a thread, with the resolver of the process', async () => {
    for (const at of [1, 2, 3, 4]) {
      world.site(`threads-${at}.com`, { '/': `<a href="mailto:info@threads-${at}.com">Mail</a>` });
    }
    const websites = createWebsites(world.options);
    const answers = await Promise.all(
      [1, 2, 3, 4].map((at) => websites.visit(question(`http://threads-${at}.com`))),
    );
    expect(answers.map(({ contacts }) => contacts.emails[0]?.email)).toEqual(
      [1, 2, 3, 4].map((at) => `info@threads-${at}.com`),
    );
    expect(await websites.visit(question('http://nobody.com'))).toMatchObject({
      state: 'unreachable',
      reason:
        'nobody.com has no IPv4 address in the DNS; sites that have only IPv6 are not visited.',
    });
    expect(await websites.visit(question('http://127.0.0.1'))).toMatchObject({ state: 'refused' });
  });

  test('says so when the resolver does not answer', async () => {
    const dns = { resolveA: () => Promise.reject(new Error('no resolver')) };
    const websites = createWebsites({ ...world.options, dns });
    expect(await websites.visit(question('http://acme.com'))).toMatchObject({
      state: 'unreachable',
      reason: 'The DNS gives no answer about acme.com.',
    });
  });

  test('keeps visits of one site apart in time', async () => {
    let running = 0;
    let most = 0;
    world.site('one-by-one.com', (request, response) => {
      running += 1;
      most = Math.max(most, running);
      setTimeout(() => {
        running -= 1;
        response.writeHead(request.url === '/' ? 200 : 404, { 'content-type': 'text/html' }).end();
      }, 20);
    });
    const websites = createWebsites(world.options);
    const visits = [1, 2, 3].map(() => websites.visit(question('http://one-by-one.com')));
    await Promise.all(visits);
    expect(most).toBe(1);
  });

  test('throws the reason of a signal, and the thread lets go of its connections', async () => {
    let wasClosed = false;
    world.site('cancelled.com', (_request, response) => {
      response.on('close', () => (wasClosed = true));
    });
    const websites = createWebsites(world.options);
    const controller = new AbortController();
    const visiting = websites.visit(question('http://cancelled.com'), controller.signal);
    const isAsked = () => world.requests.some(({ host }) => host === 'cancelled.com');
    await expect.poll(isAsked).toBe(true);
    controller.abort(new Error('enough'));
    await expect(visiting).rejects.toThrow('enough');
    await expect.poll(() => wasClosed).toBe(true);
    await expect(
      websites.visit(question('http://cancelled.com'), AbortSignal.abort(new Error('before'))),
    ).rejects.toThrow('before');
  });
});

describe('the thread that reads pages', () => {
  /** Speaks like one; a page's address says what befalls it. */
  const program = `
    const { parentPort } = require('node:worker_threads');
    parentPort.postMessage('ready');
    parentPort.on('message', ({ url }) => {
      if (url === 'hangs') for (;;);
      if (url === 'crashes') throw new Error('crashed');
      if (url === 'swells') for (const all = [];;) all.push(new Array(1e6).fill(url));
      parentPort.postMessage(JSON.stringify({ findings: { url } }));
    });`;
  const open = () =>
    new Worker(program, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 32 } });
  const page = (url: string) => ({
    url,
    body: Buffer.from('x'),
    encoding: '',
    contentType: '',
    countryCode: null,
  });

  /** Of each thread of this process. */
  const nicenesses = () =>
    readdirSync('/proc/self/task').map((id) => {
      const afterName = readFileSync(`/proc/self/task/${id}/stat`, 'utf8').split(') ').at(-1)!;
      return Number(afterName.split(' ')[16]);
    });

  test.skipIf(process.platform !== 'linux')(
    'stands behind the loop of its process (priorities of threads: Linux alone has them)',
    async () => {
      const before = getPriority();
      expect(await createParser().parse(page('http://acme.com'))).toHaveProperty('findings');
      expect(nicenesses()).toContain(Math.max(before, 10));
      expect(getPriority()).toBe(before);
    },
  );

  test.concurrent.each(['hangs', 'crashes', 'swells'])(
    'ends with a page that %s; the pages after it are read by another',
    async (fault) => {
      const parser = createParser(open, 1);
      const urls = ['a', fault, 'b', 'c', 'd'];
      const parsed = await Promise.all(urls.map((url) => parser.parse(page(url))));
      expect(parsed.map((one) => ('findings' in one ? one.findings.url : one.why))).toEqual([
        'a',
        'cannot be read',
        'b',
        'c',
        'd',
      ]);
    },
  );

  test('fails its page when it cannot start, and the next page gets another', async () => {
    let starts = 0;
    const parser = createParser(() => {
      starts += 1;
      return starts === 1 ? new Worker('throw new Error("broken")', { eval: true }) : open();
    });
    await expect(parser.parse(page('a'))).rejects.toThrow('broken');
    expect(await parser.parse(page('b'))).toEqual({ findings: { url: 'b' } });
  });
});

describe('the thread that crawls', () => {
  const dns = { resolveA: (name: string) => Promise.resolve([`address of ${name}`]) };
  const options = { dns, outboundProxy: undefined, contactUrl: '', allowBenchmarkRange: false };
  /** Looks its site up; the first of them dies meanwhile. */
  const program = (isFirst: boolean) => `
    const { parentPort } = require('node:worker_threads');
    const tell = (report) => parentPort.postMessage(report);
    tell({ kind: 'ready' });
    parentPort.on('message', ({ kind, id, question, addresses: pages }) => {
      if (kind === 'visit') tell({ kind: 'resolve', id, name: question.website });
      if (kind === 'visit' && ${isFirst}) setTimeout(() => { throw new Error('crashed'); }, 50);
      if (kind === 'resolved' && !${isFirst}) tell({ kind: 'answer', id, answer: { pages } });
    });`;

  test('is replaced when it dies, and its visits begin anew', async () => {
    let starts = 0;
    const crawler = createCrawlHandle(options, () => {
      starts += 1;
      return new Worker(program(starts === 1), { eval: true });
    });
    const answers = await Promise.all(['a', 'b'].map((site) => crawler.visit(question(site))));
    expect(answers.map(({ pages }) => pages)).toEqual([['address of a'], ['address of b']]);
    expect(starts).toBe(2);
  });

  test('fails its visits when it dies of them again', async () => {
    const crawler = createCrawlHandle(options, () => new Worker(program(true), { eval: true }));
    await expect(crawler.visit(question('a'))).rejects.toThrow('crashed');
  });
});
