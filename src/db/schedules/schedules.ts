/** Schedules: a user's, and those whose last change Temporal does not have yet. */
import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';
import type { ScheduledJob, ScheduleTimes } from '../../domain/schedules/schedules.ts';
import { requestsKeptSince } from '../operations/operations.ts';
import type { Database } from '../tables.ts';
import type { SchedulesTable } from './schedule-tables.ts';

export type Schedule = Selectable<SchedulesTable>;

export interface NewSchedule {
  userId: string;
  runKey: string;
  name: string;
  job: ScheduledJob;
  onlyNewPlaces: boolean;
  times: ScheduleTimes;
  paused: boolean;
  requestKey: string | undefined;
}

export async function insertSchedule(
  trx: Transaction<Database>,
  { userId, runKey, name, job, onlyNewPlaces, times, paused, requestKey }: NewSchedule,
): Promise<Schedule> {
  if (requestKey !== undefined) await forgetRequest(trx, userId, requestKey);
  return trx
    .insertInto('schedules')
    .values({
      user_id: userId,
      run_key: runKey,
      name,
      kind: job.kind,
      job: JSON.stringify(job.order),
      only_new_places: onlyNewPlaces,
      times: JSON.stringify(times),
      paused,
      request_key: requestKey ?? null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Frees the key of a schedule that is deleted, or too old for its request to be repeated. */
async function forgetRequest(
  trx: Transaction<Database>,
  userId: string,
  requestKey: string,
): Promise<void> {
  await trx
    .updateTable('schedules')
    .set({ request_key: null })
    .where('user_id', '=', userId)
    .where('request_key', '=', requestKey)
    .execute();
}

/** Deleted ones, too. */
export const findSchedule = (db: Kysely<Database>, id: number): Promise<Schedule | undefined> =>
  db.selectFrom('schedules').selectAll().where('id', '=', id).executeTakeFirst();

/** Deleted ones, too; locked until the transaction ends. */
export const lockSchedule = (
  trx: Transaction<Database>,
  id: number,
): Promise<Schedule | undefined> =>
  trx.selectFrom('schedules').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

/** The schedule that an earlier run of this request made within a day. Choice 51. */
export const findRequestedSchedule = (
  db: Kysely<Database>,
  userId: string,
  requestKey: string,
): Promise<Schedule | undefined> =>
  ofUser(db, userId)
    .where('request_key', '=', requestKey)
    .where('created_at', '>', requestsKeptSince())
    .executeTakeFirst();

export const findUserSchedule = (
  db: Kysely<Database>,
  userId: string,
  id: number,
): Promise<Schedule | undefined> => ofUser(db, userId).where('id', '=', id).executeTakeFirst();

/** The user's, locked until the transaction ends. */
export const lockUserSchedule = (
  trx: Transaction<Database>,
  userId: string,
  id: number,
): Promise<Schedule | undefined> =>
  ofUser(trx, userId).where('id', '=', id).forUpdate().executeTakeFirst();

/** A page, newest first. */
export async function listSchedules(
  db: Kysely<Database>,
  userId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: Schedule[]; total: number }> {
  const [rows, total] = await Promise.all([
    ofUser(db, userId).orderBy('id', 'desc').limit(limit).offset(offset).execute(),
    countSchedules(db, userId),
  ]);
  return { rows, total };
}

export async function countSchedules(db: Kysely<Database>, userId: string): Promise<number> {
  const { total } = await ofUser(db, userId)
    .clearSelect()
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

export interface ScheduleChange {
  name?: string | undefined;
  times?: ScheduleTimes | undefined;
  paused?: boolean | undefined;
  onlyNewPlaces?: boolean | undefined;
  order?: ScheduledJob['order'] | undefined;
  deletedAt?: Date;
}

/** Each change is one that Temporal has to learn of. */
export const changeSchedule = (
  trx: Transaction<Database>,
  id: number,
  { name, times, paused, onlyNewPlaces, order, deletedAt }: ScheduleChange,
): Promise<Schedule> =>
  trx
    .updateTable('schedules')
    .set({
      ...(name !== undefined && { name }),
      ...(times && { times: JSON.stringify(times) }),
      ...(paused !== undefined && { paused }),
      ...(onlyNewPlaces !== undefined && { only_new_places: onlyNewPlaces }),
      ...(order && { job: JSON.stringify(order) }),
      ...(deletedAt && { deleted_at: deletedAt }),
      version: sql`version + 1`,
      updated_at: new Date(),
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

/**
 * Those whose last change, made before `changedBefore`, Temporal does not have; and those that were not seen there
 * since `seenBefore`: a Temporal that was put back has lost what came later.
 */
export async function listSchedulesToKeep(
  db: Kysely<Database>,
  { changedBefore, seenBefore }: { changedBefore: Date; seenBefore: Date },
  limit: number,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from schedules
    where seen_at < ${seenBefore} and deleted_at is null
      or kept_version < version and updated_at < ${changedBefore}
    order by seen_at limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

export async function markScheduleKept(
  trx: Transaction<Database>,
  { id, version }: Schedule,
): Promise<void> {
  await trx
    .updateTable('schedules')
    .set({ kept_version: version, seen_at: new Date() })
    .where('id', '=', id)
    .execute();
}

/** No change that Temporal has to learn of. */
export async function noteOwnList(
  trx: Transaction<Database>,
  { id }: Schedule,
  own_list_id: number,
): Promise<void> {
  await trx.updateTable('schedules').set({ own_list_id }).where('id', '=', id).execute();
}

/** Without success. It goes behind the others, so that what Temporal never takes does not fill each batch. */
export async function markScheduleTried(db: Kysely<Database>, id: number): Promise<void> {
  await db.updateTable('schedules').set({ seen_at: new Date() }).where('id', '=', id).execute();
}

const ofUser = (db: Kysely<Database>, userId: string) =>
  db
    .selectFrom('schedules')
    .selectAll()
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null);
