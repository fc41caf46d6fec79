/** How activities wait: for their turn at an inbox, and for a bell. */
import { describe, expect, it } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import { runSerially } from '../../activities/inbox/serial-work.ts';
import { createBell } from '../../activities/webhooks/bell.ts';
import { createSignal } from '../support/tools/signal.ts';

describe('work on the inbox of an account', () => {
  it('is done one after the other, in its order, also after work that failed', async () => {
    const told: string[] = [];
    const work = (name: string, before: Promise<unknown>, error?: Error) => () =>
      before.then(() => {
        told.push(name);
        if (error) throw error;
        return name;
      });
    const otherIsDone = createSignal();
    const first = runSerially('a', work('first', otherIsDone.opened));
    const failing = runSerially('a', work('failing', sleep(10), new Error('broken')));
    const last = runSerially('a', work('last', Promise.resolve()));
    const other = runSerially('b', work('other', Promise.resolve()));
    void other.then(() => otherIsDone.open());
    await expect(failing).rejects.toThrow('broken');
    expect(await Promise.all([first, last, other])).toEqual(['first', 'last', 'other']);
    expect(told).toEqual(['other', 'first', 'failing', 'last']);
    expect(await runSerially('a', work('later', Promise.resolve()))).toBe('later');
  });
});

describe('a bell', () => {
  const waited = async (wait: Promise<void>) => {
    const from = performance.now();
    await wait;
    return performance.now() - from;
  };

  it('ends the wait, once', async () => {
    const bell = createBell();
    const wait = waited(bell.wait(60_000));
    bell.ring();
    expect(await wait).toBeLessThan(50_000);
    expect(await waited(bell.wait(50))).toBeGreaterThan(45);
  });

  it('that has rung before spares the next wait, and only that', async () => {
    const bell = createBell();
    bell.ring();
    bell.ring();
    expect(await waited(bell.wait(60_000))).toBeLessThan(50_000);
    expect(await waited(bell.wait(50))).toBeGreaterThan(45);
  });
});
