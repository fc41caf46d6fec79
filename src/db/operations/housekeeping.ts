/** Signs of life of the Schedules that keep house: written by the activities of their runs. */
import { sql, type Kysely } from 'kysely';
import { MIN_DUE, type HousekeepingSchedule } from '../../domain/operations/housekeeping.ts';
import type { Database } from '../tables.ts';

export interface HousekeepingLook {
  schedule: HousekeepingSchedule;
  /** Where the page begins; 0: it is the first of a run. */
  afterId: number;
  isLast: boolean;
  /** What the page found due. */
  due: number;
}

/**
 * A page of a run has been looked at. The run before counts as fruitless where it had enough to do and nothing
 * succeeded; a page that is repeated at once begins no other run. Answers how many such runs there were in a row. A
 * long run is alive as long as it comes further; one that ends where those before it ended is not.
 */
export async function noteLook(db: Kysely<Database>, look: HousekeepingLook): Promise<number> {
  const { schedule, afterId, isLast, due } = look;
  const isFirst = afterId === 0;
  const begins = sql`(${isFirst} and run.began_at < now() - interval '1 minute')`;
  const { rows } = await sql<{ fruitless: number }>`
    insert into housekeeping_runs as run (schedule, due) values (${schedule}, ${due})
    on conflict (schedule) do update set
      fruitless = case when not ${begins} then run.fruitless
        when run.due >= ${MIN_DUE}::int and run.advanced = 0 then run.fruitless + 1 else 0 end,
      due = case when ${isFirst} then excluded.due else run.due + excluded.due end,
      advanced = case when ${isFirst} then 0 else run.advanced end,
      began_at = case when ${begins} then now() else run.began_at end,
      looked_at = case when ${isLast} or ${afterId}::bigint > run.furthest then now() else run.looked_at end,
      furthest = case when ${isLast} then 0 else greatest(run.furthest, ${afterId}::bigint) end
    returning fruitless`.execute(db);
  return rows[0]!.fruitless;
}

/** One of those that were due is done, or is further than before. */
export async function noteAdvanced(
  db: Kysely<Database>,
  schedule: HousekeepingSchedule,
): Promise<void> {
  await sql`update housekeeping_runs set advanced = advanced + 1, fruitless = 0
    where schedule = ${schedule}`.execute(db);
}

/** For one of those that were due nothing is to be done, or nothing by us. */
export async function noteIdle(
  db: Kysely<Database>,
  schedule: HousekeepingSchedule,
): Promise<void> {
  await sql`update housekeeping_runs set due = greatest(0, due - 1)
    where schedule = ${schedule}`.execute(db);
}
