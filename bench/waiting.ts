/**
 * What jobs that only wait cost Temporal, in the shapes that were open to us: its own count of writes to its database,
 * and of billable actions. docs/workflow-rules.md#shards says which one was taken, and why.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Context as Activity } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import PQueue from 'p-queue';
import { LEASE_SECONDS } from '../src/db/shards/shard-leases.ts';
import { SHARDS } from '../src/domain/shards/shards.ts';
import { createDataConverter } from '../src/temporal/payload-codec.ts';
import { count } from '../test/support/tools/whole-number.ts';
import { bench, optionsOf } from './command.ts';
import { machine } from './rounds.ts';
import { withScaledWorld, type ScaledWorld } from './scaled-world.ts';
import { billableActions, persistenceRequests, writesBetween } from './temporal-writes.ts';

const { jobs, seconds } = optionsOf<{ jobs: number; seconds: number }>(
  bench('waiting', "Temporal's writes and billable actions of jobs that wait, by shape.")
    .option('--jobs <n>', 'campaigns, inboxes and warm-ups that wait', count, 1_000)
    .option('--seconds <n>', 'that are counted, of each shape', count, 60),
);

const QUEUE = 'waiting';
const AT_ONCE = 32;
/** What starts, and what a shape before it has left, is over by then. */
const SETTLE_MS = 45_000;
const DAY_SECONDS = 86_400;
const LOOK_MS = 60_000;

interface Shape {
  about: string;
  workflow: 'holding' | 'looking' | 'listening';
  runs: number;
  everyMs: number;
}

const SHAPES: Shape[] = [
  {
    about: 'an activity for each job, a heartbeat in a quarter of its time-out of 30 s',
    workflow: 'holding',
    runs: jobs,
    everyMs: 7_500,
  },
  {
    about: `${SHARDS} shards as activities, a death noticed as quickly as by leases`,
    workflow: 'holding',
    runs: SHARDS,
    everyMs: (LEASE_SECONDS * 1_000) / 4,
  },
  {
    about: 'a timer until the next moment, once a minute, and a short activity',
    workflow: 'looking',
    runs: jobs,
    everyMs: LOOK_MS,
  },
  {
    about: 'a signal when something is to be told: the shape taken',
    workflow: 'listening',
    runs: jobs,
    everyMs: 0,
  },
];

const activities = {
  async hold(everyMs: number): Promise<void> {
    const { cancellationSignal: signal } = Activity.current();
    while (!signal.aborted) {
      Activity.current().heartbeat();
      await sleep(everyMs, undefined, { signal }).catch(() => undefined);
    }
  },
  async look(): Promise<void> {
    await sleep(1);
  },
};
export type WaitingActivities = typeof activities;

Runtime.install({ logger: new DefaultLogger('ERROR') });
await withScaledWorld({ daySeconds: DAY_SECONDS, instead: () => ({}) }, measure);
// The SDK holds the process for as long as its runtime lives.
process.exit();

async function measure(world: ScaledWorld): Promise<void> {
  const connection = await NativeConnection.connect(world.settings.temporal);
  const worker = await Worker.create({
    connection,
    namespace: world.settings.temporal.namespace,
    taskQueue: QUEUE,
    dataConverter: createDataConverter(world.context.config),
    workflowsPath: fileURLToPath(new URL('waiting-workflows.ts', import.meta.url)),
    activities,
    maxConcurrentActivityTaskExecutions: jobs + SHARDS,
    maxCachedWorkflows: jobs + SHARDS,
    // Each heartbeat is sent, as the sessions of before sent theirs.
    maxHeartbeatThrottleInterval: '500 milliseconds',
  });
  await worker.runUntil(async () => {
    for (const shape of SHAPES) await measureShape(world, shape);
  });
  await connection.close();
  console.log(await machine());
}

async function measureShape(world: ScaledWorld, shape: Shape): Promise<void> {
  const { about, workflow, runs, everyMs } = shape;
  const { temporal } = world.context;
  const ids = Array.from({ length: runs }, (_, n) => `${workflow}-${everyMs}-${n}`);
  const begin = (workflowId: string) =>
    temporal.workflow.start(workflow, { workflowId, taskQueue: QUEUE, args: [{ everyMs }] });
  await forAll(ids, begin);
  await sleep(SETTLE_MS);
  const before = await readings(world);
  await sleep(seconds * 1_000);
  const after = await readings(world);
  const writes = writesBetween(before.requests, after.requests);
  const written = writes.reduce((sum, [, value]) => sum + value, 0);
  const [most] = writes;
  const acted = after.actions - before.actions;
  console.log(
    `waiting writes=${(written / seconds).toFixed(1)}/s actions=${(acted / seconds).toFixed(2)}/s, ` +
      `${Math.round((acted * DAY_SECONDS) / seconds)} a day (${about}; ${jobs} jobs` +
      `${most ? `; most writes: ${most[0]}` : ''})`,
  );
  await end(temporal, ids);
}

async function readings({ temporalMetrics, settings }: ScaledWorld) {
  const [requests, actions] = await Promise.all([
    persistenceRequests(temporalMetrics),
    billableActions(temporalMetrics, settings.temporal.namespace),
  ]);
  return { requests, actions: [...actions.values()].reduce((sum, value) => sum + value, 0) };
}

async function end({ workflow }: Client, ids: readonly string[]): Promise<void> {
  await forAll(ids, (id) => workflow.getHandle(id).terminate());
  await sleep(SETTLE_MS);
}

async function forAll(
  ids: readonly string[],
  work: (id: string) => Promise<unknown>,
): Promise<void> {
  const queue = new PQueue({ concurrency: AT_ONCE });
  await queue.addAll(ids.map((id) => () => work(id)));
}
