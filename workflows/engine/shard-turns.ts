/** A job in the hands of its shard, as its workflow sees it. docs/workflow-rules.md#shards. */
import { condition, patched, setHandler } from '@temporalio/workflow';
import type { ShardReport } from '../../src/domain/shards/shards.ts';
import { shardReportSignal, type JobInput, type ShardReportMessage } from '../contracts/job.ts';

/**
 * A job is handed over once more after this time, in case its row was lost. Each costs a timer and an activity,
 * which ten thousand jobs pay for.
 */
const HAND_OVER_AGAIN = '7 days';

/** What an operator reads while no activity is open. docs/workflow-rules.md#shards. */
export const IN_SHARD =
  'its shard works on it whenever something is due, and reports when it is done, paused or stopped. ' +
  'What it does: `outreach shards`';

/** A run from before shards moves to them when it continues as new. Asked once in a run. */
export const isSharded = ({ isSharded: given, continued = 0 }: JobInput): boolean =>
  given ?? (continued > 0 && patched('shards'));

export interface ShardTurns {
  /**
   * Hands the job over and waits for the shard's report, or until something is asked of the job. Undefined where
   * it has to be handed over once more.
   */
  take(isAsked: () => boolean): Promise<ShardReport | undefined>;
  /** Waits, for a minute at most, until the shard has let go of the job: what it is sending has its result then. */
  untilBack(): Promise<void>;
}

/** Call it before the first await: it sets a handler. */
export function openShardTurns(handOver: (turn: number) => Promise<void>): ShardTurns {
  let turn = 0;
  let report: ShardReportMessage | undefined;
  let isCalled = false;
  setHandler(shardReportSignal, (message) => {
    if (message.turn === turn) report = message;
    // Of another turn where Postgres or Temporal was put back; or a newer build of the workers calls.
    else isCalled = true;
  });
  return {
    async take(isAsked) {
      turn = Date.now();
      report = undefined;
      isCalled = false;
      await handOver(turn);
      const isUp = () => report !== undefined || isCalled || isAsked();
      await condition(isUp, HAND_OVER_AGAIN, { summary: 'its shard works on it' });
      return report;
    },
    async untilBack() {
      if (turn === 0 || report !== undefined) return;
      await condition(() => report !== undefined, '1 minute', {
        summary: 'its shard lets go of it',
      });
    },
  };
}
