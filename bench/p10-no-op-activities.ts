/**
 * P10: no-op activities per second of our workers / of the SDK's own sample worker.
 * Both are processes of their own on one development server and work in turns.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Client, Connection } from '@temporalio/client';
import { WORKFLOW_QUEUE } from '../src/domain/operations/queues.ts';
import { count } from '../test/support/tools/whole-number.ts';
import { bench, optionsOf } from './command.ts';
import { cpuMicros, machine, median } from './rounds.ts';
import { startTemporalServer } from './temporal.ts';

const GOAL = 1;
const { rounds: ROUNDS, workflows: WORKFLOWS } = optionsOf<{ rounds: number; workflows: number }>(
  bench('p10', 'No-op activities/s of our workers / of the SDK sample worker.')
    .option('--rounds <n>', 'of each, in turns', count, 7)
    .option('--workflows <n>', 'at the same time', count, 50),
);
const ACTIVITIES = 20;

/** A saga calls one activity after the other; a batch all of them at once. */
const SHAPES = { 'one after the other': false, 'at once': true };

interface Side {
  name: 'ours' | 'sample';
  taskQueue: string;
  worker: ChildProcess;
}

/** Of one round. */
interface Result {
  perSecond: number;
  /** Microseconds per activity. */
  workerCpu: number;
  serverCpu: number;
}

// In memory: nothing but the two workers differs.
const { address, child: server } = await startTemporalServer();
const connection = await Connection.connect({ address });
const client = new Client({ connection });
const sides: Side[] = [];
try {
  sides.push(await startSide('ours', WORKFLOW_QUEUE, 'p10-worker.ts'));
  sides.push(await startSide('sample', 'hello-world', 'baselines/hello-world-worker.ts'));
  for (const [shape, atOnce] of Object.entries(SHAPES)) {
    for (const side of sides) await work(side, atOnce);
    const rounds: Record<Side['name'], Result>[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const results = {} as Record<Side['name'], Result>;
      for (const side of sides) results[side.name] = await measure(side, atOnce);
      rounds.push(results);
    }
    report(shape, rounds);
  }
  console.log(await machine());
} finally {
  for (const { worker } of sides) worker.disconnect();
  await Promise.all(sides.map(({ worker }) => once(worker, 'exit')));
  await connection.close();
  server.kill('SIGTERM');
}

async function startSide(name: Side['name'], taskQueue: string, file: string): Promise<Side> {
  const worker = fork(new URL(file, import.meta.url), [address], {
    execArgv: ['--import', 'tsx'],
    // Hides the SDK's own lines about starting and stopping.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  await once(worker, 'message');
  return { name, taskQueue, worker };
}

async function work({ name, taskQueue }: Side, atOnce: boolean): Promise<void> {
  const run = `${name}-${atOnce}-${performance.now()}`;
  await Promise.all(
    Array.from({ length: WORKFLOWS }, (_, n) =>
      client.workflow.execute('noOps', {
        taskQueue,
        workflowId: `${run}-${n}`,
        args: [{ activities: ACTIVITIES, atOnce }],
      }),
    ),
  );
}

async function measure(side: Side, atOnce: boolean): Promise<Result> {
  const cpu = () => Promise.all([cpuMicros(side.worker.pid!), cpuMicros(server.pid!)]);
  const before = await cpu();
  const started = performance.now();
  await work(side, atOnce);
  const seconds = (performance.now() - started) / 1_000;
  const after = await cpu();
  const count = WORKFLOWS * ACTIVITIES;
  const [workerCpu, serverCpu] = after.map((micros, at) => (micros - before[at]!) / count);
  return { perSecond: count / seconds, workerCpu: workerCpu!, serverCpu: serverCpu! };
}

function report(shape: string, rounds: Record<Side['name'], Result>[]): void {
  const middle = (name: Side['name'], part: keyof Result) =>
    median(rounds.map((round) => round[name][part])).toFixed(0);
  for (const name of ['ours', 'sample'] as const) {
    console.log(
      `${shape}, ${name}: ${middle(name, 'perSecond')} activities/s, CPU per activity: ` +
        `worker ${middle(name, 'workerCpu')} us, server ${middle(name, 'serverCpu')} us`,
    );
  }
  const ratios = rounds.map(({ ours, sample }) => ours.perSecond / sample.perSecond);
  const label = SHAPES[shape as keyof typeof SHAPES] ? 'P10 (at once)' : 'P10';
  console.log(
    `${label} ratio=${median(ratios).toFixed(2)} goal=>=${GOAL.toFixed(1)} ` +
      `worst=${Math.min(...ratios).toFixed(2)} ` +
      `(${ROUNDS} rounds of ${WORKFLOWS} workflows with ${ACTIVITIES} activities)`,
  );
}
