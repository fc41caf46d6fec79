/** What the end of an operation adds to the metrics of its worker: once, with all its waits for a person. */
import { sql } from 'kysely';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { operationActivities } from '../../activities/operations/operations.ts';
import { discoverLeadsFlow } from '../../src/domain/discovery/flows.ts';
import { importLeadsFlow } from '../../src/domain/leads/flows.ts';
import { rotateCredentialsFlow } from '../../src/domain/mailboxes/flows.ts';
import { getOperation, insertOperationEvent } from '../../src/db/operations/operations.ts';
import { createOperationEnds } from '../../src/telemetry/operation-ends.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { userWith } from '../support/wallet/wallet.ts';
import { addOperation, addProvisioning } from '../support/workflows/operations.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());

/** Activities of a worker of its own, and its metrics. */
function worker() {
  const registry = new Registry();
  const operationEnds = createOperationEnds();
  operationEnds.register(registry);
  const logger = pino({ level: 'silent' });
  const { db } = database;
  const startOperation = async () => true;
  const config = { ACCOUNT_RUNNING_JOBS: 10 };
  const valueOf = async (series: string) => {
    const line = (await registry.metrics()).split('\n').find((one) => one.startsWith(series));
    return line === undefined ? undefined : Number(line.slice(series.length));
  };
  return {
    activities: operationActivities({ db, config, logger, startOperation, operationEnds }),
    valueOf,
  };
}

const PROVISION = 'workflow_type="provisionCluster"';

it('begins every series at 0 and has none of what is not promised', async () => {
  const { valueOf } = worker();
  expect(await valueOf(`outreach_operations_finished_total{${PROVISION},outcome="failed"}`)).toBe(
    0,
  );
  expect(await valueOf(`outreach_operation_duration_seconds_count{${PROVISION}}`)).toBe(0);
  const { kind } = importLeadsFlow;
  const importing = `outreach_slo_operations_total{workflow_type="${kind}"`;
  expect(await valueOf(`${importing},slo="success",result="bad"}`)).toBe(0);
  expect(await valueOf(`${importing},slo="time_blocked",result="bad"}`)).toBeUndefined();
  const objective = `outreach_slo_objective{workflow_type="${rotateCredentialsFlow.kind}"`;
  expect(await valueOf(`${objective},slo="time_blocked"}`)).toBe(0.95);
});

it('counts all waits for a person, and an end once', async () => {
  const { db } = database;
  const userId = await userWith(db);
  const { id: operationId } = await addProvisioning(db, userId);
  const { activities, valueOf } = worker();
  const blocked = {
    step: 'server_create',
    token: 'token',
    actions: ['retry' as const],
    error: { type: 'ProviderAuth', code: 'PROVIDER_AUTH', message: 'refused', hint: '' },
  };
  const block = (number: number) =>
    activities.recordBlocked({ operationId, number, steps: [], isUndo: false, blocked });
  const blockedSince = (seconds: number) =>
    db
      .updateTable('operations')
      .set({ blocked_at: new Date(Date.now() - seconds * 1_000) })
      .where('id', '=', operationId)
      .execute();
  await block(1);
  await blockedSince(400);
  const running = { operationId, state: 'running' as const, step: 'server_create', steps: [] };
  await activities.recordProgress({ ...running, number: 2 });
  expect((await getOperation(db, operationId)).blocked_seconds).toBeCloseTo(400, -1);
  // A late repeat of an earlier write adds nothing.
  await block(1);
  expect((await getOperation(db, operationId)).blocked_at).toBeNull();
  await block(3);
  await blockedSince(300);
  const end = { operationId, outcome: 'succeeded' as const, steps: [] };
  await activities.finishOperation(end);
  await activities.finishOperation(end);

  expect(
    await valueOf(`outreach_operations_finished_total{${PROVISION},outcome="succeeded"}`),
  ).toBe(1);
  const waited = await valueOf(`outreach_operation_blocked_seconds_total{${PROVISION}}`);
  expect(waited).toBeGreaterThanOrEqual(700);
  expect(waited).toBeLessThan(760);
  const kept = (slo: string, result: string) =>
    valueOf(`outreach_slo_operations_total{${PROVISION},slo="${slo}",result="${result}"}`);
  expect([await kept('success', 'bad'), await kept('success', 'good')]).toEqual([0, 1]);
  expect([await kept('time_blocked', 'bad'), await kept('time_blocked', 'good')]).toEqual([1, 0]);
  expect([await kept('time_to_done', 'bad'), await kept('time_to_done', 'good')]).toEqual([0, 1]);
  expect(await valueOf(`outreach_operation_duration_seconds_count{${PROVISION}}`)).toBe(1);
});

/** Sets the time of an operation's order and start, or of the last line of its log. */
async function ago(hours: number, what: { operation: number } | { lastEventOf: number }) {
  const at = new Date(Date.now() - hours * 3_600_000);
  if ('operation' in what) {
    await sql`update operations set created_at = ${at}, started_at = ${at}
      where id = ${what.operation}`.execute(database.db);
  } else {
    await sql`update operation_events set at = ${at} where id =
      (select max(id) from operation_events where operation_id = ${what.lastEventOf})`.execute(
      database.db,
    );
  }
}

let discoveries = 0;

it.each([
  [
    'its client',
    'user:ann',
    [
      ['pause', 5.5],
      ['resume', 1],
    ],
    'good',
  ],
  [
    'its client, twice',
    'user:ann',
    [
      ['pause', 5.5],
      ['resume', 4],
      ['pause', 3],
      ['resume', 1.5],
    ],
    'good',
  ],
  [
    'its client, before it began',
    'user:ann',
    [
      ['pause', 9],
      ['resume', 5.9],
    ],
    'bad',
  ],
  [
    'an operator',
    'operator:bo',
    [
      ['pause', 5.5],
      ['resume', 1],
    ],
    'bad',
  ],
] as const)(
  'judges the time of a job that was paused by %s',
  async (_who, actor, requests, result) => {
    const { db } = database;
    const userId = await userWith(db);
    discoveries += 1;
    const { id: operationId } = await addOperation(db, discoverLeadsFlow, {
      userId,
      workflowId: `discovery/${discoveries}`,
      resourceId: 9_000 + discoveries,
    });
    await ago(6, { operation: operationId });
    for (const [request, hours] of requests) {
      const kind = `${request}_requested` as const;
      await insertOperationEvent(db, { operationId, kind, step: null, actor, reason: 'wanted' });
      await ago(hours, { lastEventOf: operationId });
    }
    const { activities, valueOf } = worker();
    await activities.finishOperation({ operationId, outcome: 'succeeded', steps: [] });
    const kept = `outreach_slo_operations_total{workflow_type="discoverLeads",slo="time_to_done"`;
    const good = await valueOf(`${kept},result="good"}`);
    const bad = await valueOf(`${kept},result="bad"}`);
    expect({ good, bad }).toEqual(result === 'good' ? { good: 1, bad: 0 } : { good: 0, bad: 1 });
  },
);

it('takes no wait for the owner of a domain, who sets its records by hand, for a delay of ours', async () => {
  const { db } = database;
  const userId = await userWith(db);
  const timesOf = async (manualDns: boolean) => {
    const { id: operationId } = await addProvisioning(db, userId, {
      workflowId: `cluster/${manualDns ? 8 : 9}/1`,
      input: { manualDns },
    });
    await ago(40, { operation: operationId });
    const { activities, valueOf } = worker();
    await activities.finishOperation({ operationId, outcome: 'succeeded', steps: [] });
    const kept = (slo: string, result: string) =>
      valueOf(`outreach_slo_operations_total{${PROVISION},slo="${slo}",result="${result}"}`);
    return [
      await kept('success', 'good'),
      await kept('time_to_done', 'good'),
      await kept('time_to_done', 'bad'),
      await valueOf(`outreach_operation_duration_seconds_count{${PROVISION}}`),
    ];
  };
  expect(await timesOf(true)).toEqual([1, 0, 0, 0]);
  expect(await timesOf(false)).toEqual([1, 0, 1, 1]);
});
