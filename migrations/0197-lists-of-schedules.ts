/** Recurring discoveries without a list fill one of their own, instead of a new one each time. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // No reference: the list may be deleted, and the next run makes another one.
  await sql`alter table schedules add column own_list_id bigint`.execute(db);
  // Those that have run go on with the list of their last run.
  await sql`
    update schedules set own_list_id = (
      select process.lead_list_id from schedule_runs run
      join lead_processes process on process.id = run.lead_process_id
      where run.schedule_id = schedules.id order by run.id desc limit 1)
    where kind = 'lead_process' and job -> 'leadListId' is null`.execute(db);
}
