/** What the rows of operations say while a step waits for a person. */
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { operationActivities } from '../../activities/operations/operations.ts';
import { findOperationReport } from '../../src/db/operations/operator-views.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { userWith } from '../support/wallet/wallet.ts';
import { addProvisioning } from '../support/workflows/operations.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());

it.each([
  { isUndo: false, state: 'blocked', message: 'Renting the server: waiting for an operator' },
  {
    isUndo: true,
    state: 'compensating',
    message: 'Renting the server: undoing waits for an operator',
  },
])('a blocked step with isUndo $isUndo says what waits, and who refused', async (expected) => {
  const { db } = database;
  const { isUndo, state, message } = expected;
  const userId = await userWith(db);
  const { id: operationId } = await addProvisioning(db, userId, {
    workflowId: `cluster/${userId}`,
  });
  const logger = pino({ level: 'silent' });
  const activities = operationActivities({
    db,
    config: { ACCOUNT_RUNNING_JOBS: 10 },
    logger,
    startOperation: async () => true,
  });
  await activities.recordBlocked({
    operationId,
    number: 1,
    steps: [],
    isUndo,
    blocked: {
      step: 'server_create',
      token: 'token',
      actions: ['retry'],
      error: {
        type: 'ProviderAuth',
        code: 'PROVIDER_AUTH',
        message: 'refused',
        hint: '',
        vendors: ['hetzner', 'vultr'],
      },
    },
  });
  const report = await findOperationReport(db, operationId);
  expect(report).toMatchObject({ state, message, vendors: ['hetzner', 'vultr'] });
});

async function recorder() {
  const { db } = database;
  const userId = await userWith(db);
  const { id: operationId } = await addProvisioning(db, userId, {
    workflowId: `cluster/${userId}`,
  });
  const activities = operationActivities({
    db,
    config: { ACCOUNT_RUNNING_JOBS: 10 },
    logger: pino({ level: 'silent' }),
    startOperation: async () => true,
  });
  const steps: never[] = [];
  return {
    report: () => findOperationReport(db, operationId),
    startsOver: () => activities.startOver({ operationId, undoOnly: false }),
    runs: (run: string, number: number, step: string) =>
      activities.recordProgress({ operationId, run, number, state: 'running', step, steps }),
    undoes: (run: string, number: number, cause: string) =>
      activities.recordProgress({
        operationId,
        run,
        number,
        state: 'compensating',
        step: 'dns_setup',
        steps,
        cause,
      }),
    blocks: (run: string, number: number, step: string) =>
      activities.recordBlocked({
        operationId,
        run,
        number,
        steps,
        isUndo: false,
        blocked: {
          step,
          token: 'token',
          actions: ['retry'],
          error: { type: 'ProviderAuth', code: 'PROVIDER_AUTH', message: 'refused', hint: '' },
        },
      }),
  };
}

it('a run that was replaced by another one overwrites nothing any more', async () => {
  const row = await recorder();
  await row.runs('first', 9, 'verify');
  await row.runs('reset', 5, 'dns_setup');
  await row.runs('first', 10, 'verify');
  expect(await row.report()).toMatchObject({ step: 'dns_setup' });
  await row.runs('again', 3, 'server_create');
  await row.runs('first', 11, 'verify');
  await row.runs('reset', 12, 'verify');
  expect(await row.report()).toMatchObject({ step: 'server_create' });
  await row.runs('again', 2, 'verify');
  expect(await row.report()).toMatchObject({ step: 'server_create' });
  await row.runs('again', 4, 'ptr_setup');
  expect(await row.report()).toMatchObject({ step: 'ptr_setup' });
});

it('a replaced run that starts over from its rows is heard again', async () => {
  const row = await recorder();
  await row.runs('first', 9, 'verify');
  await row.runs('reset', 5, 'dns_setup');
  await row.startsOver();
  await row.runs('first', 1, 'server_create');
  expect(await row.report()).toMatchObject({ step: 'server_create' });
});

it('a run that was reset to an earlier point is heard, though it numbers its writes anew', async () => {
  const row = await recorder();
  await row.blocks('first', 9, 'verify');
  await row.runs('reset', 5, 'dns_setup');
  expect(await row.report()).toMatchObject({
    state: 'running',
    step: 'dns_setup',
    blockedAt: null,
    errorMessage: null,
  });
  await row.blocks('reset', 6, 'dns_setup');
  expect(await row.report()).toMatchObject({ state: 'blocked', step: 'dns_setup' });
  // Of one and the same run a late write is still dropped.
  await row.runs('reset', 5, 'server_create');
  expect(await row.report()).toMatchObject({ state: 'blocked', step: 'dns_setup' });
});

it('why an operation is undone is in its log from the first undo on, once', async () => {
  const row = await recorder();
  await row.runs('first', 1, 'dns_setup');
  for (const _attempt of [1, 2]) await row.undoes('first', 2, 'the provider says auth');
  const { log } = (await row.report())!;
  expect(log.filter(({ kind }) => kind === 'given_up')).toMatchObject([
    { step: 'dns_setup', actor: 'system', reason: 'the provider says auth' },
  ]);
});
