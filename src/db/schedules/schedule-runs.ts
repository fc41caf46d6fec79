/** The runs of schedules, with what each found. */
import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';
import type { LeadProcessStatus } from '../../domain/discovery/discovery.ts';
import type { MapsRunStatus } from '../../domain/maps/maps.ts';
import type { PlacementTestStatus, PlacementVerdict } from '../../domain/placement/placement.ts';
import type { ScheduleRunOutcome } from '../../domain/schedules/schedules.ts';
import { requestsKeptSince } from '../operations/operations.ts';
import type { Database } from '../tables.ts';
import type { ScheduleTables } from './schedule-tables.ts';

export type ScheduleRun = Selectable<ScheduleTables['schedule_runs']>;

/** A run with the counters of what it ordered; null where it ordered nothing, or something of the other kind. */
export type ScheduleRunReport = ScheduleRun & {
  maps_status: MapsRunStatus | null;
  saved_items: number | null;
  known_items: number | null;
  only_new_places: boolean | null;
  process_status: LeadProcessStatus | null;
  found_leads: number | null;
  duplicate_leads: number | null;
  test_status: PlacementTestStatus | null;
  verdict: PlacementVerdict | null;
};

export const insertScheduleRun = (
  trx: Transaction<Database>,
  run: {
    scheduleId: number;
    runKey: string;
    outcome: ScheduleRunOutcome;
    reason?: string;
    mapsRunId?: number;
    leadProcessId?: number;
    placementTestId?: number;
  },
): Promise<ScheduleRun> =>
  trx
    .insertInto('schedule_runs')
    .values({
      schedule_id: run.scheduleId,
      run_key: run.runKey,
      outcome: run.outcome,
      reason: run.reason ?? null,
      maps_run_id: run.mapsRunId ?? null,
      lead_process_id: run.leadProcessId ?? null,
      placement_test_id: run.placementTestId ?? null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();

/** The run of a run of Temporal's Schedule, whose key is never used again. */
export const findScheduleRun = (
  db: Kysely<Database>,
  scheduleId: number,
  runKey: string,
): Promise<ScheduleRun | undefined> => byKey(db, scheduleId, runKey).executeTakeFirst();

/** The run that a person's request began within a day (Choice 51); the key of an older one is free after this. */
export async function takeRequestedRun(
  trx: Transaction<Database>,
  scheduleId: number,
  runKey: string,
): Promise<ScheduleRun | undefined> {
  const earlier = await byKey(trx, scheduleId, runKey)
    .where('created_at', '>', requestsKeptSince())
    .executeTakeFirst();
  if (earlier) return earlier;
  await trx
    .updateTable('schedule_runs')
    .set({ run_key: sql<string>`run_key || ' ' || id` })
    .where('schedule_id', '=', scheduleId)
    .where('run_key', '=', runKey)
    .execute();
  return undefined;
}

const byKey = (db: Kysely<Database>, scheduleId: number, runKey: string) =>
  db
    .selectFrom('schedule_runs')
    .selectAll()
    .where('schedule_id', '=', scheduleId)
    .where('run_key', '=', runKey);

export const getScheduleRunReport = (
  db: Kysely<Database>,
  id: number,
): Promise<ScheduleRunReport> => reports(db).where('run.id', '=', id).executeTakeFirstOrThrow();

/** The run that ordered something last. */
export const findLatestStart = (
  db: Kysely<Database>,
  scheduleId: number,
): Promise<ScheduleRunReport | undefined> =>
  reports(db)
    .where('run.schedule_id', '=', scheduleId)
    .where('run.outcome', '=', 'started')
    .orderBy('run.id', 'desc')
    .limit(1)
    .executeTakeFirst();

/** The key of the run that Temporal's Schedule ordered something with last: not one by hand. */
export async function findLatestDueKey(
  db: Kysely<Database>,
  scheduleId: number,
): Promise<string | undefined> {
  const latest = await db
    .selectFrom('schedule_runs')
    .select('run_key')
    .where('schedule_id', '=', scheduleId)
    .where('outcome', '=', 'started')
    .where('run_key', 'not like', 'by hand %')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return latest?.run_key;
}

/** A page, newest first. */
export async function listScheduleRuns(
  db: Kysely<Database>,
  scheduleId: number,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: ScheduleRunReport[]; total: number }> {
  const [rows, { total }] = await Promise.all([
    reports(db)
      .where('run.schedule_id', '=', scheduleId)
      .orderBy('run.id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute(),
    db
      .selectFrom('schedule_runs')
      .where('schedule_id', '=', scheduleId)
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow(),
  ]);
  return { rows, total };
}

const reports = (db: Kysely<Database>) =>
  db
    .selectFrom('schedule_runs as run')
    .leftJoin('maps_runs as maps', 'maps.id', 'run.maps_run_id')
    .leftJoin('lead_processes as process', 'process.id', 'run.lead_process_id')
    .leftJoin('placement_tests as test', 'test.id', 'run.placement_test_id')
    .selectAll('run')
    .select([
      'maps.status as maps_status',
      'maps.saved_items',
      'maps.known_items',
      'maps.only_new_places',
      'process.status as process_status',
      'process.found_leads',
      'process.duplicate_leads',
      'test.status as test_status',
      'test.verdict',
    ]);
