/** Hands jobs that mostly wait over to the shards. */
import type { Context } from '../../src/context.ts';
import { handOver } from '../../src/db/shards/shard-jobs.ts';

export const shardActivities = ({
  db,
  clock,
  config,
}: Pick<Context, 'db' | 'clock' | 'config'>) => ({
  /** From now on the job's shard works on it, until it reports back. Safe to repeat: `turn` tells repeats. */
  async handOverToShard({
    operationId,
    turn,
  }: {
    operationId: number;
    turn: number;
  }): Promise<void> {
    const build = config.WORKER_BUILD_ID ?? null;
    await handOver(db, { operationId, turn, build, now: clock.now() });
  },
});
