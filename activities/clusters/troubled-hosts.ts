/** Has mail hosts in trouble looked at more often than the hourly Schedule does. Choice 90. */
import { ScheduleNotFoundError, ScheduleOverlapPolicy } from '@temporalio/client';
import type { Context } from '../../src/context.ts';
import type { CHECK_MAIL_HOSTS_SCHEDULE_ID } from '../../workflows/contracts/check-mail-hosts.ts';
import { hasTroubledHost } from './host-checks.ts';

/** Activities take no values from contracts; the compiler keeps them the same. */
const SCHEDULE_ID: typeof CHECK_MAIL_HOSTS_SCHEDULE_ID = 'check-mail-hosts';

/** A run that cannot be carried out is not asked for again and again. */
const MIN_MS = 5 * 60_000;
const triggeredAt = new WeakMap<Context['temporal'], number>();

/** Triggers the Schedule where a host that is held or in trouble is due. Safe to repeat. */
export async function triggerHostChecks(
  context: Pick<Context, 'db' | 'clock' | 'temporal'>,
): Promise<void> {
  const { temporal } = context;
  const now = Date.now();
  if (now - (triggeredAt.get(temporal) ?? 0) < MIN_MS) return;
  if (!(await hasTroubledHost(context))) return;
  triggeredAt.set(temporal, now);
  try {
    await temporal.schedule.getHandle(SCHEDULE_ID).trigger(ScheduleOverlapPolicy.SKIP);
  } catch (error) {
    // A worker of another role makes it when it starts.
    if (!(error instanceof ScheduleNotFoundError)) throw error;
  }
}
