/** Each activity of a provisioning, called twice against Postgres and the vendors' stand-ins. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serverAccess } from '../../activities/engine/access.ts';
import { createActivities, type Activities } from '../../activities/index.ts';
import type { Context } from '../../src/context.ts';
import { getCluster } from '../../src/db/clusters/clusters.ts';
import { auditWallets } from '../../src/db/wallet/ledger-audit.ts';
import { createMailHost } from '../../src/providers/mail-hosts/debian.ts';
import { SMARTHOST } from '../../src/sandbox/smarthost.ts';
import { createCluster } from '../../src/services/clusters/clusters.ts';
import { activityEnvironment } from '../support/workflows/activity-environment.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { createSandboxContext, fund } from '../support/provisioning/provisioning-world.ts';
import { startTestSandbox, type TestSandbox } from '../support/vendors/sandbox.ts';

/** Nobody listens there: no workflow starts, the test calls the activities itself. */
const NO_TEMPORAL = '127.0.0.1:9';
const FUNDS_CENTS = 10_000;
/** What a wait may take here. */
const PATIENCE_MS = 45_000;

let database: TestDatabase;
let sandbox: TestSandbox;
let context: Context & { close(): Promise<void> };
let activities: Activities;
let step: { operationId: number; clusterId: number; domainId: number };

beforeAll(async () => {
  [database, sandbox] = await Promise.all([createTestDatabase(), startTestSandbox({ pace: 20 })]);
  context = createSandboxContext(database, sandbox, NO_TEMPORAL);
  context.startOperation = async () => false;
  activities = createActivities(context);
  await fund(context, 'ann', FUNDS_CENTS);
  step = await order('acme.com');
});

afterAll(async () => {
  await context?.close();
  await sandbox?.remove();
  await database?.close();
});

/** The row, the hold and the operation, as the API writes them. */
async function order(domain: string) {
  const { id } = await createCluster(context, 'ann', { domain, useExistingVps: false });
  const { operation_id, domain_id } = await getCluster(context.db, id);
  return { operationId: operation_id!, clusterId: id, domainId: domain_id };
}

// oxlint-disable-next-line typescript/no-explicit-any -- activities have any one argument
const call = (name: keyof Activities, input: any, list = activities): Promise<unknown> =>
  activityEnvironment().run(list[name] as (given: unknown) => Promise<unknown>, input);

/** As Temporal would: again and again while it says "not yet". */
async function untilReady(name: keyof Activities, input: object): Promise<unknown> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await call(name, input);
    } catch (error) {
      if ((error as { type?: string }).type !== 'NotReadyYet' || Date.now() > deadline) throw error;
      await sleep(50);
    }
  }
}

/** The vendors' books and our rows, without the times at which somebody looked. */
async function snapshot(): Promise<unknown> {
  const { registrars, vps } = (await sandbox.control('GET', '/books')).body;
  const tables = [
    'domains',
    'servers',
    'clusters',
    'provider_resources',
    'published_records',
    'ledger_transactions',
    'holds',
  ] as const;
  const rows = await Promise.all(
    tables.map((table) => context.db.selectFrom(table).selectAll().orderBy('id').execute()),
  );
  // Their state follows from the time since the order.
  for (const server of vps.hetzner.servers) delete server.status;
  const timeless = { ...registrars, ...vps, rows };
  const times = new Set(['updated_at', 'asked_until', 'port25_checked_at']);
  return JSON.parse(
    JSON.stringify(timeless, (key, value: unknown) => (times.has(key) ? undefined : value)),
  );
}

const availableCents = async () => {
  const { available_cents } = await context.db
    .selectFrom('wallets')
    .select('available_cents')
    .where('user_id', '=', 'ann')
    .executeTakeFirstOrThrow();
  return available_cents;
};

const FORWARD: [keyof Activities, object?][] = [
  ['confirmHold'],
  ['adoptDomain'],
  ['registerDomain'],
  ['settleRegistration'],
  ['orderServer'],
  ['settleServerOrder'],
  ['awaitServer'],
  ['publishRecords', { phase: 'host' }],
  ['awaitRecords', { phase: 'host' }],
  ['awaitFirstBoot'],
  ['installMailHost'],
  ['addMailDomain'],
  ['setReverseDns'],
  ['awaitReverseDns'],
  ['publishRecords', { phase: 'mx' }],
  ['awaitRecords', { phase: 'mx' }],
  ['probeMailHost'],
];
const BACKWARD: (keyof Activities)[] = [
  'removeMailDomain',
  'withdrawRecords',
  'destroyServer',
  'abandonDomain',
  'releaseHold',
];

describe('each activity, called a second time, changes nothing more', () => {
  it.each(FORWARD)('%s', async (name, more = {}) => {
    await untilReady(name, { ...step, ...more });
    const once = await snapshot();
    await untilReady(name, { ...step, ...more });
    expect(await snapshot()).toEqual(once);
  });

  it('has captured exactly the price by now', async () => {
    expect(await availableCents()).toBe(FUNDS_CENTS - 4_100);
    const server = await context.db.selectFrom('servers').selectAll().executeTakeFirstOrThrow();
    expect(server).toMatchObject({ status: 'active', outbound25: 'open' });
  });

  it('brings a server that is there already to the smarthost of the settings, or away', async () => {
    const { config, db, mailHost } = context;
    const isExisting = (use_existing_vps: boolean) =>
      db
        .updateTable('clusters')
        .set({ use_existing_vps })
        .where('id', '=', step.clusterId)
        .execute();
    const relaying = createMailHost({
      acmeDirectoryUrl: config.ACME_DIRECTORY_URL,
      smarthost: SMARTHOST,
      tools: { timeoutMs: 15_000, outboundProxy: config.OUTBOUND_PROXY },
    });
    const server = await db.selectFrom('servers').selectAll().executeTakeFirstOrThrow();
    const way = async () => (await mailHost.status(serverAccess(context, server))).smarthost;
    await isExisting(true);
    await call('installMailHost', step, createActivities({ ...context, mailHost: relaying }));
    expect(await way()).toMatchObject({ host: SMARTHOST.host });
    await call('installMailHost', step);
    expect(await way()).toBeNull();
    await isExisting(false);
  });

  it.each(BACKWARD)('%s, the undo', async (name) => {
    await untilReady(name, step);
    const once = await snapshot();
    await untilReady(name, step);
    expect(await snapshot()).toEqual(once);
  });

  it('has given the server back and kept the domain', async () => {
    const { namecom, hetzner } = (await snapshot()) as {
      namecom: { records: object[]; domains: object[]; orders: object[] };
      hetzner: { servers: { deletedAt: string | null }[]; sshKeys: object[] };
    };
    expect(namecom.records).toEqual([]);
    expect([namecom.domains.length, namecom.orders.length]).toEqual([1, 1]);
    expect(hetzner.servers.every(({ deletedAt }) => deletedAt !== null)).toBe(true);
    expect(hetzner.sshKeys).toEqual([]);
    expect(await availableCents()).toBe(FUNDS_CENTS - 1_600);
    expect(await auditWallets(context.db)).toEqual([]);
  });

  it('finishOperation frees what is held and ends the row once', async () => {
    const error = { code: 'CANCELLED', message: 'Cancelled by ann' };
    const end = { operationId: step.operationId, number: 99, outcome: 'failed', steps: [], error };
    await call('finishOperation', end);
    const once = await snapshot();
    await call('finishOperation', { ...end, outcome: 'succeeded' });
    expect(await snapshot()).toEqual(once);
    expect((await getCluster(context.db, step.clusterId)).status).toBe('failed');
  });
});

describe('an undo of what was never done', () => {
  it.each(BACKWARD)('%s does nothing', async (name) => {
    const other = await order(`never-${name.toLowerCase()}.com`);
    await untilReady(name, other);
    const { hetzner } = (await snapshot()) as { hetzner: { servers: object[] } };
    expect(hetzner.servers).toHaveLength(1);
    await untilReady('abandonDomain', other);
    await untilReady('releaseHold', other);
    expect(await availableCents()).toBe(FUNDS_CENTS - 1_600);
  });
});

describe('a purchase without an answer', () => {
  /** Waits less for the answer that never comes. */
  let hasty: Context & { close(): Promise<void> };

  beforeAll(() => {
    const environment = { PROVIDER_TIMEOUT_SECONDS: '6' };
    hasty = createSandboxContext(database, sandbox, NO_TEMPORAL, { environment });
  });

  afterAll(() => hasty.close());

  const register = (input: typeof step) => call('registerDomain', input, createActivities(hasty));

  it('is found by a look, and bought once', async () => {
    const lost = await order('lost-answer-acme.com');
    await expect(register(lost)).rejects.toMatchObject({
      type: 'OutcomeUnknown',
      nonRetryable: true,
    });
    await untilReady('settleRegistration', lost);
    expect(await call('adoptDomain', lost)).toEqual({ bought: true });
    await call('registerDomain', lost);
    await call('abandonDomain', lost);
    const { namecom } = (await snapshot()) as { namecom: { orders: { domain: string }[] } };
    const orders = namecom.orders.filter(({ domain }) => domain === 'lost-answer-acme.com');
    expect(orders).toHaveLength(1);
  });

  it('keeps "not found" from meaning "not bought" until the provider would show it', async () => {
    const lagging = createActivities({
      ...context,
      config: { ...context.config, PROVIDER_LAG_SECONDS: 3_600 },
    });
    const other = await order('lagging-acme.com');
    await sandbox.control('POST', '/faults', {
      vendor: 'namecom',
      operation: 'POST /domains',
      kind: 'timeout_before_effect',
      times: 1,
    });
    await expect(register(other)).rejects.toMatchObject({ type: 'OutcomeUnknown' });
    await sandbox.control('DELETE', '/faults');
    for (const name of ['settleRegistration', 'abandonDomain'] as const) {
      await expect(call(name, other, lagging)).rejects.toMatchObject({ type: 'NotReadyYet' });
    }
    await untilReady('abandonDomain', other);
    const row = await context.db
      .selectFrom('domains')
      .select('status')
      .where('id', '=', other.domainId)
      .executeTakeFirstOrThrow();
    expect(row.status).toBe('failed');
  });
});
