/** MTA-STS: the policy is served before it is announced, and announced once. */
import { readFileSync } from 'node:fs';
import { get } from 'node:https';
import { Resolver } from 'node:dns/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createActivities } from '../../activities/index.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { updateCluster } from '../../src/db/clusters/clusters.ts';
import { destroyClusterFlow, provisionClusterFlow } from '../../src/domain/clusters/flows.ts';
import { activeCluster } from '../support/provisioning/active-cluster.ts';
import { startOrderWorld, type OrderWorld } from '../support/provisioning/order-world.ts';
import { activityEnvironment } from '../support/workflows/activity-environment.ts';
import { addOperation } from '../support/workflows/operations.ts';

const NAME = 'mta-sts.strict.com';

let world: OrderWorld;
let domainId: number;
let clusterId: number;
beforeAll(async () => {
  world = await startOrderWorld(() => ({}));
  ({ domainId, clusterId } = await activeCluster(world, 'strict.com'));
}, 180_000);
afterAll(() => world?.close());

const inMode = (mode: 'off' | 'testing' | 'enforce', change: object = {}) => {
  const { context } = world;
  const activities = createActivities({
    ...context,
    ...change,
    config: { ...context.config, MTA_STS_MODE: mode },
  });
  const run = <T>(work: () => Promise<T>): Promise<T> => activityEnvironment().run(work);
  return {
    advance: async () => {
      const { stage } = await run(() => activities.advanceMtaSts({ domainId }));
      return stage;
    },
    step: () => run(() => activities.advanceMtaSts({ domainId })),
    isDue: async () => {
      const { due } = await run(() => activities.listMtaSts({ afterId: 0 }));
      return due.length > 0;
    },
  };
};

const announced = async (): Promise<string[]> => {
  const resolver = new Resolver();
  resolver.setServers([world.sandbox.dns]);
  const texts = await resolver.resolveTxt('_mta-sts.strict.com').catch(() => []);
  return texts.map((strings) => strings.join(''));
};

async function served(): Promise<string> {
  const { body } = await world.sandbox.control('GET', `/dial?host=${NAME}&port=443`);
  const ca = readFileSync(world.sandbox.caFile);
  return new Promise((resolve, reject) => {
    const path = '/.well-known/mta-sts.txt';
    const options = { host: body.host, port: body.port, path, servername: NAME, ca };
    get({ ...options, headers: { host: NAME }, agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk));
      response.on('end', () => resolve(text));
    }).on('error', reject);
  });
}

describe('the MTA-STS policy of a domain', () => {
  it('is not there where it is off', async () => {
    const { isDue, advance } = inMode('off');
    expect([await isDue(), await advance(), await announced()]).toEqual([false, 'idle', []]);
  });

  it('waits until the address of its host is seen, and tells whether that was published just now', async () => {
    const dns = { ...world.context.dns, resolveA: async () => [] };
    const { step } = inMode('testing', { dns });
    expect([await step(), await step()]).toEqual([
      { stage: 'published', isNew: true },
      { stage: 'published', isNew: false },
    ]);
    expect(await announced()).toEqual([]);
  });

  it('is not announced before the host serves it', async () => {
    const failing = async () => {
      throw new ProviderError('unavailable', 'no certificate', { provider: 'mail-host' });
    };
    const mailHost = { ...world.context.mailHost, serveMtaSts: failing };
    await expect(inMode('testing', { mailHost }).advance()).rejects.toThrow('no certificate');
    expect(await announced()).toEqual([]);
  });

  it('is not announced at a host whose program is older', async () => {
    const older = async () => {
      throw new ProviderError('rejected', 'usage', { provider: 'mail-host' });
    };
    const mailHost = { ...world.context.mailHost, serveMtaSts: older };
    expect(await inMode('testing', { mailHost }).advance()).toBe('old_host');
    expect(await announced()).toEqual([]);
  });

  it('is served with a certificate of its name, then announced; twice changes nothing', async () => {
    const { isDue, advance } = inMode('testing');
    expect(await isDue()).toBe(true);
    expect([await advance(), await advance()]).toEqual(['announced', 'announced']);
    expect(await isDue()).toBe(false);
    expect(await served()).toBe(
      'version: STSv1\r\nmode: testing\r\nmx: mail.strict.com\r\nmax_age: 86400\r\n',
    );
    expect(await announced()).toEqual([expect.stringMatching(/^v=STSv1; id=[0-9a-f]{20}$/)]);
  });

  it('gets another id with another policy, and never two', async () => {
    const before = await announced();
    const { isDue, advance } = inMode('enforce');
    expect(await isDue()).toBe(true);
    expect(await advance()).toBe('announced');
    expect(await served()).toContain('mode: enforce');
    const after = await announced();
    expect(after).toHaveLength(1);
    expect(after).not.toEqual(before);
  });

  it('is announced again by a cluster that comes after a deleted one', async () => {
    const { db } = world.context;
    const { isDue, advance } = inMode('enforce');
    expect(await isDue()).toBe(false);
    await world.call('withdrawClusterRecords', { clusterId, deletesServer: false });
    expect(await announced()).toEqual([]);
    const deletion = { userId: 'ann', workflowId: 'cluster-destroy/1', resourceId: clusterId };
    const { id: operationId } = await addOperation(db, destroyClusterFlow, deletion);
    await world.call('finishOperation', { operationId, outcome: 'succeeded', steps: [] });
    // Ordered anew, with a server of the same name.
    await updateCluster(db, clusterId, { status: 'active' });
    expect(await isDue()).toBe(true);
    expect(await advance()).toBe('announced');
    expect(await announced()).toHaveLength(1);
  });

  it('is looked at again by a new cluster, where a worker of before has kept what the former one had', async () => {
    const { db } = world.context;
    expect(await inMode('enforce').isDue()).toBe(false);
    const order = { userId: 'ann', workflowId: 'cluster/anew', resourceId: clusterId };
    const { id: operationId } = await addOperation(db, provisionClusterFlow, order);
    await world.call('finishOperation', { operationId, outcome: 'succeeded', steps: [] });
    expect(await inMode('enforce').isDue()).toBe(true);
  });
});
