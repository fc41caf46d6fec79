/** Shapes of the rows behind shards. */
import type { Generated, JSONColumnType } from 'kysely';
import type { ShardReport, ShardedType, StandingWork } from '../../domain/shards/shards.ts';

export interface ShardJobsTable {
  operation_id: number;
  resource_type: ShardedType;
  resource_id: number;
  shard: number;
  /** Tells one hand-over by the workflow from the next. */
  turn: number;
  due_at: Date;
  /** Requests to look at once: a session that ends does not put off what was asked meanwhile. */
  wakes: Generated<number>;
  seen_change: Date | null;
  seen_due: Date | null;
  /** Sessions in a row that failed, and why the last one did. */
  failures: Generated<number>;
  error: string | null;
  /** What the last session said, where it did not fail: why it rests until then. */
  note: string | null;
  /** The build of the workers that its run is pinned to; null where builds have no names. */
  build: string | null;
  /** When its run was last asked to move to another build. */
  called_at: Date | null;
  /** What its workflow is to be told; no session begins any more. */
  report: JSONColumnType<ShardReport> | null;
}

/** All of them: a statement that is parsed once per connection names its columns. */
export const SHARD_JOB_COLUMNS = Object.keys({
  operation_id: true,
  resource_type: true,
  resource_id: true,
  shard: true,
  turn: true,
  due_at: true,
  wakes: true,
  seen_change: true,
  seen_due: true,
  failures: true,
  error: true,
  note: true,
  build: true,
  called_at: true,
  report: true,
} satisfies Record<keyof ShardJobsTable, true>) as (keyof ShardJobsTable)[];

export interface ShardWorkersTable {
  id: string;
  /** `pid@host`; null: a build of before names had it. */
  process: string | null;
  seen_at: Date;
  /** Operations of campaigns and warm-ups that it has a session for, as it said the last time. */
  at_work: Generated<number[]>;
}

export interface ShardsTable {
  shard: number;
  owner: string | null;
  leased_until: Generated<Date>;
}

export interface StandingLeasesTable {
  name: StandingWork;
  owner: string;
  /** `pid@host`; null: a build of before names had it. */
  process: string | null;
  leased_until: Date;
}

export interface ShardTables {
  standing_leases: StandingLeasesTable;
  shard_jobs: ShardJobsTable;
  shard_workers: ShardWorkersTable;
  shards: ShardsTable;
}
