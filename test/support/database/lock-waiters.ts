/** Sessions of a test's database that wait for a lock: those that have read before another one writes. */
import { sql, type Kysely } from 'kysely';
import { expect, vi } from 'vitest';
import type { Database } from '../../../src/db/tables.ts';

/** Resolves once so many wait. Not by the transaction that has the lock: it sees one snapshot of them. */
export const untilWaiting = (db: Kysely<Database>, count: number): Promise<void> =>
  vi.waitFor(
    async () => {
      const { rows } = await sql`select pid from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
      expect(rows.length).toBe(count);
    },
    { timeout: 30_000, interval: 50 },
  );
