/** How activities wait: for their turn at an inbox, and for a bell. */
import { describe, expect, it } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import { runSerially } from '../../activities/inbox/serial-work.ts';
import { createBell } from '../../activities/webhooks/bell.ts';

describe('work on the inbox of an account', () => {
  it('is done one after the other, in its order, also after work that failed', async () => {
    const told: string[] = [];
    const work = (name: string, ms: number, error?: Error) => () =>
      sleep(ms).then(() => {
        told.push(name);
        if (error) throw error;
        return name;
      });
    const first = runSerially('a', work('first', 40));
    const failing = runSerially('a', work('failing', 10, new Error('broken')));
    const last = runSerially('a', work('last', 0));
    const other = runSerially('b', work('other', 0));
    await expect(failing).rejects.toThrow('broken');
    expect(await Promise.all([first, last, other])).toEqual(['first', 'last', 'other']);
    expect(told).toEqual(['other', 'first', 'failing', 'last']);
    expect(await runSerially('a', work('later', 0))).toBe('later');
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
    const wait = waited(bell.wait(10_000));
    bell.ring();
    expect(await wait).toBeLessThan(9_000);
    expect(await waited(bell.wait(50))).toBeGreaterThan(45);
  });

  it('that has rung before spares the next wait, and only that', async () => {
    const bell = createBell();
    bell.ring();
    bell.ring();
    expect(await waited(bell.wait(10_000))).toBeLessThan(9_000);
    expect(await waited(bell.wait(50))).toBeGreaterThan(45);
  });
});
