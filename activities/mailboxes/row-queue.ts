/** Works off rows that mostly wait for mail hosts: many at once, few of one host, the least busy host first. */
import { setTimeout as sleep } from 'node:timers/promises';
import pTimeout from 'p-timeout';
import type { OpenRow } from '../../src/db/mailboxes/mailbox-imports.ts';
import { MAX_ROWS_AT_ONCE, MAX_ROWS_PER_HOST } from '../../src/domain/mailboxes/mailbox-imports.ts';

/** No row begins after this: the page ends, its progress is shown, and a pause or a release gets its turn. */
const PAGE_MS = 30_000;
/** Rows that wait longer for their message go on in the next page. */
const LAST_ROWS_MS = 10_000;
/** Longer than a call to a mail server may take: a row that was told to end, and is still in work then, hangs. */
const ENDING_MS = 120_000;

type Work = (row: OpenRow, signal: AbortSignal) => Promise<void>;

/**
 * Resolves when the page is over; throws what `work` throws, once no other row is in work any more. Rows that hang are
 * left, and it throws: the next attempt goes on as after a death, since what a row has reached is in the database.
 */
export async function workOff(
  rows: readonly OpenRow[],
  cancelled: AbortSignal,
  work: Work,
  endingMs = ENDING_MS,
): Promise<void> {
  const stop = new AbortController();
  const signal = AbortSignal.any([cancelled, stop.signal]);
  const waiting = waitingRows(rows);
  const inWork = new Map<OpenRow, Promise<void>>();
  const failures: unknown[] = [];
  const endsAt = Date.now() + PAGE_MS;
  const begin = (row: OpenRow) => {
    const done = work(row, signal)
      .catch((error: unknown) => {
        failures.push(error);
        stop.abort();
      })
      .finally(() => {
        inWork.delete(row);
        waiting.leave(row);
      });
    inWork.set(row, done);
  };
  for (;;) {
    while (!signal.aborted && Date.now() < endsAt && inWork.size < MAX_ROWS_AT_ONCE) {
      const row = waiting.next();
      if (!row) break;
      begin(row);
    }
    if (inWork.size === 0) break;
    if (signal.aborted) await ended([...inWork.values()], endingMs, cancelled);
    else await oneOf([...inWork.values()], endsAt + LAST_ROWS_MS - Date.now(), signal);
    if (Date.now() >= endsAt + LAST_ROWS_MS) stop.abort();
  }
  if (failures.length > 0) throw failures[0];
}

/** Waits for the first that ends, or so long, or until they are told to end. */
async function oneOf(works: Promise<void>[], limitMs: number, signal: AbortSignal): Promise<void> {
  const over = new AbortController();
  const either = AbortSignal.any([over.signal, signal]);
  const late = sleep(Math.max(0, limitMs), undefined, { signal: either }).catch(() => undefined);
  await Promise.race([...works, late]);
  over.abort();
}

/** A page that is cancelled ends as cancelled, also where its rows hang. */
const ended = (
  works: Promise<void>[],
  milliseconds: number,
  cancelled: AbortSignal,
): Promise<unknown> =>
  pTimeout(Promise.all(works), {
    milliseconds,
    message: `${works.length} rows hang: they were told to end ${milliseconds / 1_000} s ago`,
  }).catch((error: unknown) => {
    cancelled.throwIfAborted();
    throw error;
  });

/** The rows by host, in their order. */
function waitingRows(rows: readonly OpenRow[]) {
  const queues = new Map<string, OpenRow[]>();
  for (const row of rows) {
    const key = row.hosts.join(' ');
    const queue = queues.get(key);
    if (queue) queue.push(row);
    else queues.set(key, [row]);
  }
  for (const queue of queues.values()) queue.reverse();
  const busy = new Map<string, number>();
  const count = (row: OpenRow, by: number) => {
    for (const host of row.hosts) busy.set(host, (busy.get(host) ?? 0) + by);
  };
  const loadOf = (row: OpenRow) => Math.max(...row.hosts.map((host) => busy.get(host) ?? 0));
  return {
    /** Of the host with the fewest in work; undefined where none has room. */
    next(): OpenRow | undefined {
      let best: OpenRow[] | undefined;
      let least = MAX_ROWS_PER_HOST;
      for (const [key, queue] of queues) {
        const first = queue.at(-1);
        if (!first) queues.delete(key);
        else if (loadOf(first) < least) {
          best = queue;
          least = loadOf(first);
        }
      }
      const row = best?.pop();
      if (row) count(row, 1);
      return row;
    },
    leave: (row: OpenRow) => count(row, -1),
  };
}
