/** Deletes old entries of the audit log, a few at a time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS } from '../../src/domain/day.ts';
import type { Context } from '../../src/context.ts';
import { pruneAuditLog } from '../../src/db/accounts/audit-log.ts';
import { STEP_MS, within } from '../engine/time-limit.ts';

const PORTION = 1_000;
const PAUSE_MS = 100;

/** Runs until nothing old is left, or the signal fires. Failures are retried the next time. */
export async function pruneOldEntries(
  { db, clock, config, logger }: Pick<Context, 'db' | 'clock' | 'config' | 'logger'>,
  signal: AbortSignal,
): Promise<number> {
  const before = new Date(clock.now().getTime() - config.AUDIT_LOG_RETENTION_DAYS * DAY_MS);
  let pruned = 0;
  try {
    while (!signal.aborted) {
      const deleted = await within(STEP_MS, pruneAuditLog(db, { before, limit: PORTION }));
      pruned += deleted;
      if (deleted < PORTION) break;
      await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
    }
  } catch (err) {
    logger.warn({ err, pruned }, 'old entries of the audit log could not be deleted yet');
  }
  return pruned;
}
