/**
 * How much of the matrix runs: all with `MATRIX=full` (`npm run drill -- matrix`), else a part drawn by
 * a seed.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultKind } from './fault-injector.ts';
import { VENDOR_PAIRS, type VendorPair } from './vendor-pairs.ts';

export const isWhole = process.env['MATRIX'] === 'full';

/**
 * The seed of `npm test`: always the same, so that results are repeatable. Of the first seven it is the
 * one whose part of the provisionings has every fault.
 */
export const DEFAULT_SEED = 3;

/** `MATRIX_SEED` selects another part. */
export const seed = readSeed(process.env['MATRIX_SEED']);

/** For the output: which part was run. */
export const scope = isWhole ? 'all' : `drawn by seed ${seed}`;

/**
 * A part has one of this many cases. Primes, so that the part covers all steps and all faults of a
 * table.
 */
export const ONE_OF = 7;
/** The same where each case needs a cluster of its own. */
export const ONE_OF_DEAR = 19;

/** The part of `items` that a seed draws; the seeds from 0 to `oneOf - 1` have each item once. */
export function drawn<T>(items: readonly T[], oneOf: number = ONE_OF, by = seed): readonly T[] {
  return isWhole ? items : items.filter((_, index) => index % oneOf === by % oneOf);
}

/** One fault at one activity; `at` is the activity's readable id, '' for all of them. */
export interface Strike {
  kind: FaultKind;
  at: string;
}
type Met = Strike & { vendors: VendorPair };

/** Faults that leave open whether something was done: each vendor is asked about that differently. */
const OPEN_ENDS: ReadonlySet<FaultKind> = new Set([
  'dies_before_call',
  'dies_before_record',
  'dies_after_effect',
  'unknown_without_effect',
  'unknown_with_effect',
  'all_twice',
]);

/**
 * The part of a table that runs, and the run with every activity twice. Vendors alternate; the seeds
 * from `oneOf` to `2 * oneOf - 1` have the other vendors. In the whole matrix, faults that leave open
 * whether something was done meet both pairs.
 */
export function casesOf(
  strikes: readonly Strike[],
  oneOf: number = ONE_OF,
  by = seed,
): readonly Met[] {
  const offset = Math.floor(by / oneOf);
  const all = [...strikes, { kind: 'all_twice' as const, at: '' }].map((strike, index) => ({
    ...strike,
    vendors: VENDOR_PAIRS[(thueMorse(index) + offset) % VENDOR_PAIRS.length]!,
  }));
  if (!isWhole) return [...drawn(all.slice(0, -1), oneOf, by), all.at(-1)!];
  return all.flatMap((one) =>
    OPEN_ENDS.has(one.kind) ? VENDOR_PAIRS.map((vendors) => ({ ...one, vendors })) : [one],
  );
}

/**
 * 0, 1, 1, 0, 1, 0, 0, 1 (Thue-Morse): an alternation without a period, which could coincide with a
 * table's.
 */
function thueMorse(index: number): number {
  return index.toString(2).replaceAll('0', '').length % 2;
}

function readSeed(text: string | undefined): number {
  const given = Number(text ?? DEFAULT_SEED);
  if (Number.isSafeInteger(given) && given >= 0) return given;
  throw new Error(`MATRIX_SEED=${text} is no whole number`);
}

/** At most this many run at a time; the rest wait in their order. */
export function createLimit(size: number) {
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

/** Most of the time of a case is waiting, but all of them share a busy machine's cores. */
export const CONCURRENCY = isWhole ? 8 : 16;

const POLL_MS = 300;

/** Repeats a request that is too busy to answer in time. */
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
