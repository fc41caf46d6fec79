/** A new attempt on a failed cluster: which domain, which server, and what is held. Choice 14. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { findUserDomain } from '../../src/db/domains/domains.ts';
import { getCluster, updateCluster } from '../../src/db/clusters/clusters.ts';
import { findWallet } from '../../src/db/wallet/wallets.ts';
import { clusterRoutes } from '../../src/routes/clusters/clusters.ts';
import {
  createCluster,
  createClusterOnDomain,
  retryCluster,
} from '../../src/services/clusters/clusters.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { addServer } from '../support/provisioning/servers.ts';
import { userWith } from '../support/wallet/wallet.ts';
import { untilWaiting } from '../support/database/lock-waiters.ts';

let database: TestDatabase;
let api: TestApi;
let context: Context;
let userId: string;
let domain: string;

beforeAll(async () => {
  database = await createTestDatabase();
  const stubs = { startOperation: async () => false } as unknown as Partial<Context>;
  api = await startTestApi({ database, context: stubs });
  context = api.context;
});
afterAll(async () => {
  await api.close();
  await database.close();
});
beforeEach(async () => {
  userId = await userWith(database.db, 50_000);
  domain = `${userId}.com`;
});

const boughtDomain = async (name: string): Promise<number> => {
  const row = { user_id: userId, name, provider: 'namecom', status: 'active' } as const;
  const { id } = await database.db
    .insertInto('domains')
    .values(row)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
};

const activeServer = async (name: string): Promise<number> => {
  const id = await addServer(database.db, {
    user_id: userId,
    intent_name: `${userId}-${name}`,
    host_name: `mail.${name}`,
    status: 'active',
    ipv4: '198.18.0.1',
  });
  // A server is shared once a cluster of its own is up.
  const { id: clusterId } = await createClusterOnDomain(context, userId, {
    domain: await boughtDomain(name).then(() => name),
    useExistingVps: false,
  });
  await updateCluster(database.db, clusterId, { status: 'active', server_id: id });
  return id;
};

const fail = (clusterId: number) => updateCluster(database.db, clusterId, { status: 'failed' });

describe('a new attempt on a failed cluster', () => {
  it('is refused with DOMAIN_IN_USE where another cluster’s attempt came first, at once', async () => {
    await boughtDomain(domain);
    const ids: number[] = [];
    for (let n = 0; n < 3; n += 1) {
      const order = { domain, useExistingVps: false };
      const { id } = await createClusterOnDomain(context, userId, order);
      await fail(id);
      ids.push(id);
    }
    // Nobody gets to the end before all have begun: each has to take its hold from this row.
    const outcomes = await database.db.transaction().execute(async (trx) => {
      await trx
        .selectFrom('wallets')
        .selectAll()
        .where('user_id', '=', userId)
        .forUpdate()
        .execute();
      const begun = ids.map((id) =>
        retryCluster(context, userId, id).then(
          () => 'retried',
          (error: { code?: string }) => error.code,
        ),
      );
      await untilWaiting(database.db, ids.length);
      return begun;
    });
    const ends = (await Promise.all(outcomes)).map(String);
    expect(ends.toSorted((a, b) => a.localeCompare(b))).toEqual([
      'DOMAIN_IN_USE',
      'DOMAIN_IN_USE',
      'retried',
    ]);
  });

  it.each([
    ['stays with the alternate that has sold it to us after all', async () => ({}), 'porkbun'],
    ['asks the first one where the alternate has not', async () => null, 'namecom'],
    [
      'asks the first one where the alternate does not answer',
      async () => Promise.reject(new ProviderError('unavailable', 'down', { provider: 'porkbun' })),
      'namecom',
    ],
  ])('%s', async (_, find, provider) => {
    const { id } = await createCluster(context, userId, { domain, useExistingVps: false });
    await fail(id);
    const { domain_id: former } = await getCluster(database.db, id);
    await database.db
      .updateTable('domains')
      .set({ provider: 'porkbun', status: 'failed' })
      .where('id', '=', former)
      .execute();
    const registrars = { porkbun: { find } } as unknown as Context['registrars'];
    await retryCluster({ ...context, registrars }, userId, id);
    const { domain_id: again } = await getCluster(database.db, id);
    expect(await findUserDomain(database.db, userId, again)).toMatchObject({ provider });
  });

  it('stays on the server that it was ordered for', async () => {
    const servers = [await activeServer(`one-${domain}`), await activeServer(`two-${domain}`)];
    await boughtDomain(domain);
    const order = { domain, useExistingVps: true, serverId: servers[1] };
    const { id } = await createClusterOnDomain(context, userId, order);
    await fail(id);
    expect((await retryCluster(context, userId, id)).server_id).toBe(servers[1]);
  });

  it('takes another server where the earlier one is gone', async () => {
    const servers = [await activeServer(`one-${domain}`), await activeServer(`two-${domain}`)];
    await boughtDomain(domain);
    const order = { domain, useExistingVps: true, serverId: servers[1] };
    const { id } = await createClusterOnDomain(context, userId, order);
    await fail(id);
    await database.db
      .updateTable('servers')
      .set({ status: 'deleted' })
      .where('id', '=', servers[1]!)
      .execute();
    expect((await retryCluster(context, userId, id)).server_id).toBe(servers[0]);
  });

  it('uses the name that the user bought meanwhile, and holds $25.00 only', async () => {
    const { id } = await createCluster(context, userId, { domain, useExistingVps: false });
    const { domain_id } = await getCluster(database.db, id);
    await fail(id);
    await database.db
      .updateTable('domains')
      .set({ status: 'failed' })
      .where('id', '=', domain_id)
      .execute();
    const before = await findWallet(database.db, userId);
    const bought = await boughtDomain(domain);
    await retryCluster(context, userId, id);
    expect((await getCluster(database.db, id)).domain_id).toBe(bought);
    const after = await findWallet(database.db, userId);
    expect(after.heldCents - before.heldCents).toBe(2_500);
    const operation = await database.db
      .selectFrom('operations')
      .select('input')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    expect(operation.input).toMatchObject({ domainId: bought, buyDomain: false });
  });

  it('does not take the name from somebody else', async () => {
    const { id } = await createCluster(context, userId, { domain, useExistingVps: false });
    const { domain_id } = await getCluster(database.db, id);
    await fail(id);
    await database.db
      .updateTable('domains')
      .set({ status: 'failed' })
      .where('id', '=', domain_id)
      .execute();
    const owner = userId;
    userId = await userWith(database.db);
    const foreign = await boughtDomain(domain);
    await expect(retryCluster(context, owner, id)).rejects.toMatchObject({
      code: 'DOMAIN_UNAVAILABLE',
    });
    expect(await findUserDomain(database.db, owner, foreign)).toBeUndefined();
  });
});

describe('the log line of a request about a cluster', () => {
  it.each(['retry', 'cancel'] as const)('names the workflow: %s', async (verb) => {
    const { id, workflow_id, run_key } = await createCluster(context, userId, {
      domain,
      useExistingVps: false,
    });
    if (verb === 'cancel') await fail(id);
    const notes: string[] = [];
    const route = clusterRoutes(context).find(({ path }) => path === `/v1/clusters/:id/${verb}`)!;
    await route.handler({
      user: { userId },
      params: { id },
      noteWorkflow: (note: string) => notes.push(note),
    } as never);
    expect(run_key).toMatch(/^[0-9a-f]{16}$/);
    expect(notes).toEqual([`${workflow_id}/${run_key}`]);
  });
});

describe('the name of a cluster', () => {
  it('is its domain, of a long one the first 100 characters', async () => {
    const token = await api.jwt(userId);
    const nameOf = async (name: string) => {
      const made = await api.call('POST', '/v1/clusters/create', { token, body: { domain: name } });
      return (await getCluster(database.db, made.body.data.id)).name;
    };
    const long = `${'a'.repeat(60)}.${'b'.repeat(60)}.com`;
    expect(await nameOf(long)).toBe(long.slice(0, 100));
    expect(await nameOf(domain)).toBe(domain);
  });
});

describe('the address of a cluster', () => {
  it('is null in the answer of its creation, and shown afterwards', async () => {
    await activeServer(`one-${domain}`);
    await boughtDomain(domain);
    const token = await api.jwt(userId);
    const body = { domain, useExistingVps: true };
    const made = await api.call('POST', '/v1/clusters/create-with-existing-domain', {
      token,
      body,
    });
    expect([made.status, made.body.data.ipAddress]).toEqual([201, null]);
    const read = await api.call('GET', `/v1/clusters/${made.body.data.id}`, { token });
    expect(read.body.data.ipAddress).toBe('198.18.0.1');
  });
});
