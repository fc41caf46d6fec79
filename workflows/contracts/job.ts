/** The signals and the query of a long job: pause, resume, cancel. docs/workflow-rules.md#long-jobs. */
import { defineQuery, defineSignal } from '@temporalio/workflow';
import type { JobRequest, JobState } from '../../src/domain/operations/jobs.ts';
import type { ShardReport } from '../../src/domain/shards/shards.ts';
import type { OperationInput } from './operator.ts';

/** Who asked and why; kept in `operation_events`. */
export interface JobMessage {
  actor: string;
  reason: string;
}

/** Input of every job's workflow; it reads the rest from its rows. */
export interface JobInput extends OperationInput {
  /** Requests that had arrived but not been acted on when the run continued as new. */
  queued?: QueuedRequest[];
  /** State of the row when the run continued as new. */
  state?: JobState;
  /** How many runs came before this one. */
  continued?: number;
  /** Whether its sessions are the shards', or activities of their own; not given to runs from before shards. */
  isSharded?: boolean;
  /** What operators saw of it when the run continued as new. */
  shown?: ShownJob;
}

/** What operators see of a job besides its state. */
export interface ShownJob {
  step: string | null;
  progress: string;
  /** The step that told its progress. */
  progressOf: string | null;
  /** Since when it is paused; by whom and why, where somebody asked for it. */
  paused?: { at: string } & Partial<JobMessage>;
}

export interface QueuedRequest extends JobMessage {
  request: JobRequest;
}

/** A shard has no more to do for a job that was handed over at `turn`. */
export interface ShardReportMessage extends ShardReport {
  turn: number;
}

export interface JobView {
  state: 'running' | 'paused' | 'ended';
  step: string | null;
  progress: string;
  pages: number;
}

export const pauseJobSignal = defineSignal<[JobMessage]>('pause');
export const resumeJobSignal = defineSignal<[JobMessage]>('resume');
export const shardReportSignal = defineSignal<[ShardReportMessage]>('shardReport');
export const cancelJobSignal = defineSignal<[JobMessage]>('cancel');
export const jobQuery = defineQuery<JobView>('job');
