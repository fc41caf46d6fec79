/** Builds of the workers beside each other: who ends what the other has begun. docs/deployment.md. */
import { fileURLToPath } from 'node:url';
import type { WorkflowHandle } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { bundleWorkflowCode, DefaultLogger, type Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../src/config.ts';
import { WORKFLOW_QUEUE } from '../src/domain/operations/queues.ts';
import { deploymentOf, workersOf } from '../src/temporal/temporal-workers.ts';
import { startTemporal } from './support/workflows/temporal.ts';
import { quietRuntime } from './support/workflows/workflow-code.ts';
import type { errand, watch } from './support/workflows/build-workflows.ts';

const NAMESPACE = 'default';
const DEPLOYMENT = 'outreach';

let temporal: TestWorkflowEnvironment;
let code: string;
const running: { workers: Worker[]; ended: Promise<unknown> }[] = [];
/** Which builds ran the steps of a run, in order. */
const steps = new Map<string, string[]>();

beforeAll(async () => {
  quietRuntime();
  temporal = await startTemporal();
  const workflowsPath = fileURLToPath(
    new URL('./support/workflows/build-workflows.ts', import.meta.url),
  );
  ({ code } = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') }));
  await startBuild('first');
  await startBuild('next');
}, 120_000);
afterAll(async () => {
  for (const { workers } of running) for (const worker of workers) worker.shutdown();
  await Promise.all(running.map(({ ended }) => ended));
  await temporal?.teardown();
});

async function startBuild(buildId: string): Promise<void> {
  const server = {
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: NAMESPACE,
    TEMPORAL_TLS: false,
  };
  const note = async (name: string) => {
    steps.set(name, [...(steps.get(name) ?? []), buildId]);
    return buildId;
  };
  const workers = await workersOf(server, {
    workflows: { workflowBundle: { code } },
    activities: { note },
    roles: ['workflows'],
    build: deploymentOf({ WORKER_BUILD_ID: buildId, WORKER_DEPLOYMENT_NAME: DEPLOYMENT }),
  });
  running.push({ workers, ended: Promise.all(workers.map((worker) => worker.run())) });
}

/** Repeated until the server has heard of the build's workers. */
async function makeCurrent(buildId: string): Promise<void> {
  const { workflowService } = temporal.client;
  const request = { namespace: NAMESPACE, deploymentName: DEPLOYMENT, buildId };
  await expect
    .poll(
      () =>
        workflowService
          .setWorkerDeploymentCurrentVersion(request)
          .then(() => 'set')
          .catch((error: Error) => error.message),
      { timeout: 30_000, interval: 500 },
    )
    .toBe('set');
}

const start = (flow: 'errand' | 'watch', name: string) =>
  temporal.client.workflow.start<typeof errand | typeof watch>(flow, {
    workflowId: name,
    taskQueue: WORKFLOW_QUEUE,
    args: [name],
  });

const stepsOf = (name: string) => steps.get(name) ?? [];

async function untilStep(name: string, count: number): Promise<void> {
  await expect.poll(() => stepsOf(name).length, { timeout: 30_000 }).toBe(count);
}

const goOn = (run: WorkflowHandle) =>
  temporal.client.workflow.getHandle(run.workflowId).signal('goOn');

describe('a build of the workers', () => {
  it('ends what it has begun, and those without an end move on to the next build', async () => {
    await makeCurrent('first');
    const finite = await start('errand', 'errand-1');
    const endless = await start('watch', 'watch-1');
    await untilStep('errand-1', 1);
    await untilStep('watch-1', 1);
    await makeCurrent('next');
    const later = await start('errand', 'errand-2');
    await untilStep('errand-2', 1);
    expect(stepsOf('errand-2')).toEqual(['next']);
    for (const step of [2, 3]) {
      await goOn(finite);
      await goOn(endless);
      if (step === 2) await untilStep('errand-1', 2);
      await untilStep('watch-1', step);
    }
    await goOn(finite);
    expect(await finite.result()).toEqual(['first', 'first', 'first']);
    expect(stepsOf('watch-1')).toEqual(['first', 'next', 'next']);

    // Taken back: its runs end on it, new ones begin on the build of before.
    await makeCurrent('first');
    const back = await start('errand', 'errand-3');
    await untilStep('errand-3', 1);
    for (const run of [later, later, later, back, back, back]) await goOn(run);
    expect(await later.result()).toEqual(['next', 'next', 'next']);
    expect(await back.result()).toEqual(['first', 'first', 'first']);
    await temporal.client.workflow.getHandle('watch-1').terminate();
  }, 120_000);

  it('is named by a setting, without which nothing is versioned', () => {
    const config = (environment: Record<string, string>) =>
      readConfig({
        OUTREACH_ENV: 'development',
        DATABASE_URL: 'postgres://127.0.0.1/none',
        JWT_SECRET: 'development-secret-of-the-tests-0123456789',
        ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
        ...environment,
      });
    expect(deploymentOf(config({}))).toBeUndefined();
    expect(deploymentOf(config({ WORKER_BUILD_ID: '0.2.0+4f1c' }))).toEqual({
      version: { deploymentName: 'outreach', buildId: '0.2.0+4f1c' },
      useWorkerVersioning: true,
      defaultVersioningBehavior: 'PINNED',
    });
    expect(() => config({ WORKER_BUILD_ID: 'a b' })).toThrow(
      'WORKER_BUILD_ID: takes letters, digits and . _ + -',
    );
  });
});
