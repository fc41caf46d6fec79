/** The Schedules in Temporal that stand for clients' own. */
import {
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
  type Client,
} from '@temporalio/client';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { runScheduleType, type RunScheduleInput } from '../../workflows/contracts/run-schedule.ts';
import { resourceId, tenantId } from '../../workflows/contracts/search-attributes.ts';
import {
  lockSchedule,
  markScheduleKept,
  markScheduleTried,
  type Schedule,
} from '../db/schedules/schedules.ts';
import type { Database } from '../db/tables.ts';
import { causesOf, isDatabaseDown } from '../domain/database-down.ts';
import type { Pace } from '../domain/operations/operations.ts';
import { localDay } from '../domain/schedules/schedules.ts';
import { WORKFLOW_QUEUE } from '../domain/operations/queues.ts';
import { priorityFor } from './priorities.ts';

/** A Temporal that hangs must not hold the request: the reconciler tells it later. */
const DEADLINE_MS = 3_000;

interface Needs {
  temporal: Client;
  db: Kysely<Database>;
  logger: Logger;
  pace: Pace;
}

/** `refused`: this one alone could not be told, others can; `away`: none can. Both are left to the reconciler. */
type ScheduleKept = 'kept' | 'refused' | 'away';

/**
 * Brings the Schedule of a row to the row's last change. Safe to repeat, and one at a time: the row is locked
 * meanwhile, so that an older change does not come last. Never throws.
 */
export async function keepSchedule(needs: Needs, id: number): Promise<ScheduleKept> {
  const { temporal, db, logger } = needs;
  try {
    await db.transaction().execute(async (trx) => {
      const row = await lockSchedule(trx, id);
      if (!row) return;
      await temporal.withDeadline(Date.now() + DEADLINE_MS, () => bring(needs, row));
      await markScheduleKept(trx, row);
    });
    return 'kept';
  } catch (error) {
    logger.warn({ scheduleId: id, err: error }, 'schedule not told to Temporal yet');
    const isNoted = await noteTried(needs, id);
    return isAway(error) || !isNoted ? 'away' : 'refused';
  }
}

/** gRPC: cancelled, deadline, no permission, exhausted, unavailable, unauthenticated. No other row fares better now. */
const AWAY: readonly unknown[] = [1, 4, 7, 8, 14, 16];

const isAway = (error: unknown): boolean =>
  isDatabaseDown(error) || causesOf(error).some(({ code }) => AWAY.includes(code));

/** After an outage, too: it may be this one alone that Temporal hangs over. False where it was not noted. */
async function noteTried({ db, logger }: Needs, id: number): Promise<boolean> {
  try {
    await markScheduleTried(db, id);
    return true;
  } catch (error) {
    logger.warn({ scheduleId: id, err: error }, 'not noted that a schedule was tried');
    return false;
  }
}

/** Of a row that is deleted, or that there is none of. Safe to repeat. */
export async function dropSchedule(
  { temporal }: Pick<Needs, 'temporal'>,
  row: Pick<Schedule, 'id' | 'run_key'>,
): Promise<void> {
  try {
    await temporal.schedule.getHandle(scheduleIdOf(row)).delete();
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
  }
}

/** The next runs as Temporal has them, one a day, ten at most; null where it has not heard of the last change, or does not answer. */
export async function nextRunsOf(
  { temporal }: Pick<Needs, 'temporal'>,
  row: Schedule,
): Promise<Date[] | null> {
  if (row.paused) return [];
  if (row.kept_version < row.version) return null;
  try {
    const { info } = await temporal.withDeadline(Date.now() + DEADLINE_MS, () =>
      temporal.schedule.getHandle(scheduleIdOf(row)).describe(),
    );
    const days = info.nextActionTimes.map((at) => localDay(at, row.times.timeZone));
    // The hour in which clocks go back comes twice; the second run would be skipped.
    return info.nextActionTimes.filter((_at, n) => days[n] !== days[n - 1]);
  } catch {
    return null;
  }
}

const scheduleIdOf = ({ id, run_key }: Pick<Schedule, 'id' | 'run_key'>): string =>
  `schedule/${id}/${run_key}`;

async function bring({ temporal, pace }: Needs, row: Schedule): Promise<void> {
  if (row.deleted_at !== null) return dropSchedule({ temporal }, row);
  const wanted = definitionOf(row, pace);
  const handle = temporal.schedule.getHandle(scheduleIdOf(row));
  try {
    await temporal.schedule.create({ scheduleId: handle.scheduleId, ...wanted });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    if (row.kept_version === row.version) return;
    await handle.update(({ state }) => ({ ...wanted, state: { ...state, ...wanted.state } }));
  }
}

function definitionOf({ id, user_id, run_key: runKey, times, paused }: Schedule, pace: Pace) {
  const [hour, minute] = times.time.split(':').map(Number) as [number, number];
  const input: RunScheduleInput = { scheduleId: id, runKey, pace };
  return {
    spec: {
      timezone: times.timeZone,
      calendars: [
        {
          hour,
          minute,
          ...(times.daysOfMonth.length > 0 && { dayOfMonth: times.daysOfMonth }),
          ...(times.weekdays.length > 0 && {
            dayOfWeek: times.weekdays.map((day) => day.toUpperCase() as Uppercase<typeof day>),
          }),
        },
      ],
    },
    action: {
      type: 'startWorkflow' as const,
      workflowType: runScheduleType,
      // Temporal appends the time at which it is due.
      workflowId: `schedule-run/${id}/${runKey}`,
      taskQueue: WORKFLOW_QUEUE,
      args: [input],
      priority: priorityFor('low', user_id),
      typedSearchAttributes: [
        { key: tenantId, value: user_id },
        { key: resourceId, value: `schedule/${id}` },
      ],
    },
    // What was missed while Temporal was down is caught up within the hour.
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 hour' as const },
    state: { paused },
  };
}
