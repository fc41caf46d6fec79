/** What the end of an operation adds to the metrics of its worker: once, with all its waits for a person. */
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { operationActivities } from '../../activities/operations/operations.ts';
import { importLeadsFlow } from '../../src/domain/leads/flows.ts';
import { rotateCredentialsFlow } from '../../src/domain/mailboxes/flows.ts';
import { getOperation } from '../../src/db/operations/operations.ts';
import { createOperationEnds } from '../../src/telemetry/operation-ends.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { userWith } from '../support/wallet/wallet.ts';
import { addProvisioning } from '../support/workflows/operations.ts';

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
