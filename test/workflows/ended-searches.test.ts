/** A maps run that is given up ends its paid search at the vendor, with the interceptors of the product's workers. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createActivities } from '../../activities/index.ts';
import { getMapsRun, type MapsRun } from '../../src/db/maps/maps-runs.ts';
import { getOperation } from '../../src/db/operations/operations.ts';
import { workflowIdOf } from '../../src/domain/operations/run-keys.ts';
import { cancelMapsRun, createMapsRun, deleteMapsRun } from '../../src/services/maps/maps-runs.ts';
import { fakeMaps, places, searchOrder } from '../support/leads/maps-world.ts';
import {
  startProvisioningWorld,
  type ProvisioningWorld,
} from '../support/provisioning/provisioning-world.ts';
import { activityEnvironment } from '../support/workflows/activity-environment.ts';

/** Its pages never end. */
const apify = fakeMaps('apify', [places(1, 2), []]);
apify.page = async (_search, cursor) => ({
  places: [],
  cursor,
  isRunning: true,
  processedQueries: null,
  endedEarly: null,
});

let world: ProvisioningWorld;
let userId: string;
beforeAll(async () => {
  world = await startProvisioningWorld({
    outside: (context) => Object.assign(context, { maps: { apify } }),
  });
  userId = await world.fundedUser(1_000);
}, 180_000);
afterAll(() => world?.close());

const handleOf = async ({ operation_id }: MapsRun) => {
  const operation = await getOperation(world.context.db, operation_id!);
  return world.context.temporal.workflow.getHandle(workflowIdOf(operation));
};

/** A run whose search is at work at the vendor. */
async function searching(): Promise<MapsRun> {
  const order = { search: searchOrder(), scrapeContacts: false, verifyEmails: false };
  const { id } = await createMapsRun(world.context, userId, { ...order, leadListId: undefined });
  await expect
    .poll(async () => (await getMapsRun(world.context.db, id)).cursor, { timeout: 30_000 })
    .not.toBeNull();
  return getMapsRun(world.context.db, id);
}

describe('a maps run that is given up', () => {
  it.each([
    ['cancelled', cancelMapsRun],
    ['deleted', deleteMapsRun],
  ])('%s: ends its search at the vendor', async (_how, giveUp) => {
    const run = await searching();
    await giveUp(world.context, userId, run.id);
    await (await handleOf(run)).result();
    expect(apify.ended).toContain(run.cursor);
  });

  it('terminated: ends its search once its row is settled', async () => {
    const run = await searching();
    await (await handleOf(run)).terminate('tested');
    const { db } = world.context;
    await sql`update operations set workflow_seen_at = now() - interval '2 minutes'
      where id = ${run.operation_id}`.execute(db);
    const activities = createActivities(world.context);
    await activityEnvironment().run(() => activities.undoLostWorkflows());
    await (await handleOf(run)).result().catch(() => undefined);
    expect(apify.ended).toContain(run.cursor);
  });
});
