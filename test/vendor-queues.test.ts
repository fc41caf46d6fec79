/**
 * A vendor's limit is kept by its task queue, whatever waits. docs/workflow-rules.md#workers-and-queues.
 */
import { readFile } from 'node:fs/promises';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import type { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { registrars } from '../src/providers/registrars/index.ts';
import { vpsProviders } from '../src/providers/vps/index.ts';
import { activitiesPerSecond } from '../src/domain/accounts/vendor-limits.ts';
import { buyDomainFlow } from '../src/domain/domains/flows.ts';
import { workersOf } from '../src/temporal/temporal-workers.ts';
import { vendorQueue, WORKFLOW_QUEUE } from '../src/domain/operations/queues.ts';
import { priorityFor } from '../src/temporal/priorities.ts';
import { fakeActivities, type Played } from './support/workflows/fake-activities.ts';
import { startTemporal } from './support/workflows/temporal.ts';
import { workflowCode } from './support/workflows/workflow-code.ts';
import { pace } from './support/workflows/workflow-stage.ts';

/** Ten activities of three requests fit into what this vendor takes in a second. */
const LIMIT = { requestsPerSecond: 30, requestsPerActivity: 3 };
const RUNS = 20;
/** A look and a purchase each. */
const ACTIVITIES = RUNS * 2;

/** Each buys again as soon as its purchase is done, `PURCHASES` in all. */
const BUYERS = 8;
const PURCHASES = 40;

/** Purchases of the account that has ordered before all others. */
const MANY = 40;

let temporal: TestWorkflowEnvironment;
let workers: Worker[];
let running: Promise<unknown>;
const played = new Map<number, Played>();

beforeAll(async () => {
  temporal = await startTemporal();
  const server = {
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace ?? 'default',
    TEMPORAL_TLS: false,
  };
  workers = await workersOf(server, {
    workflows: { workflowBundle: { code: await workflowCode() } },
    activities: fakeActivities(played),
    vendors: { limited: LIMIT, steady: LIMIT, shared: LIMIT },
  });
  running = Promise.all(workers.map((worker) => worker.run()));
});
afterAll(async () => {
  for (const worker of workers ?? []) worker.shutdown();
  await running;
  await temporal?.teardown();
});

const buy = (registrar: string, index: number, userId = 'user-1') => {
  const operationId = played.size + 1;
  played.set(operationId, { script: {}, calls: [], records: [] });
  const subject = { domainId: operationId, domain: `limit-${index}.com`, registrar };
  const base = { operationId, userId, resource: `domain/${operationId}`, pace };
  return temporal.client.workflow.start(buyDomainFlow.kind, {
    workflowId: `${registrar}/${operationId}`,
    taskQueue: WORKFLOW_QUEUE,
    args: [{ ...subject, ...base, charged: true }],
    // As `startOperation` does.
    priority: priorityFor(buyDomainFlow.priority, userId),
  });
};

/** When an activity was put into the vendor's queue, and when the server gave it out; epoch milliseconds. */
interface Task {
  queuedAt: number;
  startedAt: number;
}

/** In the order in which they were given out. */
async function tasksOf(
  runs: readonly Awaited<ReturnType<typeof buy>>[],
  registrar: string,
): Promise<Task[]> {
  const tasks = runs.map(async (run) => {
    await run.result();
    const events = (await run.fetchHistory()).events ?? [];
    const queue = vendorQueue(registrar);
    const at = ({ eventTime }: (typeof events)[number]) =>
      Number(eventTime!.seconds) * 1_000 + eventTime!.nanos! / 1e6;
    return events
      .filter((one) => one.activityTaskScheduledEventAttributes?.taskQueue?.name === queue)
      .map((queued): Task => {
        const isOfIt = (one: (typeof events)[number]) =>
          String(one.activityTaskStartedEventAttributes?.scheduledEventId) ===
          String(queued.eventId);
        return { queuedAt: at(queued), startedAt: at(events.find(isOfIt)!) };
      });
  });
  return (await Promise.all(tasks)).flat().toSorted((x, y) => x.startedAt - y.startedAt);
}

/** What a busy server writes down late evens out within so long. */
const SECONDS = 2;

/** The most that fall into any `SECONDS`. */
const mostAtOnce = (starts: readonly number[]): number =>
  Math.max(...starts.map((at) => starts.filter((t) => t >= at && t < at + SECONDS * 1_000).length));

describe("a vendor's queue", () => {
  it('gives out no more than the vendor takes', async () => {
    const runs = await Promise.all(
      Array.from({ length: RUNS }, (_, index) => buy('limited', index)),
    );
    const starts = (await tasksOf(runs, 'limited')).map(({ startedAt }) => startedAt);
    const rate = activitiesPerSecond(LIMIT);
    const seconds = (starts.at(-1)! - starts[0]!) / 1_000;
    expect(starts).toHaveLength(ACTIVITIES);
    // A busy server writes the first ones down late: up to a fifth of the time is missing then.
    expect(seconds).toBeGreaterThanOrEqual(((ACTIVITIES - rate) / rate) * 0.8);
    const most = LIMIT.requestsPerSecond / LIMIT.requestsPerActivity;
    expect(mostAtOnce(starts)).toBeLessThanOrEqual(most * SECONDS);
  });

  it('lets nobody wait longer than those ahead take', async () => {
    const runs: Awaited<ReturnType<typeof buy>>[] = [];
    let bought = 0;
    const buyer = async () => {
      while (bought < PURCHASES) {
        bought += 1;
        // Each of another account: one that buys a second time would have to let others go first.
        const run = await buy('steady', bought, `user-${bought}`);
        runs.push(run);
        await run.result();
      }
    };
    await Promise.all(Array.from({ length: BUYERS }, buyer));
    const tasks = await tasksOf(runs, 'steady');
    const waits = tasks.map(({ queuedAt, startedAt }) => startedAt - queuedAt);
    // All others may be ahead. In four parts of a quarter of the limit each one in twenty waited longer, the last one 20 s.
    const allMs = (BUYERS / activitiesPerSecond(LIMIT)) * 1_000;
    expect(Math.max(...waits)).toBeLessThan(2.5 * allMs);
  }, 120_000);

  it('shares the limit between accounts: one purchase does not wait for forty of another', async () => {
    const many = await Promise.all(
      Array.from({ length: MANY }, (_, index) => buy('shared', index, 'ann')),
    );
    const one = await buy('shared', MANY, 'bob');
    const [ann, bob] = await Promise.all([tasksOf(many, 'shared'), tasksOf([one], 'shared')]);
    expect([ann.length, bob.length]).toEqual([MANY * 2, 2]);
    // What was given out before it came, which on a busy machine is much, was ahead of nobody.
    const ahead = (of: Task) =>
      ann.filter(({ startedAt }) => startedAt >= of.queuedAt && startedAt < of.startedAt).length;
    expect(ahead(bob[0]!)).toBeLessThan(MANY / 2);
    expect(ahead(bob[0]!) + ahead(bob[1]!)).toBeLessThan(MANY);
  }, 120_000);
});

describe("the compose file's Temporal", () => {
  it('keeps the queue of each vendor in one part', async () => {
    const text = await readFile(new URL('../deploy/compose/dynamic-config.yaml', import.meta.url));
    const settings = parse(String(text)) as Record<
      string,
      { value: unknown; constraints: object }[]
    >;
    const vendors = Object.keys({ ...registrars, ...vpsProviders });
    const whole = new Set(
      vendors.map((vendor) => ({
        value: 1,
        constraints: { taskQueueName: vendorQueue(vendor) },
      })),
    );
    for (const side of ['Read', 'Write']) {
      const entries = settings[`matching.numTaskqueue${side}Partitions`];
      expect(new Set(entries)).toEqual(whole);
      expect(entries).toHaveLength(vendors.length);
    }
  });
});

describe('limits', () => {
  it.each(Object.entries({ ...registrars, ...vpsProviders }))(
    '%s declares one',
    (_name, vendor) => {
      const needed = Object.fromEntries(
        vendor.variables.map((name) => [name, 'https://vendor.test']),
      );
      const state = vendor.configure(needed);
      expect(state).toMatchObject({
        state: 'on',
        limit: { requestsPerSecond: expect.any(Number) },
      });
    },
  );

  it.each([
    ['one a second', { requestsPerSecond: 1, requestsPerActivity: 1 }, 1],
    ['half of many, for what comes at once', { requestsPerSecond: 30, requestsPerActivity: 3 }, 5],
    ['a bucket', { requestsPerSecond: 1, burst: 3_600, requestsPerActivity: 1 }, 3.5],
  ])('%s', (_name, limit, rate) => {
    expect(activitiesPerSecond(limit)).toBe(rate);
  });
});
