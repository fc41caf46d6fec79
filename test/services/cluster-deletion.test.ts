/** Which clusters may be deleted, and what that means for their servers. Choices 13, 14, 16. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { updateCluster } from '../../src/db/clusters/clusters.ts';
import { getServer } from '../../src/db/clusters/servers.ts';
import { deleteCluster } from '../../src/services/clusters/cluster-deletion.ts';
import { createClusterOnDomain } from '../../src/services/clusters/clusters.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { addMailboxes } from '../support/campaigns/campaign-world.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { userWith } from '../support/wallet/wallet.ts';

let database: TestDatabase;
let api: TestApi;
let context: Context;
let userId: string;
let names = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  const stubs = { startOperation: async () => false } as unknown as Partial<Context>;
  api = await startTestApi({ database, context: stubs });
  context = api.context;
});
afterAll(async () => {
  await api?.close();
  await database?.close();
});
beforeEach(async () => {
  userId = await userWith(database.db, 50_000);
});

/** An active cluster with a server of its own and a mailbox. */
async function standing(): Promise<{ id: number; serverId: number; mailboxId: number }> {
  const domain = `stands-${(names += 1)}.com`;
  const [mailboxId] = await addMailboxes(context, userId, { count: 1, domain });
  const row = await database.db
    .selectFrom('mailboxes')
    .innerJoin('clusters', 'clusters.id', 'mailboxes.cluster_id')
    .select(['clusters.id', 'clusters.server_id'])
    .where('mailboxes.id', '=', mailboxId!)
    .executeTakeFirstOrThrow();
  return { id: row.id, serverId: row.server_id!, mailboxId: mailboxId! };
}

/** Orders another cluster on a server, or on the one with the least to do. */
async function join(serverId?: number): Promise<number> {
  const name = `joins-${(names += 1)}.com`;
  const domain = { user_id: userId, name, provider: 'namecom', status: 'active' } as const;
  await database.db.insertInto('domains').values(domain).execute();
  const order = { domain: name, useExistingVps: true, serverId };
  return (await createClusterOnDomain(context, userId, order)).id;
}

const statusOf = async (serverId: number) => (await getServer(database.db, serverId)).status;
const remove = (id: number) => deleteCluster(context, userId, id);

describe('DELETE /v1/clusters/:id (choice 14)', () => {
  it('dooms the server of the last cluster, and stops its mailboxes at once', async () => {
    const { id, serverId, mailboxId } = await standing();
    const view = await remove(id);
    expect(view).toMatchObject({ status: 'deleting', workflow_id: `cluster-destroy/${id}` });
    const states = view.steps!.map(({ name, state }) => `${name} ${state}`);
    expect(states).toContain('mail_server_remove skipped');
    expect(states).toContain('server_delete pending');
    expect(await statusOf(serverId)).toBe('deleting');
    const { status } = await database.db
      .selectFrom('mailboxes')
      .select('status')
      .where('id', '=', mailboxId)
      .executeTakeFirstOrThrow();
    expect(status).toBe('deleting');
    expect((await remove(id)).workflow_id).toBe(view.workflow_id);
  });

  it('leaves a server on which another cluster is active', async () => {
    const { id, serverId } = await standing();
    const other = await join(serverId);
    await updateCluster(database.db, other, { status: 'active' });
    await remove(id);
    expect(await statusOf(serverId)).toBe('active');
    await remove(other);
    expect(await statusOf(serverId)).toBe('deleting');
  });

  it('waits for a cluster that is being set up on the server: it could be left to nobody', async () => {
    const { id, serverId } = await standing();
    const other = await join(serverId);
    await expect(remove(id)).rejects.toMatchObject({ code: 'INVALID_STATE' });
    await expect(remove(other)).rejects.toMatchObject({ code: 'INVALID_STATE' });
    await updateCluster(database.db, other, { status: 'failed' });
    await remove(other);
    expect(await statusOf(serverId)).toBe('active');
    await remove(id);
    expect(await statusOf(serverId)).toBe('deleting');
  });

  it('waits for a newer cluster on the same domain: the domain carries one at a time', async () => {
    const { serverId } = await standing();
    const former = await join(serverId);
    await updateCluster(database.db, former, { status: 'failed' });
    const domain = `joins-${names}.com`;
    const order = { domain, useExistingVps: true, serverId };
    const { id: newer } = await createClusterOnDomain(context, userId, order);
    await expect(remove(former)).rejects.toMatchObject({
      code: 'INVALID_STATE',
      message: expect.stringContaining(`cluster ${newer}`),
    });
    await updateCluster(database.db, newer, { status: 'deleted' });
    expect(await remove(former)).toMatchObject({ status: 'deleting' });
  });

  it('is listed as deleted only when asked for; a foreign one is missing', async () => {
    const { id } = await standing();
    await updateCluster(database.db, id, { status: 'deleted' });
    const token = await api.jwt(userId);
    const list = async (query: string) => {
      const { body } = await api.call('GET', `/v1/clusters${query}`, { token });
      return body.data.map((one: { id: number }) => one.id);
    };
    expect([await list(''), await list('?status=deleted')]).toEqual([[], [id]]);
    const stranger = await api.jwt(await userWith(database.db));
    const foreign = await api.call('DELETE', `/v1/clusters/${id}`, { token: stranger });
    expect([foreign.status, foreign.body.code]).toEqual([404, 'CLUSTER_NOT_FOUND']);
  });

  it('never leaves a new cluster on a server that goes, however the two meet', async () => {
    for (let n = 0; n < 12; n += 1) {
      userId = await userWith(database.db);
      const { id, serverId } = await standing();
      const outcomes = await Promise.all(
        [remove(id), join(serverId)].map((work) =>
          Promise.resolve(work).then(
            () => 'done',
            (error: { code?: string }) => error.code,
          ),
        ),
      );
      const isGoing = (await statusOf(serverId)) === 'deleting';
      expect(outcomes).toEqual(isGoing ? ['done', 'NO_EXISTING_VPS'] : ['INVALID_STATE', 'done']);
    }
  });
});

describe('a cluster on an existing server (choice 16)', () => {
  it('goes to the one with the least to do, or to the one that is named', async () => {
    const [busy, idle] = [await standing(), await standing()];
    await join(busy.serverId);
    const chosen = await join();
    const named = await join(busy.serverId);
    const rows = await database.db
      .selectFrom('clusters')
      .select('server_id')
      .where('id', 'in', [chosen, named])
      .orderBy('id')
      .execute();
    expect(rows.map(({ server_id }) => server_id)).toEqual([idle.serverId, busy.serverId]);
  });

  it.each(['serverId', 'vpsId'])('%s: a foreign one is missing', async (word) => {
    const { serverId } = await standing();
    userId = await userWith(database.db, 50_000);
    await standing();
    const token = await api.jwt(userId);
    const body = { domain: 'nobody-has-this.com', useExistingVps: true, [word]: serverId };
    const answer = await api.call('POST', '/v1/clusters/create', { token, body });
    expect([answer.status, answer.body.code]).toEqual([404, 'SERVER_NOT_FOUND']);
  });

  it('NO_EXISTING_VPS where there is none, or none of them stands', async () => {
    await expect(join()).rejects.toMatchObject({ code: 'NO_EXISTING_VPS' });
    const { id, serverId } = await standing();
    await remove(id);
    await expect(join()).rejects.toMatchObject({ code: 'NO_EXISTING_VPS' });
    await expect(join(serverId)).rejects.toMatchObject({ code: 'NO_EXISTING_VPS' });
  });
});
