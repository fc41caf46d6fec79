/** A client answers their own blocked order, with real workflows. Choice 91. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findWallet } from '../../src/db/wallet/wallets.ts';
import { createCluster } from '../../src/services/clusters/clusters.ts';
import {
  answerOperation,
  answerOperations,
  listUserOperations,
} from '../../src/services/operations/client-operations.ts';
import { awaitOperation } from '../../src/services/operations/operations.ts';
import { FLOW_ENVIRONMENT } from '../support/provisioning/flow-subjects.ts';
import {
  startProvisioningWorld,
  type ProvisioningWorld,
} from '../support/provisioning/provisioning-world.ts';

let world: ProvisioningWorld;

beforeAll(async () => {
  world = await startProvisioningWorld({ environment: FLOW_ENVIRONMENT });
}, 300_000);
afterAll(() => world?.close());

const expired = (vendor: string) =>
  world.sandbox.control('POST', '/faults', { vendor, kind: 'auth', times: 1_000 });

it('runs the step again once its cause is gone, undoes what is cancelled, and keeps the money right', async () => {
  const { context } = world;
  const userId = await world.fundedUser(20_000);
  for (const vendor of ['hetzner', 'vultr']) await expired(vendor);
  const orders = await Promise.all(
    ['stays.com', 'goes.com'].map((domain) =>
      createCluster(context, userId, { domain, useExistingVps: false }),
    ),
  );
  const page = { state: 'blocked', limit: 10, offset: 0 } as const;
  const blocked = await expect
    .poll(async () => (await listUserOperations(context, userId, page)).total, { timeout: 120_000 })
    .toBe(2)
    .then(() => listUserOperations(context, userId, page));
  expect(blocked.rows.map(({ actions }) => actions)).toEqual([
    ['retry', 'cancel'],
    ['retry', 'cancel'],
  ]);
  const idOf = (index: number) =>
    blocked.rows.find(({ resourceId }) => resourceId === orders[index]!.id)!.id;
  const [stays, goes] = [idOf(0), idOf(1)];

  // The cause is still there: it waits again. A busy workflow may not have heard when the answer comes.
  const blocks = async () => {
    const events = context.db
      .selectFrom('operation_events')
      .select('id')
      .where('kind', '=', 'blocked');
    return (await events.where('operation_id', '=', stays).execute()).length;
  };
  const before = await blocks();
  await answerOperation(context, { userId, id: stays }, 'retry');
  await expect.poll(blocks, { timeout: 120_000 }).toBe(before + 1);
  await expect
    .poll(async () => (await listUserOperations(context, userId, page)).total, { timeout: 120_000 })
    .toBe(2);

  await world.sandbox.control('DELETE', '/faults');
  const [cancelled] = await answerOperations(context, { userId, ids: [goes] }, 'cancel');
  expect(cancelled).toMatchObject({ id: goes, error: null });
  const [retried] = await answerOperations(context, { userId, ids: [stays] }, 'retry');
  expect(retried).toMatchObject({ id: stays, error: null });
  expect(await awaitOperation(context, stays, 120_000)).toMatchObject({ state: 'succeeded' });
  expect(await awaitOperation(context, goes, 120_000)).toMatchObject({
    state: 'failed',
    error_code: 'CANCELLED',
  });
  // Asked again, both stay as they are.
  expect(await answerOperation(context, { userId, id: goes }, 'cancel')).toMatchObject({
    state: 'failed',
    actions: [],
  });
  await expect(answerOperation(context, { userId, id: stays }, 'cancel')).rejects.toMatchObject({
    code: 'INVALID_STATE',
  });
  // $41.00 for the one. The vendors of servers are asked before the domain is bought: the other has cost nothing.
  expect(await findWallet(context.db, userId)).toMatchObject({
    balanceCents: 20_000 - 4_100,
  });
}, 400_000);
