/** Which activities of a run may still work once its row has ended. docs/workflow-rules.md#after-a-restore. */
import type { ActivityExecuteInput } from '@temporalio/worker';
import type { Context } from '@temporalio/activity';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { discoverLeadsFlow } from '../../src/domain/discovery/flows.ts';
import { scrapeMapsFlow } from '../../src/domain/maps/flows.ts';
import type { Flow } from '../../src/domain/operations/flows.ts';
import { workflowIdOf } from '../../src/domain/operations/run-keys.ts';
import { rowGuard } from '../../src/temporal/row-guard.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { addOperation } from '../support/workflows/operations.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  const user = { user_id: 'ann', email: 'ann@example.test' };
  await database.db
    .insertInto('users')
    .values(user as never)
    .execute();
});
afterAll(() => database?.close());

/** Whether the guard lets each of these activities of the run work. */
async function guarded(
  flow: Flow,
  activities: readonly string[],
  run?: string,
): Promise<Record<string, string>> {
  const { db } = database;
  const workflowId = `${flow.kind}/1/${activities.join()}`;
  const operation = await addOperation(db, flow, { userId: 'ann', workflowId, resourceId: 1 });
  await db
    .updateTable('operations')
    .set({ finished_at: new Date(), state: 'failed' })
    .where('id', '=', operation.id)
    .execute();
  const guard = rowGuard({ db, logger: pino({ level: 'silent' }) });
  const answers: Record<string, string> = {};
  for (const activityType of activities) {
    const info = {
      workflowType: flow.kind,
      workflowExecution: { workflowId: run ?? workflowIdOf(operation), runId: 'r' },
      activityType,
    };
    const { inbound } = guard({ info } as unknown as Context);
    const input = { args: [{ operationId: operation.id }], headers: {} };
    answers[activityType] = (await inbound!.execute!(
      input as unknown as ActivityExecuteInput,
      async () => 'works',
    ).catch((error: { type?: string }) => String(error.type))) as string;
  }
  return answers;
}

describe('the row of a run has ended', () => {
  it('what only ends the run, or what it left at a vendor, still works', async () => {
    expect(
      await guarded(scrapeMapsFlow, [
        'startMapsSearch',
        'scrapePlaces',
        'finishOperation',
        'endMapsSearch',
      ]),
    ).toEqual({
      startMapsSearch: 'RunOver',
      scrapePlaces: 'RunOver',
      finishOperation: 'works',
      endMapsSearch: 'works',
    });
    expect(await guarded(discoverLeadsFlow, ['searchAds', 'endSearches'])).toEqual({
      searchAds: 'RunOver',
      endSearches: 'works',
    });
  });

  it('nothing works where it is the row of another run', async () => {
    const activities = ['finishOperation', 'endMapsSearch'];
    expect(await guarded(scrapeMapsFlow, activities, 'another/1')).toEqual({
      finishOperation: 'RowLost',
      endMapsSearch: 'RowLost',
    });
  });
});
