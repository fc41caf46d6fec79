/** How much of the matrix is run: all of it by `MATRIX=full` (`npm run matrix`), else a day's part of a week. */
import { setTimeout as sleep } from 'node:timers/promises';

export const isWhole = process.env['MATRIX'] === 'full';

const DAY_MS = 86_400_000;
export const WEEK = 7;

/** The day's number; `MATRIX_SEED` runs the part of another day. */
export const seed = Number(process.env['MATRIX_SEED'] ?? Math.floor(Date.now() / DAY_MS) % WEEK);

/** For the output: which part was run. */
export const scope = isWhole ? 'all' : `drawn by seed ${seed}`;

/** One item of `oneOf` on each day; with `WEEK` each has its day. The whole matrix: all. */
export function drawn<T>(items: readonly T[], oneOf: number = WEEK, day = seed): readonly T[] {
  return isWhole ? items : items.filter((_, index) => index % oneOf === day % WEEK);
}

/**
 * The same for two expensive lists that share the week: the first has its first three days, the second
 * the rest. One item of nine, so that each row and each column of a step-by-fault table has its day.
 */
export function drawnInHalves<T>(items: readonly T[], half: 0 | 1, day = seed): readonly T[] {
  const isItsDay = day % WEEK < 3 ? half === 0 : half === 1;
  return isWhole || isItsDay ? drawn(items, 9, day) : [];
}

/** So many run at a time, whoever asks; the rest wait in their order. */
export function turns(size: number) {
  let free = size;
  const waiting: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}

/** A busy machine: most of the time of a case is waiting, but all of them share its cores. */
export const CONCURRENCY = isWhole ? 8 : 16;

const POLL_MS = 300;

/** What is too busy to answer in time is asked again. */
export async function patiently<T>(ask: () => Promise<T>, deadline: number): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(POLL_MS);
    }
  }
}
