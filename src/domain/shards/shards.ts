/** Shards: parts of the work that waits most of the time, of which each worker has some. docs/workflow-rules.md#shards. */
import type { JobState } from '../operations/jobs.ts';

/** How many there are, whatever the number of workers. A job's shard follows from its resource's id. */
export const SHARDS = 64;

/** The jobs that shards work on. */
export const SHARDED = ['campaign', 'inbox_sync', 'warmup'] as const;

export type ShardedType = (typeof SHARDED)[number];

export const isShardedType = (type: string): type is ShardedType =>
  SHARDED.some((each) => each === type);

/** What a job's workflow is told when its shard has nothing more to do for it. */
export interface ShardReport {
  state: JobState;
  isDone: boolean;
  progress: string;
}

export const shardOf = (resourceId: number): number => resourceId % SHARDS;

/**
 * How many shards a worker should have where `workers` are alive: all of them together have room for every
 * shard, and none has many more than another.
 */
export const fairShare = (workers: number): number => Math.ceil(SHARDS / Math.max(1, workers));

/** What one worker at a time does for the whole installation, for as long as it lives. */
export const STANDING_WORK = ['deliveries', 'reconciler', 'interests', 'changes'] as const;

export type StandingWork = (typeof STANDING_WORK)[number];
