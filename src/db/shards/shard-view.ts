/** Shards as operators see them. */
import { sql, type Kysely } from 'kysely';
import {
  SHARDS,
  STANDING_WORK,
  type ShardedType,
  type StandingWork,
} from '../../domain/shards/shards.ts';
import type { Database } from '../tables.ts';
import { LEASE_SECONDS } from './shard-leases.ts';

/**
 * Of a row of `shard_jobs`: a campaign or a warm-up that is due, and no living worker has a session for it. An inbox is
 * due while it is read.
 */
export const waitsForWorker = sql<boolean>`(due_at <= now() and report is null
  and resource_type <> 'inbox_sync' and operation_id not in (
    select unnest(at_work) from shard_workers
    where seen_at > clock_timestamp() - make_interval(secs => ${sql.raw(String(LEASE_SECONDS))})))`;

/** What an operator sees: which worker has how many shards, and how the jobs are. */
export interface ShardView {
  /** A worker by its process, `pid@host`; by the key of its lease where a build of before names has it. */
  workers: { worker: string; shards: number; leasedUntil: Date }[];
  /** Which worker does what one alone does for all; null: none does. */
  standing: { name: StandingWork; worker: string | null }[];
  /** Shards that no living worker has. */
  freeShards: number;
  jobs: { type: ShardedType; count: number; due: number; failing: number; latestSeconds: number }[];
  /** Why those that are not due rest, the most frequent reasons first; at most 30. */
  resting: { type: ShardedType; note: string; count: number; until: Date }[];
  failing: { operationId: number; resource: string; failures: number; error: string | null }[];
}

/** Jobs that failed in their last session, the most often failed first; at most 100. */
export async function readShards(db: Kysely<Database>): Promise<ShardView> {
  const { rows: workers } = await sql<ShardView['workers'][number]>`
    select coalesce(max(w.process), s.owner::text) as worker, count(*)::int as shards,
      max(s.leased_until) as "leasedUntil"
    from shards s left join shard_workers w on w.id = s.owner
    where s.owner is not null and s.leased_until > clock_timestamp()
    group by s.owner order by worker`.execute(db);
  const { rows: jobs } = await sql<ShardView['jobs'][number]>`
    select resource_type as type, count(*)::int as count,
      count(*) filter (where ${waitsForWorker})::int as due,
      count(*) filter (where failures > 0)::int as failing,
      coalesce(extract(epoch from now() - min(due_at) filter (where ${waitsForWorker})), 0)::float8
        as "latestSeconds"
    from shard_jobs group by resource_type order by resource_type`.execute(db);
  const { rows: failing } = await sql<ShardView['failing'][number]>`
    select operation_id as "operationId", resource_type || '/' || resource_id as resource, failures, error
    from shard_jobs where failures > 0 order by failures desc, operation_id limit 100`.execute(db);
  const { rows: resting } = await sql<ShardView['resting'][number]>`
    select resource_type as type, note, count(*)::int as count, min(due_at) as until from shard_jobs
    where note is not null and due_at > now() and report is null and failures = 0
    group by 1, 2 order by count desc, note limit 30`.execute(db);
  const { rows: standing } = await sql<{ name: StandingWork; owner: string }>`
    select name, coalesce(process, owner::text) as owner from standing_leases where leased_until > clock_timestamp()`.execute(
    db,
  );
  const ownerOf = (name: StandingWork) => standing.find((one) => one.name === name)?.owner ?? null;
  const held = workers.reduce((sum, { shards }) => sum + shards, 0);
  return {
    workers,
    standing: STANDING_WORK.map((name) => ({ name, worker: ownerOf(name) })),
    freeShards: SHARDS - held,
    jobs,
    resting,
    failing,
  };
}
