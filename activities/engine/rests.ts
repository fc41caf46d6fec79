/** What failed is left alone for a while, each time longer, so that its statements take no time from the others. */
import { isDownForAll } from '../../src/domain/database-down.ts';

const FIRST_MS = 30_000;
const LONGEST_MS = 10 * 60_000;

export interface Rests<Id = number> {
  noteFailure(id: Id): void;
  noteSuccess(id: Id): void;
  /** It failed the last time, whether it still rests or not. */
  hasFailed(id: Id): boolean;
  isResting(id: Id): boolean;
  /** What is left alone now. */
  resting(): Id[];
}

export function createRests<Id = number>(now: () => number = () => performance.now()): Rests<Id> {
  const failed = new Map<Id, { until: number; ms: number }>();
  return {
    noteFailure(id) {
      const before = failed.get(id);
      const ms = before ? Math.min(2 * before.ms, LONGEST_MS) : FIRST_MS;
      failed.set(id, { until: now() + ms, ms });
    },
    noteSuccess: (id) => void failed.delete(id),
    hasFailed: (id) => failed.has(id),
    isResting: (id) => now() < (failed.get(id)?.until ?? -Infinity),
    resting() {
      // Nobody asked for it since: it is over.
      for (const [id, { until }] of failed) if (now() > until + 2 * LONGEST_MS) failed.delete(id);
      return [...failed].filter(([, { until }]) => now() < until).map(([id]) => id);
    },
  };
}

/** What fails rests, unless the database is away for all; what works rests no longer. The error is passed on. */
export async function attempt<T, Id = number>(
  rests: Rests<Id>,
  id: Id,
  work: () => Promise<T>,
): Promise<T> {
  try {
    const result = await work();
    rests.noteSuccess(id);
    return result;
  } catch (err) {
    if (!isDownForAll(err)) rests.noteFailure(id);
    throw err;
  }
}
