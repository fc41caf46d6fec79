/** What a worker's standing work does for searches, beside a bench that has no worker. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { pino } from 'pino';
import { emptyPendingLists } from '../activities/shards/pending-lists.ts';
import { keepRanges } from '../activities/suppressions/written-ranges.ts';
import type { Database } from '../src/db/tables.ts';

/** As in activities/shards/standing-work.ts. */
const LOOK_MS = 30_000;
const FIRST_MS = 60 * 60_000;

/** Resolves after the first look; what it resolves to ends it. */
export async function keepSearchable(db: Kysely<Database>): Promise<() => Promise<void>> {
  const ends = new AbortController();
  const { signal } = ends;
  const context = { db, logger: pino({ level: 'warn' }) };
  const look = async (forMs: number) => {
    await keepRanges(context, { forMs, signal });
    await emptyPendingLists(context, { forMs, signal });
  };
  await look(FIRST_MS);
  const looks = async () => {
    for (;;) {
      // A run that fails does not wait for it.
      await wait(LOOK_MS, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      await look(LOOK_MS);
    }
  };
  const looking = looks();
  return async () => {
    ends.abort();
    await looking;
  };
}
