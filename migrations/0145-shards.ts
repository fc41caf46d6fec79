/** Campaigns, inboxes and warm-ups are worked on by shards: what is due when, and which worker has which shard. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // One row for each job that its workflow has handed over. `turn` tells one hand-over from the next; `wakes` counts
  // requests to look at once; `report` is what the workflow is to be told, after which nothing is done any more.
  // `build` is the workers' build that its run is pinned to, and `called_at` when the run was last asked to leave it.
  await sql`
    create table shard_jobs (
      operation_id bigint primary key references operations (id) on delete cascade,
      resource_type text not null,
      resource_id bigint not null,
      shard smallint not null,
      turn bigint not null,
      due_at timestamptz not null,
      wakes integer not null default 0,
      seen_change timestamptz,
      seen_due timestamptz,
      failures integer not null default 0,
      error text,
      build text,
      called_at timestamptz,
      report jsonb
    )`.execute(db);
  await sql`create index shard_jobs_due on shard_jobs (shard, due_at) where report is null`.execute(
    db,
  );
  await sql`create index shard_jobs_report on shard_jobs (shard) where report is not null`.execute(
    db,
  );
  await sql`create index shard_jobs_resource on shard_jobs (resource_type, resource_id)`.execute(
    db,
  );
  await sql`
    create table shard_workers (
      id uuid primary key,
      seen_at timestamptz not null
    )`.execute(db);
  await sql`
    create table shards (
      shard smallint primary key,
      owner uuid,
      leased_until timestamptz not null default '-infinity'
    )`.execute(db);
  // What one worker at a time does for all: deliveries of events, looking after rows without a workflow.
  await sql`
    create table standing_leases (
      name text primary key,
      owner uuid not null,
      leased_until timestamptz not null
    )`.execute(db);
  await sql`insert into shards (shard) select generate_series(0, 63)`.execute(db);
}
