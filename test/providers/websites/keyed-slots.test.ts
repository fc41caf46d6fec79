/** What visits share: one question about robots.txt, and slots that nobody waits for without end. */
import { describe, expect, it } from 'vitest';
import { createRobotsCache } from '../../../src/providers/websites/robots.ts';
import type { Session } from '../../../src/providers/websites/session.ts';
import { createKeyedSlots } from '../../../src/providers/websites/keyed-slots.ts';

type Fetch = Session['get'];

const sessionOf = (get: Fetch): Session => ({
  shared: {
    memory: { hold: () => ({ release: () => undefined }) },
  } as unknown as Session['shared'],
  robots: new Map(),
  get,
  close: () => undefined,
});
const answer = (status: number, text = '') => ({ status, headers: {}, body: Buffer.from(text) });
const home = new URL('https://slow.com/');
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('robots.txt of an origin', () => {
  it('is asked for once by all visits that need it at the same time', async () => {
    const cache = createRobotsCache();
    let asked = 0;
    const get = (async () => {
      asked += 1;
      await sleep(20);
      // Too long to be kept for later visits: those that wait share it all the same.
      return answer(200, `User-agent: *\nDisallow: /no\n#${'x'.repeat(9_000)}`);
    }) as unknown as Fetch;
    const rules = await Promise.all(
      Array.from({ length: 110 }, () => cache.rulesFor(home, sessionOf(get))),
    );
    expect(asked).toBe(1);
    for (const one of rules) {
      expect('isAllowed' in one && one.isAllowed(new URL('/no', home))).toBe(false);
    }
  });

  it('is asked for by the next visit when the first one is given up', async () => {
    const cache = createRobotsCache();
    const aborted = (async () => {
      await sleep(10);
      throw new Error('aborted');
    }) as unknown as Fetch;
    const found = (async () => answer(404)) as unknown as Fetch;
    const first = cache.rulesFor(home, sessionOf(aborted));
    const second = cache.rulesFor(home, sessionOf(found));
    await expect(first).rejects.toThrow('aborted');
    expect(await second).toHaveProperty('isAllowed');
  });

  it('forbids the visit when it asks for fewer requests (429)', async () => {
    const get = (async () => answer(429)) as unknown as Fetch;
    const rules = await createRobotsCache().rulesFor(home, sessionOf(get));
    expect(rules).toMatchObject({ state: 'unreachable' });
  });
});

describe('a slot', () => {
  it('that does not come in time is given up, and goes to the next in the queue', async () => {
    const slots = createKeyedSlots(1);
    const leave = await slots.takeWithin('site', 1_000);
    const late = slots.takeWithin('site', 20);
    const patient = slots.takeWithin('site', 10_000);
    expect(await late).toBeUndefined();
    leave!();
    (await patient)!();
    expect(await slots.takeWithin('site', 0)).toBeDefined();
  });

  it('is held for longer than the limit of waiting for it', async () => {
    const slots = createKeyedSlots(1);
    const leave = await slots.takeWithin('site', 20);
    await sleep(60);
    expect(await slots.takeWithin('site', 20)).toBeUndefined();
    leave!();
    expect(await slots.takeWithin('site', 1_000)).toBeDefined();
  });

  it('is followed by the pause that its holder asks for, at its key alone', async () => {
    const slots = createKeyedSlots(1);
    (await slots.takeWithin('long pause', 1_000))!(600_000);
    (await slots.takeWithin('site', 1_000))!(1_000);
    const left = performance.now();
    expect(await slots.takeWithin('other site', 30_000)).toBeDefined();
    expect(await slots.takeWithin('site', 30_000)).toBeDefined();
    expect(performance.now() - left).toBeGreaterThan(950);
    expect(await slots.takeWithin('long pause', 20)).toBeUndefined();
  });

  it('comes to so many at once, in their order', async () => {
    const slots = createKeyedSlots(2);
    const begun: number[] = [];
    let active = 0;
    let most = 0;
    const visit = async (id: number) => {
      const leave = await slots.takeWithin('address', 10_000);
      begun.push(id);
      most = Math.max(most, (active += 1));
      await sleep(5);
      active -= 1;
      leave!();
    };
    await Promise.all(Array.from({ length: 9 }, (_, id) => visit(id)));
    expect(most).toBe(2);
    expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });
});
