/** Searches and placement tests that are repeated on days of the client's choice. Choice 94. */
import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { Context } from '../../context.ts';
import { noteChange } from '../../db/accounts/audit-log.ts';
import { commitOnce } from '../../db/accounts/request-effects.ts';
import { AUDITED_FIELDS, difference, told } from '../../domain/accounts/audited-values.ts';
import { findUserCampaign } from '../../db/campaigns/campaigns.ts';
import { lockUser } from '../../db/accounts/api-keys.ts';
import { lockUserLeadList } from '../../db/leads/lead-lists.ts';
import { findUserLead } from '../../db/leads/lead-queries.ts';
import { newRunKey } from '../../db/operations/operations.ts';
import { forgetPlaces } from '../../db/schedules/schedule-places.ts';
import {
  getScheduleRunReport,
  listScheduleRuns,
  type ScheduleRunReport,
} from '../../db/schedules/schedule-runs.ts';
import {
  changeSchedule,
  countSchedules,
  findRequestedSchedule,
  findUserSchedule,
  insertSchedule,
  listSchedules,
  lockUserSchedule,
  type Schedule,
  type ScheduleChange,
} from '../../db/schedules/schedules.ts';
import type { Database } from '../../db/tables.ts';
import {
  invalid,
  namedWithin,
  notFound,
  upstreamUnavailable,
  validationError,
} from '../../domain/errors.ts';
import type { PlacementTestOrder } from '../../domain/placement/placement.ts';
import {
  MAX_SCHEDULES,
  ORDER_FIELDS,
  type ScheduledJob,
  type ScheduleTimes,
} from '../../domain/schedules/schedules.ts';
import { beginScheduledRun, orderedBy } from '../../transactions/begin-scheduled-run.ts';
import { findPlaces } from '../../transactions/placement/order-placement-test.ts';
import { refuseWithoutAdLibrary } from '../discovery/lead-processes.ts';
import { paceOf } from '../operations/operations.ts';

type Needs = Pick<
  Context,
  'db' | 'config' | 'maps' | 'startOperation' | 'keepSchedule' | 'nextRunsOf'
>;

export interface ScheduleOrder {
  name: string;
  job: ScheduledJob;
  onlyNewPlaces: boolean;
  times: ScheduleTimes;
  paused: boolean;
}

interface Page {
  limit: number;
  offset: number;
}

/** A repeat with the same `requestKey` is answered with the first one. Temporal learns of it at once, or later. */
export async function createSchedule(
  context: Needs & Pick<Context, 'adLibraries'>,
  userId: string,
  order: ScheduleOrder,
  requestKey?: string,
): Promise<Schedule> {
  const row = await commitOnce(context.db, async (trx) => {
    await lockUser(trx, userId);
    const earlier = requestKey && (await findRequestedSchedule(trx, userId, requestKey));
    if (earlier) return earlier;
    refuseWithoutVendor(context, order.job);
    if ((await countSchedules(trx, userId)) >= MAX_SCHEDULES) {
      throw invalid('TOO_MANY_SCHEDULES', `An account has at most ${MAX_SCHEDULES} schedules`);
    }
    await lockNamed(trx, userId, order.job);
    const made = await insertSchedule(trx, { ...order, userId, runKey: newRunKey(), requestKey });
    noteChange({ resourceId: made.id, after: told(AUDITED_FIELDS.schedule, made) });
    return made;
  });
  await context.keepSchedule(row.id);
  return row;
}

/** Each of its runs would fail. */
function refuseWithoutVendor(
  context: Pick<Context, 'adLibraries' | 'maps'>,
  { kind }: ScheduledJob,
): void {
  if (kind === 'lead_process') refuseWithoutAdLibrary(context);
  if (kind === 'maps_run' && Object.keys(context.maps).length === 0) {
    throw upstreamUnavailable('No map search is configured');
  }
}

export const listUserSchedules = (
  { db }: Pick<Context, 'db'>,
  userId: string,
  page: Page,
): Promise<{ rows: Schedule[]; total: number }> => listSchedules(db, userId, page);

/** With its next runs, as Temporal tells them. */
export async function getScheduleView(
  context: Pick<Needs, 'db' | 'nextRunsOf'>,
  userId: string,
  id: number,
): Promise<{ row: Schedule; nextRuns: Date[] | null }> {
  const row = await getUserSchedule(context, userId, id);
  return { row, nextRuns: await context.nextRunsOf(row) };
}

type WantedChange = Omit<ScheduleChange, 'order' | 'times'> & {
  job?: ScheduledJob | undefined;
  /** What is left out stays: another hour changes neither zone nor days. */
  times?: TimesChange | undefined;
};
type TimesChange = { [K in keyof ScheduleTimes]?: ScheduleTimes[K] | undefined };

/** Its kind stays. */
export async function updateSchedule(
  context: Needs,
  { userId, id }: { userId: string; id: number },
  { job, times, ...change }: WantedChange,
): Promise<Schedule> {
  const row = await commitOnce(context.db, async (trx) => {
    const before = await lockOwn(trx, userId, id);
    if (job && job.kind !== before.kind) {
      const field = ORDER_FIELDS[job.kind];
      const message = `${field} is of another kind than this schedule`;
      throw validationError([{ field, message }]);
    }
    if (job) await lockNamed(trx, userId, job);
    const changed = { ...change, times: times && merged(before.times, times), order: job?.order };
    const after = await changeSchedule(trx, id, changed);
    const leftOut = job ? ['order'] : [];
    noteChange(difference(AUDITED_FIELDS.schedule, before, after, leftOut));
    return after;
  });
  await context.keepSchedule(id);
  return row;
}

/** What its runs have found stays; a run that is at work goes on. */
export async function deleteSchedule(
  context: Needs,
  userId: string,
  id: number,
): Promise<{ id: number }> {
  await commitOnce(context.db, async (trx) => {
    const before = await lockOwn(trx, userId, id);
    noteChange({ before: told(AUDITED_FIELDS.schedule, before) });
    await changeSchedule(trx, id, { deletedAt: new Date() });
    await forgetPlaces(trx, id);
  });
  await context.keepSchedule(id);
  return { id };
}

/** Also while it is paused. Throws `INVALID_STATE` while its last run is at work. */
export async function runScheduleNow(
  context: Needs & Pick<Context, 'adLibraries'>,
  userId: string,
  id: number,
  requestKey: string | undefined,
): Promise<ScheduleRunReport> {
  const [mapsProvider] = Object.keys(context.maps);
  const hasAdLibrary = Object.keys(context.adLibraries).length > 0;
  const begun = await commitOnce(context.db, async (trx) => {
    await lockOwn(trx, userId, id);
    const runKey = `by hand ${requestKey ?? randomUUID()}`;
    const wanted = { scheduleId: id, runKey, isByHand: true, mapsProvider, hasAdLibrary };
    const run = await beginScheduledRun(trx, { ...wanted, pace: paceOf(context) });
    if (run) noteChange({ after: orderedBy(run.run) });
    return run;
  });
  if (!begun) throw notFound('schedule');
  if (begun.operation) await context.startOperation(begun.operation);
  return getScheduleRunReport(context.db, begun.run.id);
}

export async function listRunsOfSchedule(
  context: Pick<Context, 'db'>,
  userId: string,
  id: number,
  page: Page,
): Promise<{ rows: ScheduleRunReport[]; total: number }> {
  await getUserSchedule(context, userId, id);
  return listScheduleRuns(context.db, id, page);
}

export async function getUserSchedule(
  { db }: Pick<Context, 'db'>,
  userId: string,
  id: number,
): Promise<Schedule> {
  const row = await findUserSchedule(db, userId, id);
  if (!row) throw notFound('schedule');
  return row;
}

async function lockOwn(trx: Transaction<Database>, userId: string, id: number): Promise<Schedule> {
  const row = await lockUserSchedule(trx, userId, id);
  if (!row) throw notFound('schedule');
  return row;
}

const merged = (before: ScheduleTimes, change: TimesChange): ScheduleTimes => ({
  timeZone: change.timeZone ?? before.timeZone,
  time: change.time ?? before.time,
  weekdays: change.weekdays ?? before.weekdays,
  daysOfMonth: change.daysOfMonth ?? before.daysOfMonth,
});

/** What an order names is the user's; the rest is looked at when it runs. */
const lockNamed = (trx: Transaction<Database>, userId: string, job: ScheduledJob): Promise<void> =>
  namedWithin(ORDER_FIELDS[job.kind], () => lockIds(trx, userId, job));

async function lockIds(
  trx: Transaction<Database>,
  userId: string,
  { kind, order }: ScheduledJob,
): Promise<void> {
  if (kind === 'placement_test') return findNamed(trx, userId, order);
  const { leadListId } = order;
  if (leadListId !== undefined && !(await lockUserLeadList(trx, userId, leadListId))) {
    throw notFound('lead list', { field: 'leadListId', ids: [leadListId] });
  }
}

async function findNamed(
  trx: Transaction<Database>,
  userId: string,
  { campaignId, leadId, ...named }: PlacementTestOrder,
): Promise<void> {
  if (!(await findUserCampaign(trx, userId, campaignId))) {
    throw notFound('campaign', { field: 'campaignId', ids: [campaignId] });
  }
  if (leadId !== undefined && !(await findUserLead(trx, userId, leadId))) {
    throw notFound('lead', { field: 'leadId', ids: [leadId] });
  }
  await findPlaces(trx, userId, named);
}
