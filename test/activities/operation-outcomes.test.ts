/** The end of an operation tells its client what became of the resource, once. Choice 45. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { operationActivities } from '../../activities/operations/operations.ts';
import { createMailboxFlow } from '../../src/domain/mailboxes/flows.ts';
import type { ResourceType } from '../../src/domain/operations/flows.ts';
import { startLeadProcess } from '../../src/services/discovery/lead-processes.ts';
import { createMapsRun } from '../../src/services/maps/maps-runs.ts';
import type { AdLibrary } from '../../src/providers/ad-libraries/port.ts';
import { addMailboxes } from '../support/campaigns/campaign-world.ts';
import { eventsOf } from '../support/webhooks/events.ts';
import { fakeMaps, searchOrder } from '../support/leads/maps-world.ts';
import { addOperation } from '../support/workflows/operations.ts';
import { startOrderWorld, type OrderWorld } from '../support/provisioning/order-world.ts';

let world: OrderWorld;
beforeAll(async () => {
  world = await startOrderWorld(() => ({}));
});
afterAll(() => world?.close());

/** Its operation and its id. */
type Ordered = [operationId: number, id: number];

async function operationOf(resource: ResourceType, id: number): Promise<number> {
  const { id: operationId } = await world.context.db
    .selectFrom('operations')
    .select('id')
    .where('resource_type', '=', resource)
    .where('resource_id', '=', id)
    .executeTakeFirstOrThrow();
  return operationId;
}

let orders = 0;
const ORDERS = {
  async cluster(): Promise<Ordered> {
    const { id, operation_id } = await world.order(`ending-${(orders += 1)}.com`);
    return [operation_id!, id];
  },
  async mailbox(): Promise<Ordered> {
    const { db } = world.context;
    const [id] = await addMailboxes(world.context, 'ann', { count: 1 });
    await db.updateTable('mailboxes').set({ status: 'pending' }).where('id', '=', id!).execute();
    const workflowId = createMailboxFlow.workflowId({ mailboxId: id! });
    const order = { userId: 'ann', workflowId, resourceId: id! };
    const operation = await addOperation(db, createMailboxFlow, order);
    return [operation.id, id!];
  },
  async lead_process(): Promise<Ordered> {
    const order = { searchTerm: 'bakery', leadCount: 10, adReachedCountries: ['US'] };
    const context = { ...world.context, adLibraries: { meta: {} as AdLibrary } };
    const { process } = await startLeadProcess(context, 'ann', order);
    return [await operationOf('lead_process', process.id), process.id];
  },
  async maps_run(): Promise<Ordered> {
    const order = { scrapeContacts: false, verifyEmails: false, leadListId: undefined };
    const context = { ...world.context, maps: { apify: fakeMaps('apify', []) } };
    const run = await createMapsRun(context, 'ann', { search: searchOrder(), ...order });
    return [run.operation_id!, run.id];
  },
};

const error = { code: 'PROVIDER_REJECTED', message: 'no' };

it.each([
  ['cluster', 'succeeded', 'cluster.active', { errorCode: null }],
  ['cluster', 'failed', 'cluster.failed', { errorCode: error.code }],
  ['mailbox', 'succeeded', 'mailbox.created', {}],
  ['lead_process', 'succeeded', 'lead_process.completed', { errorCode: null }],
  ['lead_process', 'failed', 'lead_process.failed', { errorCode: error.code }],
  ['maps_run', 'succeeded', 'maps_run.completed', { errorCode: null }],
  ['maps_run', 'failed', 'maps_run.failed', { errorCode: error.code }],
] as const)('of a %s that has %s is %s', async (noun, outcome, type, payload) => {
  const [operationId, id] = await ORDERS[noun]();
  const end = { operationId, outcome, steps: [], ...(outcome === 'failed' && { error }) };
  const operations = operationActivities(world.context);
  await operations.finishOperation(end);
  await operations.finishOperation(end);
  expect(await eventsOf(world.context.db, `${noun}/${id}`)).toEqual([
    { type, payload: expect.objectContaining(payload) },
  ]);
});
