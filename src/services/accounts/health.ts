/** Whether the systems that the API depends on answer. */
import { sql } from 'kysely';
import pTimeout from 'p-timeout';
import type { Context } from '../../context.ts';

/** A system that takes longer counts as down. */
const TIMEOUT_MS = 2_000;
/** Health is public: however often it is requested, the systems are asked once a second. */
const FRESH_MS = 1_000;

export interface Checks {
  database: 'up' | 'down';
  temporal: 'up' | 'down';
}

/** Returns a function that checks both systems; its answer is at most a second old. */
export function createHealthCheck(
  context: Pick<Context, 'db' | 'temporal'>,
): () => Promise<Checks> {
  let last: { at: number; checks: Promise<Checks> } | undefined;
  return () => {
    const now = performance.now();
    if (!last || now - last.at > FRESH_MS) last = { at: now, checks: check(context) };
    return last.checks;
  };
}

async function check(context: Pick<Context, 'db' | 'temporal'>): Promise<Checks> {
  const [database, temporal] = await Promise.all([
    answers(() => sql`select 1`.execute(context.db)),
    answers(() => {
      const { connection } = context.temporal;
      return connection.withDeadline(Date.now() + TIMEOUT_MS, () =>
        connection.workflowService.getSystemInfo({}),
      );
    }),
  ]);
  return { database, temporal };
}

async function answers(ask: () => Promise<unknown>): Promise<'up' | 'down'> {
  try {
    await pTimeout(ask(), { milliseconds: TIMEOUT_MS });
    return 'up';
  } catch {
    return 'down';
  }
}
