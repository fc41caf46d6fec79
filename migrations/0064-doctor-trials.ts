/** Servers that `outreach doctor --order` rents for a trial, each written down before it is ordered. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table doctor_trials (
      name text primary key,
      provider text not null,
      registrar text not null,
      domain text not null,
      started_at timestamptz not null default now(),
      ended_at timestamptz
    )`.execute(db);
  await sql`create index doctor_trials_open on doctor_trials (started_at)
    where ended_at is null`.execute(db);
}
