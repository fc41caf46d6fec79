/**
 * What a registrar's stand-in counts while many workflows want something of it at once.
 * docs/workflow-rules.md#workers-and-queues.
 */
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import type { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createActivities } from '../activities/index.ts';
import type { Context } from '../src/context.ts';
import { createDataConverter } from '../src/temporal/payload-codec.ts';
import { buyDomain } from '../src/services/domains/domains.ts';
import { workersOf } from '../src/temporal/temporal-workers.ts';
import { createTestDatabase, type TestDatabase } from './support/database/database.ts';
import { createSandboxContext, fund } from './support/provisioning/provisioning-world.ts';
import { startTestSandbox, type TestSandbox } from './support/vendors/sandbox.ts';
import { startTemporal } from './support/workflows/temporal.ts';
import { workflowCode } from './support/workflows/workflow-code.ts';

const PURCHASES = 24;
/** What a busy machine does late evens out within so long. */
const SECONDS = 2;

let database: TestDatabase;
let sandbox: TestSandbox;
let temporal: TestWorkflowEnvironment;
let context: Context & { close(): Promise<void> };
let workers: Worker[] = [];
let running: Promise<unknown> = Promise.resolve();

beforeAll(async () => {
  [database, sandbox, temporal] = await Promise.all([
    createTestDatabase(),
    // The vendor's real limit: nothing here is quicker than it is there.
    startTestSandbox({ pace: 1 }),
    startTemporal(),
  ]);
  context = createSandboxContext(database, sandbox, temporal.address, {
    environment: { TEMPORAL_NAMESPACE: temporal.namespace ?? 'default' },
  });
  workers = await workersOf(context.config, {
    workflows: { workflowBundle: { code: await workflowCode() } },
    activities: createActivities(context),
    vendors: { namecom: limitOfNamecom() },
    dataConverter: createDataConverter(context.config),
  });
  running = Promise.all(workers.map((worker) => worker.run()));
}, 120_000);
afterAll(async () => {
  for (const worker of workers) worker.shutdown();
  await running;
  await context?.close();
  await temporal?.teardown();
  await sandbox?.remove();
  await database?.close();
});

function limitOfNamecom() {
  const { namecom } = context.config.vendors.registrars;
  if (namecom?.state !== 'on' || !namecom.limit) throw new Error('Name.com declares no limit');
  return namecom.limit;
}

/** Requests that ask the registrar from within the API are no workflow's: this one is answered here. */
const withoutQuote = (): Context => ({
  ...context,
  registrars: {
    namecom: {
      ...context.registrars['namecom']!,
      quote: async () => ({
        available: true,
        premium: false,
        priceCents: 1_299,
        renewalCents: 1_799,
        termYears: 1,
      }),
    },
  },
});

const askedAt = async (): Promise<number[]> => {
  const { body } = await sandbox.control('GET', '/requests?vendor=namecom');
  const { requests } = body as { requests: { at: string }[] };
  return requests.map(({ at }) => Date.parse(at)).toSorted((x, y) => x - y);
};

describe('many purchases at once', () => {
  it('ask the registrar no more often than it takes', async () => {
    await fund(context, 'hasty', 100_000);
    const names = Array.from({ length: PURCHASES }, (_, index) => `hasty-${index}.com`);
    await Promise.all(names.map((domain) => buyDomain(withoutQuote(), 'hasty', { domain })));
    const bought = async () =>
      (await sandbox.control('GET', '/books')).body.registrars.namecom.domains.length as number;
    await expect.poll(bought, { timeout: 120_000, interval: 500 }).toBe(PURCHASES);
    const at = await askedAt();
    // A look, a price and an order for each.
    expect(at.length).toBeGreaterThanOrEqual(PURCHASES * 3);
    const most = Math.max(
      ...at.map((from) => at.filter((t) => t >= from && t < from + SECONDS * 1_000).length),
    );
    expect(most).toBeLessThanOrEqual(limitOfNamecom().requestsPerSecond * SECONDS);
  }, 180_000);
});
