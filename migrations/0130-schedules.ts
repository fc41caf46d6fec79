/** Clients repeat searches on days of their choice: the schedules, their runs, and the places that each has seen. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // `version` counts the changes, `kept_version` is the one that Temporal had at `seen_at`. The random `run_key` keeps the id
  // of its Schedule apart from that of a lost row. Deleted rows stay, for their runs.
  await sql`
    create table schedules (
      id bigint generated always as identity primary key,
      user_id text not null references users (user_id),
      run_key text not null,
      name text not null,
      kind text not null check (kind in ('maps_run', 'lead_process')),
      job jsonb not null,
      only_new_places boolean not null default false,
      times jsonb not null,
      paused boolean not null default false,
      version integer not null default 1,
      kept_version integer not null default 0,
      seen_at timestamptz not null default now(),
      request_key text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      deleted_at timestamptz,
      unique (user_id, request_key)
    )`.execute(db);
  await sql`create index schedules_user on schedules (user_id, id desc)
    where deleted_at is null`.execute(db);
  await sql`create index schedules_unseen on schedules (seen_at)`.execute(db);
  await sql`
    create table schedule_runs (
      id bigint generated always as identity primary key,
      schedule_id bigint not null references schedules (id),
      run_key text not null,
      outcome text not null check (outcome in ('started', 'skipped', 'failed')),
      reason text,
      maps_run_id bigint references maps_runs (id),
      lead_process_id bigint references lead_processes (id),
      created_at timestamptz not null default now(),
      unique (schedule_id, run_key)
    )`.execute(db);
  await sql`create index schedule_runs_page on schedule_runs (schedule_id, id desc)`.execute(db);
  await sql`
    create table schedule_places (
      schedule_id bigint not null references schedules (id),
      place_id text not null,
      first_run_id bigint not null,
      last_run_id bigint not null,
      primary key (schedule_id, place_id)
    )`.execute(db);
  await sql`
    alter table maps_runs
      add schedule_id bigint references schedules (id),
      add only_new_places boolean not null default false,
      add known_items integer not null default 0`.execute(db);
}
