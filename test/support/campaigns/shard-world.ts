/** Shards of a test: jobs handed over as by their workflows, whose signals are noted instead. */
import type { RunningJobs } from '../../../activities/shards/running-jobs.ts';
import type { Context } from '../../../src/context.ts';
import { handOver } from '../../../src/db/shards/shard-jobs.ts';
import type { ShardReportMessage } from '../../../workflows/contracts/job.ts';
import type { Pace } from '../../../src/domain/operations/operations.ts';
import { runCampaignFlow } from '../../../src/domain/campaigns/flows.ts';
import { insertOperation } from '../../../src/db/operations/operations.ts';
import type { SessionWorld } from './session-world.ts';

const pace: Pace = { retryPace: 1, heartbeatSeconds: 30, blockedTimeoutSeconds: 86_400 };

export interface ShardWorld {
  context: Context;
  /** What workflows were told, by their ids. */
  told: Map<string, ShardReportMessage[]>;
  handOver(campaignId: number, userId: string, turn?: number): Promise<number>;
}

/** `change` replaces parts of the context. Workflows in `gone` have ended. */
export function openShards(world: SessionWorld, change: Partial<Context> = {}): ShardWorld {
  const told = new Map<string, ShardReportMessage[]>();
  const temporal = {
    withDeadline: (_until: number, work: () => unknown) => work(),
    workflow: {
      getHandle: (id: string) => ({
        signal: (_name: string, message: ShardReportMessage) => {
          told.set(id, [...(told.get(id) ?? []), message]);
          return Promise.resolve();
        },
      }),
    },
  };
  const context = { ...world.tools(), temporal, ...change } as unknown as Context;
  const operations = new Map<number, number>();
  return {
    context,
    told,
    async handOver(campaignId, userId, turn = Date.now()) {
      const { db } = context;
      const requested = { actor: 'user:1', reason: 'a test' };
      const request = { userId, run: 1, summary: 'A campaign', requested };
      const insert = () =>
        db
          .transaction()
          .execute((trx) => insertOperation(trx, runCampaignFlow, { campaignId, pace }, request));
      const operationId = operations.get(campaignId) ?? (await insert()).id;
      operations.set(campaignId, operationId);
      const build = context.config.WORKER_BUILD_ID ?? null;
      await handOver(db, { operationId, turn, build, now: context.clock.now() });
      return operationId;
    },
  };
}

/** How often at least hung sessions are looked for, and as long again: more is a process that has stood still. */
const STOOD_STILL_MS = 2_000;

/**
 * The same jobs, for tests in which a session hangs after seconds: where the process itself has stood still, what was
 * answered meanwhile is read before anything is taken for hung.
 */
export function judgedAwake(jobs: RunningJobs): RunningJobs {
  let lookedAt = performance.now();
  return {
    ...jobs,
    leaveHung() {
      const before = lookedAt;
      lookedAt = performance.now();
      if (lookedAt - before < STOOD_STILL_MS) jobs.leaveHung();
    },
  };
}
