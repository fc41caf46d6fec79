/** What is due by the schedules of clients, and their Schedules in Temporal. */
import { activityInfo } from '@temporalio/activity';
import type { Context } from '../../src/context.ts';
import { findSchedule, listSchedulesToKeep } from '../../src/db/schedules/schedules.ts';
import type { Pace } from '../../src/domain/operations/operations.ts';
import { beginScheduledRun } from '../../src/transactions/begin-scheduled-run.ts';

type SchedulesContext = Pick<
  Context,
  'db' | 'config' | 'maps' | 'adLibraries' | 'startOperation' | 'dropSchedule'
>;

/** A change younger than this is still being told by the request that made it. */
const KEEP_GRACE_MS = 5_000;
/** How often it is looked whether a Schedule is still there. */
const LOOK_AFTER_MS = 3_600_000;
/** Schedules per run; the next run follows within seconds. */
const BATCH = 50;

export const scheduleActivities = (context: SchedulesContext) => ({
  /**
   * Orders what is due. Safe to repeat: the run of Temporal's Schedule has one row. `gone`: there is no such row,
   * as after a restore, and its Schedule goes, too.
   */
  async beginScheduledRun(input: {
    scheduleId: number;
    runKey: string;
  }): Promise<{ outcome: 'started' | 'skipped' | 'failed' | 'paused' | 'gone' }> {
    const { scheduleId } = input;
    const row = await findSchedule(context.db, scheduleId);
    if (row?.run_key !== input.runKey || row.deleted_at !== null) {
      await context.dropSchedule({ id: scheduleId, run_key: input.runKey });
      return { outcome: 'gone' };
    }
    const { workflowId: runKey } = activityInfo().workflowExecution!;
    const [mapsProvider] = Object.keys(context.maps);
    const hasAdLibrary = Object.keys(context.adLibraries).length > 0;
    const vendors = { mapsProvider, hasAdLibrary };
    const due = { scheduleId, runKey, isByHand: false, ...vendors, pace: paceOf(context) };
    const begun = await context.db.transaction().execute((trx) => beginScheduledRun(trx, due));
    if (!begun) return { outcome: 'paused' };
    if (begun.operation) await context.startOperation(begun.operation);
    return { outcome: begun.run.outcome };
  },
});

/** Tells Temporal what it has not heard of, or has lost; one that it refuses holds up no other. Safe to repeat. */
export async function keepSchedules(
  context: Pick<Context, 'db' | 'clock' | 'keepSchedule'>,
): Promise<void> {
  const now = context.clock.now().getTime();
  const wanted = {
    changedBefore: new Date(now - KEEP_GRACE_MS),
    seenBefore: new Date(now - LOOK_AFTER_MS),
  };
  for (const id of await listSchedulesToKeep(context.db, wanted, BATCH)) {
    if ((await context.keepSchedule(id)) === 'away') return;
  }
}

const paceOf = ({ config }: SchedulesContext): Pace => ({
  retryPace: config.RETRY_PACE,
  heartbeatSeconds: config.HEARTBEAT_TIMEOUT_SECONDS,
  blockedTimeoutSeconds: config.BLOCKED_STEP_TIMEOUT_SECONDS,
});
