/** `SHARDED_SESSIONS`: what begins while it is false has an activity for each session, and no shard. */
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import type { Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCampaignFlow } from '../src/domain/campaigns/flows.ts';
import { syncInboxFlow } from '../src/domain/inbox/flows.ts';
import { warmUpMailboxFlow } from '../src/domain/warmup/flows.ts';
import { environmentSchema } from '../src/settings/environment.ts';
import { startOperation } from '../src/temporal/start-operation.ts';
import { workersOf } from '../src/temporal/temporal-workers.ts';
import { createTestDatabase, type TestDatabase } from './support/database/database.ts';
import { fakeActivities, type Played } from './support/workflows/fake-activities.ts';
import { addOperation } from './support/workflows/operations.ts';
import { startTemporal } from './support/workflows/temporal.ts';
import { workflowCode } from './support/workflows/workflow-code.ts';
import { pace } from './support/workflows/workflow-stage.ts';

let temporal: TestWorkflowEnvironment;
let database: TestDatabase;
let workers: Worker[];
let running: Promise<unknown>;
const played = new Map<number, Played>();

beforeAll(async () => {
  [temporal, database] = await Promise.all([startTemporal(), createTestDatabase()]);
  await database.db
    .insertInto('users')
    .values({ user_id: 'ann', email: 'ann@example.test' })
    .execute();
  const server = {
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace ?? 'default',
    TEMPORAL_TLS: false,
  };
  workers = await workersOf(server, {
    workflows: { workflowBundle: { code: await workflowCode() } },
    activities: fakeActivities(played),
  });
  running = Promise.all(workers.map((worker) => worker.run()));
}, 120_000);
afterAll(async () => {
  for (const worker of workers ?? []) worker.shutdown();
  await running;
  await database?.close();
  await temporal?.teardown();
});

/** Starts it as the API does, with the setting as an operator writes it. */
async function start(
  flow: typeof runCampaignFlow | typeof syncInboxFlow | typeof warmUpMailboxFlow,
  setting: string | undefined,
): Promise<Played> {
  const { db } = database;
  const { SHARDED_SESSIONS } = environmentSchema.parse({
    DATABASE_URL: database.url,
    ENCRYPTION_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
    JWT_SECRET: 'x'.repeat(32),
    ...(setting !== undefined && { SHARDED_SESSIONS: setting }),
  });
  const resourceId = played.size + 1;
  const operation = await addOperation(db, flow, {
    userId: 'ann',
    workflowId: `${flow.kind}/${resourceId}`,
    taskQueue: flow.queue,
    resourceId,
    input: { campaignId: 5, clusterId: 5, mailboxId: 5, pace },
  });
  const one: Played = { script: {}, calls: [], records: [] };
  played.set(operation.id, one);
  const config = { SHARDED_SESSIONS, ACCOUNT_RUNNING_JOBS: 10 };
  const needs = { temporal: temporal.client, db, logger: pino({ level: 'silent' }), config };
  expect(await startOperation(needs, operation)).toBe(true);
  return one;
}

const names = ({ records }: Played) => records.map(({ name }) => name);

describe.each([
  [runCampaignFlow, 'send'],
  [syncInboxFlow, 'sync'],
  [warmUpMailboxFlow, 'warm_up'],
] as const)('$kind', (flow, session) => {
  it('begins with an activity for its session where the setting is false', async () => {
    const one = await start(flow, 'false');
    await expect.poll(() => names(one), { timeout: 30_000 }).toContain('finishOperation');
    expect(one.calls).toEqual([session]);
    expect(names(one)).not.toContain('handOverToShard');
  });

  it('is handed over to its shard where nothing is set', async () => {
    const one = await start(flow, undefined);
    await expect.poll(() => names(one), { timeout: 30_000 }).toContain('handOverToShard');
    expect(one.calls).toEqual([]);
  });
});
