/** Alerts and dashboard ask the SDK's metrics by the names and labels that a worker of ours exports. */
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse } from 'yaml';
import { openDatabase } from '../src/db/database.ts';
import { WORKFLOW_QUEUE } from '../src/domain/operations/queues.ts';
import { serveWorkerMetrics } from '../src/telemetry/worker-metrics.ts';
import { workersOf } from '../src/temporal/temporal-workers.ts';
import { root } from './docs/documents.ts';
import { fakeActivities } from './support/workflows/fake-activities.ts';
import { startTemporal } from './support/workflows/temporal.ts';
import { endRuntime, workflowCode } from './support/workflows/workflow-code.ts';

let temporal: TestWorkflowEnvironment;
let server: Server;
/** What the first activity of `reconcile` waits for, so that its run is open when its worker ends. */
let release: () => void;
const released = new Promise<void>((resolve) => (release = resolve));
let begun = false;
// Nobody listens there.
const db = openDatabase('postgres://127.0.0.1:9/none', { poolSize: 1 });

beforeAll(async () => {
  temporal = await startTemporal();
  // A worker process has no runtime before; this one may have run other files.
  await endRuntime();
  server = await serveWorkerMetrics(
    { db, logger: pino({ level: 'silent' }) },
    { port: 0, host: '127.0.0.1', serves: { mode: 'live', roles: [] }, isReady: () => true },
  );
});
afterAll(async () => {
  server?.close();
  await db.destroy();
  await endRuntime();
  await temporal?.teardown();
});

/** Runs the product's workers with the given bundle until `work` ends. */
async function withWorkers(code: string, work: () => Promise<unknown>): Promise<void> {
  const address = {
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace ?? 'default',
    TEMPORAL_TLS: false,
  };
  const startMissingWorkflows = async () => {
    begun = true;
    await released;
    return { started: 0 };
  };
  const workers = await workersOf(address, {
    workflows: { workflowBundle: { code } },
    activities: { ...fakeActivities(new Map()), startMissingWorkflows },
    roles: ['workflows', 'activities'],
  });
  const running = Promise.all(workers.map((worker) => worker.run()));
  try {
    await work();
  } finally {
    for (const worker of workers) worker.shutdown();
    release();
    await running;
  }
}

async function scrape(): Promise<string> {
  const { port } = server.address() as AddressInfo;
  return (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
}

/** `name{label=...}` of each metric of the SDK in the alerts, with its labels. */
async function askedOfTheSdk(): Promise<{ name: string; labels: string[] }[]> {
  const alerts = await readFile(join(root, 'docs/monitoring/alerts.yml'), 'utf8');
  const { groups } = parse(alerts) as { groups: { rules: { expr: string }[] }[] };
  return groups
    .flatMap(({ rules }) => rules.map(({ expr }) => expr))
    .flatMap((expr) => {
      const by = /\bby \(([^)]*)\)/.exec(expr)?.[1]?.split(', ') ?? [];
      return [...expr.matchAll(/\b(temporal_\w+)(?:\{([^}]*)\})?/g)].map(
        ([, name, inner = '']) => ({
          name: name!,
          labels: [...by, ...[...inner.matchAll(/(\w+)(?:=|!)/g)].map(([, label]) => label!)],
        }),
      );
    });
}

it("the alerts' metrics of the SDK are exported with the labels that they name", async () => {
  const code = await workflowCode();
  const { client } = temporal;
  const run = { taskQueue: WORKFLOW_QUEUE, args: [] as [] };
  await withWorkers(code, async () => {
    await client.workflow.start('reconcile', { ...run, workflowId: 'open' });
    await expect.poll(() => begun).toBe(true);
  });
  // A build that does something else at the same place, as a careless change of a flow would.
  const broken = code.replaceAll('startMissingWorkflows', 'undoLostWorkflows');
  const misfit =
    /^temporal_workflow_task_execution_failed\{.*failure_reason="NonDeterminismError"/m;
  await withWorkers(broken, async () => {
    await expect.poll(scrape).toMatch(misfit);
  });
  const lines = (await scrape()).split('\n');
  const asked = await askedOfTheSdk();
  expect(asked.length).toBeGreaterThan(4);
  const missing = asked.filter(
    ({ name, labels }) =>
      !lines.some(
        (line) => line.startsWith(`${name}{`) && labels.every((one) => line.includes(`${one}="`)),
      ),
  );
  expect(missing.map(({ name, labels }) => `${name}{${labels.join()}}`)).toEqual([]);
});
