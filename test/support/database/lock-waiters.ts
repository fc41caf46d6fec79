/** Sessions of a test's database that wait for a lock: those that have read before another one writes. */
import { sql, type Kysely } from 'kysely';
import { expect, vi } from 'vitest';
import type { Database } from '../../../src/db/tables.ts';

/**
 * Resolves once so many wait, with a statement that begins so: their process ids at Postgres. `db` is not the
 * transaction that has the lock: that sees one snapshot of the others.
 */
export const untilWaiting = (
  db: Kysely<Database>,
  count = 1,
  statement = '',
): Promise<readonly number[]> =>
  vi.waitFor(
    async () => {
      const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'
          and query like ${`${statement}%`}`.execute(db);
      expect(rows.length).toBe(count);
      return rows.map(({ pid }) => pid);
    },
    { timeout: 30_000, interval: 50 },
  );
