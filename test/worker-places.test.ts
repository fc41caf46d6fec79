/** How many activities a worker runs at once: a number, or what memory and processors allow. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WORKER_ROLES } from '../src/domain/operations/queues.ts';
import { workersOf } from '../src/temporal/temporal-workers.ts';
import type { ResourceTargets } from '../src/temporal/worker-places.ts';
import { startTemporal } from './support/workflows/temporal.ts';
import { createSignal } from './support/tools/signal.ts';

let temporal: TestWorkflowEnvironment;
beforeAll(async () => void (temporal = await startTemporal()));
afterAll(() => temporal?.teardown());

const ALL = 40;
/** On a busy machine a worker asks for work slowly. */
const LIMIT_MS = 240_000;
/** The server in memory may lose an end that is told while the machine is busy: the activity runs again then. */
const ONE_RUN = '15 seconds';

/**
 * How many of `ALL` activities one worker runs at the same time, where each takes a while, or until `enough` run; all
 * of them run.
 */
async function mostAtOnce(
  targets: ResourceTargets,
  eachMs: number,
  enough = Infinity,
): Promise<number> {
  let running = 0;
  const reached = createSignal();
  let most = 0;
  const activities = {
    async waitsAWhile() {
      most = Math.max(most, (running += 1));
      if (running >= enough) reached.open();
      await Promise.race([sleep(eachMs, undefined, { ref: false }), reached.opened]);
      running -= 1;
    },
  };
  const server = {
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace ?? 'default',
    TEMPORAL_TLS: false,
    ...targets,
  };
  const workers = await workersOf(server, { activities, roles: ['activities'] });
  const run = Promise.all(workers.map((worker) => worker.run()));
  try {
    const each = Array.from({ length: ALL }, (_, n) =>
      temporal.client.activity.execute('waitsAWhile', {
        id: `places-${JSON.stringify(targets)}-${n}`,
        taskQueue: WORKER_ROLES.activities,
        scheduleToCloseTimeout: LIMIT_MS,
        startToCloseTimeout: ONE_RUN,
      }),
    );
    await Promise.all(each);
  } finally {
    for (const worker of workers) worker.shutdown();
    await run;
  }
  return most;
}

describe('the places of a worker', { timeout: LIMIT_MS }, () => {
  it('are a number where no target is set', async () => {
    expect(await mostAtOnce({}, 12_000, 21)).toBeGreaterThan(20);
  });

  it.each([
    ['memory', { WORKER_MEMORY_TARGET: 0.01 }],
    ['processors', { WORKER_CPU_TARGET: 0.01 }],
  ])(
    'are a twentieth while more than the target of %s is used, and nothing stands still',
    async (_what, targets) => {
      expect(await mostAtOnce(targets, 100)).toBeLessThanOrEqual(5 + 2);
    },
  );
});
