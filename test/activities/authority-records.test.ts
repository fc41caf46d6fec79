/** Our authority's CAA record comes and goes with a cluster; a foreign one is found before a certificate is asked for. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createActivities } from '../../activities/index.ts';
import { getCluster } from '../../src/db/clusters/clusters.ts';
import { getOperation } from '../../src/db/operations/operations.ts';
import { caaText } from '../../src/domain/domains/caa-value.ts';
import { SANDBOX_ISSUER } from '../../src/sandbox/acme.ts';
import { checkClusterHealth } from '../../src/services/clusters/cluster-health.ts';
import { checkDomainHealth } from '../../src/services/domains/domains-health.ts';
import { activeCluster } from '../support/provisioning/active-cluster.ts';
import { startOrderWorld, type OrderWorld } from '../support/provisioning/order-world.ts';
import { activityEnvironment } from '../support/workflows/activity-environment.ts';

const OURS = `0 issue "${SANDBOX_ISSUER}"`;
const THEIRS = '0 issue "digicert.com"';

let world: OrderWorld;
let clusterId: number;
let domainId: number;
beforeAll(async () => {
  world = await startOrderWorld(() => ({ DEFAULT_REGISTRAR: 'porkbun' }));
  ({ clusterId, domainId } = await activeCluster(world, 'held.com'));
}, 180_000);
afterAll(() => world?.close());

const authorities = async (name: string): Promise<string[]> =>
  (await world.context.dns.resolveCaa(name)).map(caaText);
const registrar = () => world.context.registrars['porkbun']!;
const set = (domain: string, name: string, value: string) =>
  registrar().createRecord(domain, { type: 'CAA', name, value });
const healthOf = async () => {
  const { checks } = await checkDomainHealth(world.context, 'ann', domainId);
  return checks.find(({ name }) => name === 'caa')!;
};

/** The activities of a worker with other settings. */
const under = (settings: object) => {
  const { context } = world;
  const activities = createActivities({ ...context, config: { ...context.config, ...settings } });
  const run = <T>(work: () => Promise<T>): Promise<T> => activityEnvironment().run(work);
  return {
    complete: async () => (await run(() => activities.completeDomainRecords({ domainId }))).stage,
    isDue: async () => {
      const { due } = await run(() => activities.listIncompleteDomains({ afterId: 0 }));
      return due.some((one) => one.domainId === domainId);
    },
  };
};

describe('the CAA records of a cluster', () => {
  it('stand at the names of its host, and nowhere above them', async () => {
    expect(await authorities('mail.held.com')).toEqual([OURS]);
    expect(await authorities('mta-sts.held.com')).toEqual([OURS]);
    expect(await authorities('held.com')).toEqual([]);
    expect((await healthOf()).state).toBe('ok');
  });

  it('are replaced when the authority is another one, each of them once', async () => {
    const { isDue, complete } = under({ ACME_CAA_ISSUER: 'letsencrypt.org' });
    expect(await isDue()).toBe(true);
    expect([await complete(), await isDue(), await complete()]).toEqual([
      'complete',
      false,
      'complete',
    ]);
    expect(await authorities('mail.held.com')).toEqual(['0 issue "letsencrypt.org"']);
    // The health of before: it is asked for the authority of the settings.
    expect(await healthOf()).toMatchObject({ state: 'failing' });
    expect(await under({}).complete()).toBe('complete');
    expect(await authorities('mail.held.com')).toEqual([OURS]);
  });

  it('are not put beside what the owner sets instead', async () => {
    const listed = await registrar().listRecords('held.com');
    for (const { id, type } of listed) {
      if (type === 'CAA') await registrar().deleteRecord('held.com', id);
    }
    await set('held.com', '@', THEIRS);
    const { isDue, complete } = under({ MTA_STS_MODE: 'off' });
    expect(await isDue()).toBe(true);
    // One of ours that is not listed may still appear for a while.
    const stage = await vi.waitFor(complete, { timeout: 30_000, interval: 500 });
    expect(stage).toBe('complete');
    expect(await authorities('mail.held.com')).toEqual([]);
    expect(await healthOf()).toMatchObject({
      state: 'failing',
      message: expect.stringContaining(`set CAA mail.held.com ${OURS}`),
    });
    const { parts } = await checkClusterHealth(world.context, 'ann', clusterId);
    expect(parts.dns).toMatchObject({
      state: 'failing',
      message: expect.stringContaining(`set CAA mail.held.com ${OURS}`),
    });
    // What it says is what cures it.
    await set('held.com', 'mail', OURS);
    await set('held.com', 'mta-sts', OURS);
    expect((await healthOf()).state).toBe('ok');
  });

  it('keep MTA-STS from asking for a certificate that it cannot have', async () => {
    const other = await activeCluster(world, 'closed.com');
    const mta = (await registrar().listRecords('closed.com')).find(
      ({ type, name }) => type === 'CAA' && name === 'mta-sts',
    )!;
    await registrar().updateRecord('closed.com', mta.id, { ...mta, value: THEIRS });
    const input = { domainId: other.domainId };
    const { stage } = await world.call<{ stage: string }>('advanceMtaSts', input);
    expect(['forbidden', 'published']).toContain(stage);
    expect((await world.call<{ stage: string }>('advanceMtaSts', input)).stage).toBe('forbidden');
  });

  it('go with the cluster, and the owner’s stay', async () => {
    const records = () => registrar().listRecords('held.com');
    const theirs = (await records()).filter(({ type, name }) => type === 'CAA' && name === '@');
    await world.call('withdrawClusterRecords', { clusterId, deletesServer: true });
    expect((await records()).filter(({ type }) => type === 'CAA')).toEqual(
      expect.arrayContaining(theirs),
    );
    const gone = await activeCluster(world, 'gone.com');
    expect(await authorities('mail.gone.com')).toEqual([OURS]);
    await world.call('withdrawClusterRecords', { clusterId: gone.clusterId, deletesServer: true });
    expect(await authorities('mail.gone.com')).toEqual([]);
    expect(
      (await registrar().listRecords('gone.com')).filter(({ type }) => type === 'CAA'),
    ).toEqual([]);
  });
});

describe('a foreign CAA record', () => {
  it('is found before the certificate of a new cluster is asked for, and waited for', async () => {
    const { id, domain_id, operation_id } = await world.order('foreign.com');
    const step = { operationId: operation_id!, clusterId: id, domainId: domain_id };
    const until = (name: 'registerDomain' | 'orderServer' | 'awaitServer') =>
      world.callUntilDone(name, step, ['NotReadyYet', 'ProviderUnavailable']);
    await until('registerDomain');
    await set('foreign.com', '@', THEIRS);
    await until('orderServer');
    await until('awaitServer');
    await world.call('publishRecords', { ...step, phase: 'host' });
    // Ours would have taken the place of the owner's.
    expect(await authorities('mail.foreign.com')).toEqual([]);
    const running = { state: 'running', step: 'dns_setup' } as const;
    await world.context.db
      .updateTable('operations')
      .set(running)
      .where('id', '=', operation_id)
      .execute();
    const waits = () => world.call('awaitRecords', { ...step, phase: 'host' });
    await expect(waits()).rejects.toThrow(/forbids ca\.sandbox\.test to give mail\.foreign\.com/);
    const { message } = await getOperation(world.context.db, operation_id!);
    expect(message).toBe(`Waiting until you set these DNS records: CAA mail.foreign.com ${OURS}`);
    const { body } = await world.sandbox.control('GET', '/books');
    expect(JSON.stringify(body)).not.toContain('mail.foreign.com a certificate');
    await set('foreign.com', 'mail', OURS);
    await expect(waits()).resolves.toBeUndefined();
    expect((await getCluster(world.context.db, id)).status).toBe('provisioning');
  });
});
