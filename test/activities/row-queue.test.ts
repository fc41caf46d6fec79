/** Rows of an import that never end: their page ends all the same, and another attempt takes over. */
import { expect, it } from 'vitest';
import { workOff } from '../../activities/mailboxes/row-queue.ts';

it('ends a page whose row hangs after it was told to end', { timeout: 10_000 }, async () => {
  const stop = new AbortController();
  const row = { row: 1, hosts: ['imap.one.test'], isBegun: false };
  const page = workOff([row], stop.signal, () => new Promise(() => undefined), 50);
  stop.abort();
  await expect(page).rejects.toThrow('1 rows hang');
});

it('waits for rows that end when they are told to', async () => {
  const stop = new AbortController();
  const row = { row: 1, hosts: ['imap.one.test'], isBegun: false };
  let isOver = false;
  const page = workOff(
    [row],
    stop.signal,
    (_, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () =>
          setTimeout(() => resolve(((isOver = true), undefined)), 20),
        );
      }),
    5_000,
  );
  stop.abort();
  await page;
  expect(isOver).toBe(true);
});
