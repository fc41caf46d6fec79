/** Orders what a schedule is due for, once. Choice 94. */
import { sql, type Transaction } from 'kysely';
import { insertAuditEntries } from '../db/accounts/audit-log.ts';
import { lockUserLeadList } from '../db/leads/lead-lists.ts';
import type { Operation } from '../db/operations/operations.ts';
import {
  findLatestDueKey,
  findLatestStart,
  findScheduleRun,
  insertScheduleRun,
  takeRequestedRun,
  type ScheduleRun,
  type ScheduleRunReport,
} from '../db/schedules/schedule-runs.ts';
import { lockSchedule, noteOwnList, type Schedule } from '../db/schedules/schedules.ts';
import type { Database } from '../db/tables.ts';
import type { AuditedValues } from '../domain/accounts/audit-log.ts';
import type { DiscoveryOrder } from '../domain/discovery/discovery.ts';
import { invalid, namedWithin, OutreachError, upstreamUnavailable } from '../domain/errors.ts';
import { isFinal, type MapsRunOrder } from '../domain/maps/maps.ts';
import type { PlacementTestOrder } from '../domain/placement/placement.ts';
import type { Pace } from '../domain/operations/operations.ts';
import { dueDay, ORDER_FIELDS, type ScheduleKind } from '../domain/schedules/schedules.ts';
import { makeDiscoveryList, orderLeadProcess } from './order-lead-process.ts';
import { orderMapsRun } from './order-maps-run.ts';
import { orderPlacementTest } from './placement/order-placement-test.ts';

export interface ScheduledRunRequest {
  scheduleId: number;
  /** A repeat finds the run of before; a person's within a day. */
  runKey: string;
  /** A person asks for it now: also while the schedule is paused. */
  isByHand: boolean;
  /** Asked for maps runs; undefined where none is configured. */
  mapsProvider: string | undefined;
  /** A discovery needs one. */
  hasAdLibrary: boolean;
  pace: Pace;
}

export interface BegunRun {
  run: ScheduleRun;
  /** Its workflow is to be started. */
  operation?: Operation;
}

/**
 * Undefined where nothing is due: the schedule is paused or deleted. Where the run before is still at work, one
 * that is due is skipped, and a person's is refused with `INVALID_STATE`. One that is due on a day that has had one is
 * skipped as well: Temporal has the hour twice in which clocks go back.
 */
export async function beginScheduledRun(
  trx: Transaction<Database>,
  request: ScheduledRunRequest,
): Promise<BegunRun | undefined> {
  const { scheduleId, runKey, isByHand } = request;
  const schedule = await lockSchedule(trx, scheduleId);
  const findEarlier = isByHand ? takeRequestedRun : findScheduleRun;
  const earlier = await findEarlier(trx, scheduleId, runKey);
  if (earlier) return { run: earlier };
  if (!schedule || schedule.deleted_at !== null) return undefined;
  if (schedule.paused && !isByHand) return undefined;
  const latest = await findLatestStart(trx, scheduleId);
  if (latest && isAtWork(latest)) {
    const reason = 'The run before it is still at work';
    if (isByHand) throw invalid('INVALID_STATE', reason);
    return skip(trx, request, reason);
  }
  if (!isByHand && (await hasRunThatDay(trx, schedule, runKey))) {
    return skip(trx, request, 'It has run on this day already');
  }
  return start(trx, schedule, request);
}

const skip = async (
  trx: Transaction<Database>,
  { scheduleId, runKey }: ScheduledRunRequest,
  reason: string,
): Promise<BegunRun> => ({
  run: await insertScheduleRun(trx, { scheduleId, runKey, outcome: 'skipped', reason }),
});

/** By the times at which runs are due, in the zone that the schedule has now; what is run by hand does not count. */
async function hasRunThatDay(
  trx: Transaction<Database>,
  { id, times: { timeZone } }: Schedule,
  runKey: string,
): Promise<boolean> {
  const day = dueDay(runKey, timeZone);
  const before = day && (await findLatestDueKey(trx, id));
  return before !== undefined && dueDay(before, timeZone) === day;
}

async function start(
  trx: Transaction<Database>,
  schedule: Schedule,
  request: ScheduledRunRequest,
): Promise<BegunRun> {
  const { id: scheduleId, kind } = schedule;
  const { runKey, isByHand } = request;
  if (!isByHand) await sql`savepoint before_order`.execute(trx);
  try {
    const operation = await namedWithin(ORDER_FIELDS[kind], () => order(trx, schedule, request));
    const made = { [MADE[kind]]: operation.resource_id };
    const run = await insertScheduleRun(trx, { scheduleId, runKey, outcome: 'started', ...made });
    // A request that asks for it has an entry of its own.
    if (!isByHand) await insertAuditEntries(trx, [entryOf(schedule, orderedBy(run))]);
    return { run, operation };
  } catch (error) {
    if (isByHand || !(error instanceof OutreachError)) throw error;
    // What is refused leaves nothing, such as a place of the hour or a list for what it would find.
    await sql`rollback to savepoint before_order`.execute(trx);
    const failed = { scheduleId, runKey, outcome: 'failed', reason: error.message } as const;
    return { run: await insertScheduleRun(trx, failed) };
  }
}

/** The field of a run that names what it has ordered. */
const MADE = {
  maps_run: 'mapsRunId',
  lead_process: 'leadProcessId',
  placement_test: 'placementTestId',
} as const satisfies Record<ScheduleKind, string>;

/** What a run has ordered, for the audit log. */
export const orderedBy = (run: ScheduleRun): AuditedValues => {
  const { maps_run_id: mapsRunId, lead_process_id: leadProcessId } = run;
  const made = { mapsRunId, leadProcessId, placementTestId: run.placement_test_id };
  return Object.fromEntries(Object.entries(made).filter(([, id]) => id !== null));
};

const entryOf = ({ id, user_id: userId }: Schedule, after: AuditedValues) =>
  ({
    userId,
    actor: { kind: 'system', id: null, name: 'schedule' },
    action: 'schedules.run',
    resourceType: 'schedule',
    resourceId: id,
    after,
  }) as const;

async function order(
  trx: Transaction<Database>,
  schedule: Schedule,
  { mapsProvider: provider, hasAdLibrary, pace, isByHand }: ScheduledRunRequest,
): Promise<Operation> {
  const { id, user_id: userId, kind, job, only_new_places: onlyNewPlaces } = schedule;
  const reason = `schedule ${id}${isByHand ? ', by hand' : ''}`;
  const ordered = { userId, pace, requested: { actor: `user:${userId}`, reason } };
  if (kind === 'placement_test') {
    const test = { ...ordered, order: job as PlacementTestOrder };
    return (await orderPlacementTest(trx, test)).operation;
  }
  if (kind === 'lead_process') {
    if (!hasAdLibrary) throw upstreamUnavailable('No ad library is configured');
    const discovery = await withList(trx, schedule, job as DiscoveryOrder);
    return orderLeadProcess(trx, { ...ordered, order: discovery });
  }
  if (provider === undefined) {
    throw upstreamUnavailable('No map search is configured');
  }
  const search = { provider, order: job as MapsRunOrder, schedule: { id, onlyNewPlaces } };
  return orderMapsRun(trx, { ...ordered, ...search });
}

/**
 * A discovery knows again whom it has found before by its list. Where the order names none, the first run makes one
 * for all runs; where that is deleted, the next run makes another one. The row is locked: no two runs make one.
 */
async function withList(
  trx: Transaction<Database>,
  schedule: Schedule,
  job: DiscoveryOrder,
): Promise<DiscoveryOrder> {
  if (job.leadListId !== undefined) return job;
  const { user_id: userId, own_list_id: own } = schedule;
  const list = own === null ? undefined : await lockUserLeadList(trx, userId, own);
  if (list) return { ...job, leadListId: list.id };
  const made = await makeDiscoveryList(trx, userId, job);
  await noteOwnList(trx, schedule, made);
  return { ...job, leadListId: made };
}

/** A paused discovery is at work. */
const isAtWork = ({ maps_status, process_status, test_status }: ScheduleRunReport): boolean =>
  (maps_status !== null && !isFinal(maps_status)) ||
  process_status === 'processing' ||
  process_status === 'paused' ||
  test_status === 'processing';
