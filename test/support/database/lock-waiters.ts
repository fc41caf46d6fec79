/** Sessions of a test's database that wait for a lock: those that have read before another one writes. */
import { setTimeout as sleep } from 'node:timers/promises';
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

/**
 * Does `work` while each statement that comes to wait for a lock is ended, as the server does at its limit: all
 * others may take the time that they need on a busy machine. `db` as above.
 */
export async function withoutPatience<T>(db: Kysely<Database>, work: () => Promise<T>): Promise<T> {
  const ended = new Set<string>();
  let isOver = false;
  const ending = async () => {
    for (; !isOver; await sleep(20)) {
      const { rows } = await sql<{ pid: number; statement: string }>`
        select pid, pid || ' ' || query_start as statement from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
      for (const { pid, statement } of rows) {
        // Once: the next statement of that session is none of these.
        if (ended.has(statement)) continue;
        ended.add(statement);
        await sql`select pg_cancel_backend(${pid})`.execute(db);
      }
    }
  };
  const end = ending();
  // Told below, whenever it fails.
  end.catch(() => undefined);
  try {
    return await work();
  } finally {
    isOver = true;
    await end;
  }
}
