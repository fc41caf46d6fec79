/** What is left on a host when the change of its login key is given up. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createActivities } from '../../activities/index.ts';
import { serverAccess } from '../../activities/engine/access.ts';
import { getCluster } from '../../src/db/clusters/clusters.ts';
import { getServer } from '../../src/db/clusters/servers.ts';
import { activeCluster } from '../support/provisioning/active-cluster.ts';
import { startOrderWorld, type OrderWorld } from '../support/provisioning/order-world.ts';
import { providerError } from '../support/vendors/provider-error.ts';
import { activityEnvironment } from '../support/workflows/activity-environment.ts';

let world: OrderWorld;
beforeAll(async () => {
  world = await startOrderWorld(() => ({}));
});
afterAll(() => world?.close());

const STEPS = ['allowServerKey', 'switchServerKey', 'withdrawServerKey'] as const;

async function changeAndGiveUp(domain: string, steps: readonly (typeof STEPS)[number][]) {
  const { context } = world;
  const { clusterId } = await activeCluster(world, domain);
  const serverId = (await getCluster(context.db, clusterId)).server_id!;
  const before = await getServer(context.db, serverId);
  const activities = createActivities(context);
  for (const step of steps) {
    await activityEnvironment().run(() => activities[step]({ operationId: 0, serverId }));
  }
  const after = await getServer(context.db, serverId);
  const status = (access: ReturnType<typeof serverAccess>) => context.mailHost.status(access);
  return { before, after, status };
}

it('keeps the old key alone, given up before the switch', async () => {
  const { before, after, status } = await changeAndGiveUp('before-switch.com', [
    'allowServerKey',
    'withdrawServerKey',
    'withdrawServerKey',
  ]);
  expect(after).toMatchObject({
    client_public_key: before.client_public_key,
    next_client_public_key: null,
    old_client_public_key: null,
  });
  expect((await status(serverAccess(world.context, after))).hostName).toBe(after.host_name);
});

it('takes the old key off the host, given up after the switch', async () => {
  const { before, after, status } = await changeAndGiveUp('after-switch.com', [
    ...STEPS,
    'withdrawServerKey',
  ]);
  expect(after.client_public_key).not.toBe(before.client_public_key);
  expect(after).toMatchObject({ next_client_public_key: null, old_client_public_key: null });
  expect((await status(serverAccess(world.context, after))).hostName).toBe(after.host_name);
  const refused = await providerError(status(serverAccess(world.context, before)));
  expect(refused.facts.providerCode).toBe('key_refused');
});
