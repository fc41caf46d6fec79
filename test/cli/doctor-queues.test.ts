/** What `outreach doctor` says of the queues of vendors, against real servers. */
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import type { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { queueQuestions } from '../../src/services/operations/doctor/queue-questions.ts';
import { diagnose } from '../../src/services/operations/doctor/questions.ts';
import { workersOf } from '../../src/temporal/temporal-workers.ts';
import { startTemporal } from '../support/workflows/temporal.ts';

/** With its queues in one part, and in as many as Temporal makes by itself. */
let servers: { whole: TestWorkflowEnvironment; parted: TestWorkflowEnvironment };
let workers: Worker[] = [];
let running: Promise<unknown>;

beforeAll(async () => {
  servers = { whole: await startTemporal(), parted: await startTemporal(undefined, []) };
  const code = { activities: { ask: () => undefined }, roles: ['vendors'] };
  for (const { address } of Object.values(servers)) {
    const server = {
      TEMPORAL_ADDRESS: address,
      TEMPORAL_NAMESPACE: 'default',
      TEMPORAL_TLS: false,
    };
    workers.push(...(await workersOf(server, { ...code, vendors: { namecom: undefined } })));
  }
  running = Promise.all(workers.map((worker) => worker.run()));
});
afterAll(async () => {
  for (const worker of workers) worker.shutdown();
  await running;
  await servers?.whole.teardown();
  await servers?.parted.teardown();
});

/** As with these two vendors configured, of which workers know one. */
async function said({ client, address }: TestWorkflowEnvironment) {
  const context = {
    temporal: client,
    config: { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: 'default' },
    registrars: { namecom: {} },
    vps: { vultr: {} },
  } as unknown as Parameters<typeof queueQuestions>[0];
  return diagnose([queueQuestions(context)], 20_000);
}

describe("the doctor's question about the queue of a vendor", () => {
  it('is answered well by one that workers ask, in one part', async () => {
    expect(await said(servers.whole)).toMatchObject([
      { vendor: 'temporal', question: 'queue of namecom', state: 'ok' },
      { question: 'queue of vultr' },
    ]);
  });

  it('warns of one that no worker asks', async () => {
    const [, vultr] = await said(servers.whole);
    expect(vultr).toMatchObject({
      state: 'warning',
      found: expect.stringContaining('no worker has asked outreach-vendor-vultr-whole'),
      cure: expect.stringContaining('docs/deployment.md#limits-of-vendors'),
    });
  });

  it('warns of one in several parts', async () => {
    const [namecom] = await said(servers.parted);
    expect(namecom).toMatchObject({
      state: 'warning',
      found: expect.stringContaining('is in 4 parts'),
      cure: expect.stringContaining('docs/deployment.md#limits-of-vendors'),
    });
  });
});
