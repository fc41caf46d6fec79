/** Rows of an import that never end: their page ends all the same, and another attempt takes over. */
import { expect, it } from 'vitest';
import { workOff } from '../../activities/mailboxes/row-queue.ts';

it('ends a page whose row hangs after it was told to end', { timeout: 30_000 }, async () => {
  const rows = [1, 2].map((row) => ({ row, hosts: ['imap.one.test'], isBegun: false }));
  const work = ({ row }: { row: number }) =>
    row === 1
      ? Promise.reject(new Error('the mailbox is gone'))
      : new Promise<void>(() => undefined);
  const page = workOff(rows, new AbortController().signal, work, 50);
  await expect(page).rejects.toThrow('1 rows hang');
});

it('ends a page that is cancelled with the cancellation, also where a row hangs', async () => {
  const stop = new AbortController();
  const row = { row: 1, hosts: ['imap.one.test'], isBegun: false };
  const page = workOff([row], stop.signal, () => new Promise(() => undefined), 50);
  stop.abort(new Error('the activity is cancelled'));
  await expect(page).rejects.toThrow('the activity is cancelled');
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
