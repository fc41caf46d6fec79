/** How much of the matrix is run: all of it by `MATRIX=full` (`npm run matrix`), else a part drawn by a seed. */
import { setTimeout as sleep } from 'node:timers/promises';

export const isWhole = process.env['MATRIX'] === 'full';

/**
 * What `npm test` draws by: always the same, so that what passed today passes tomorrow. Of the first
 * seven it is the one whose part of the provisionings has every fault.
 */
export const DEFAULT_SEED = 3;

/** `MATRIX_SEED` draws another part. */
export const seed = readSeed(process.env['MATRIX_SEED']);

/** For the output: which part was run. */
export const scope = isWhole ? 'all' : `drawn by seed ${seed}`;

/** A part has one case of so many. Primes, so that it goes over all steps and all faults of a table. */
export const ONE_OF = 7;
/** The same where each case needs a cluster of its own. */
export const ONE_OF_DEAR = 19;

/** The part of `items` that a seed draws; the seeds from 0 to `oneOf - 1` have each item once. */
export function drawn<T>(items: readonly T[], oneOf: number = ONE_OF, by = seed): readonly T[] {
  return isWhole ? items : items.filter((_, index) => index % oneOf === by % oneOf);
}

function readSeed(text: string | undefined): number {
  const given = Number(text ?? DEFAULT_SEED);
  if (Number.isSafeInteger(given) && given >= 0) return given;
  throw new Error(`MATRIX_SEED=${text} is no whole number`);
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
