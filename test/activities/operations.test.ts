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
