/** Visits happen on threads of their own; what happens to a thread happens to one visit at most. */
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCrawlThread } from '../../../src/providers/websites/crawl-thread-handle.ts';
import { createWebsites } from '../../../src/providers/websites/index.ts';
import { startWebWorld, type WebWorld } from '../../support/web-world.ts';

let world: WebWorld;

beforeAll(async () => {
  world = await startWebWorld();
});
afterAll(() => world.close());

const question = (website: string) => ({ website, countryCode: null });

describe('createWebsites', () => {
  test('visits on its threads, with the resolver of the process', async () => {
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
      reason: 'nobody.com has no address in the DNS.',
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
    await expect.poll(isAsked, { timeout: 15_000 }).toBe(true);
    controller.abort(new Error('enough'));
    await expect(visiting).rejects.toThrow('enough');
    await expect.poll(() => wasClosed, { timeout: 5_000 }).toBe(true);
    await expect(
      websites.visit(question('http://cancelled.com'), AbortSignal.abort(new Error('before'))),
    ).rejects.toThrow('before');
  });
});

describe('a thread that dies', () => {
  /** Speaks like a crawling thread; a site's name says what befalls it. */
  const program = `
    const { parentPort, workerData: reading } = require('node:worker_threads');
    parentPort.postMessage({ kind: 'ready' });
    parentPort.on('message', ({ id, question }) => {
      Atomics.store(reading, 0, id);
      if (question.website === 'hangs') for (;;);
      if (question.website === 'crashes') throw new Error('crashed');
      if (question.website === 'swells') for (const all = [];;) all.push(new Array(1e6).fill(id));
      Atomics.store(reading, 0, 0);
      Atomics.add(reading, 1, 1);
      const answer = { state: 'found', reason: null, contacts: {}, pages: [question.website] };
      if (question.website !== 'waits') parentPort.postMessage({ kind: 'answer', id, answer });
      else setTimeout(() => parentPort.postMessage({ kind: 'answer', id, answer }), 500);
    });`;
  const open = (reading: Int32Array<SharedArrayBuffer>) =>
    new Worker(program, {
      eval: true,
      workerData: reading,
      resourceLimits: { maxOldGenerationSizeMb: 32 },
    });
  const dns = { resolveA: () => Promise.resolve([]) };

  test.concurrent.each(['hangs', 'crashes', 'swells'])(
    'of a page that %s costs that visit alone',
    async (fault) => {
      const thread = createCrawlThread(dns, open);
      const websites = ['waits', fault, 'after'];
      const answers = await Promise.all(
        websites.map((website) => thread.visit(question(website)).answer),
      );
      expect(answers.map(({ state }) => state)).toEqual(['found', 'refused', 'found']);
      expect(answers[1]?.reason).toBe('Its pages cannot be read within bounds.');
    },
  );

  test('before it is ready fails its visits, and the next one gets another', async () => {
    let starts = 0;
    const thread = createCrawlThread(dns, (reading) => {
      starts += 1;
      return starts === 1 ? new Worker('throw new Error("broken")', { eval: true }) : open(reading);
    });
    await expect(thread.visit(question('a')).answer).rejects.toThrow('broken');
    expect((await thread.visit(question('a')).answer).state).toBe('found');
  });
});
