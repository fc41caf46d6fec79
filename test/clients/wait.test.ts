/** The client waits for long work as the API tells of it. */
import { beforeAll, describe, expect, it } from 'vitest';
import {
  createOutreach,
  waitForCluster,
  waitForOperation,
  WaitFailedError,
  WaitTimeoutError,
  type Cluster,
  type Outreach,
} from '../../clients/typescript/src/index.ts';
import { credit } from '../../src/db/wallet/ledger.ts';
import { describeApi } from '../support/api/describe-api.ts';
import { movement } from '../support/wallet/wallet.ts';

// The workflow is not started: its rows are changed here, as its activities would.
const { api, database } = describeApi(() => ({
  context: { startOperation: async () => false },
}));
let outreach: Outreach;

beforeAll(async () => {
  outreach = createOutreach({ baseUrl: api.url, apiKey: await api.jwt('waiting') });
  await outreach.account.read();
  await database.db.transaction().execute((trx) => credit(trx, movement('waiting', 100_000)));
});

const order = (domain: string) => outreach.clusters.create({ body: { domain } });
const turn = ({ id }: { id: number }, status: Cluster['status']) =>
  database.db.updateTable('clusters').set({ status }).where('id', '=', id).execute();
const quickly = { pollSeconds: 0.02, timeLimitSeconds: 20 };

describe('waiting for a cluster', () => {
  it('ends when it is active, and tells of each look', async () => {
    const cluster = await order('wait-one.com');
    const seen: string[] = [];
    const onProgress = ({ status }: Cluster) => void seen.push(status);
    const waiting = waitForCluster(outreach, cluster, { ...quickly, onProgress });
    await expect.poll(() => seen.length).toBeGreaterThan(1);
    await turn(cluster, 'active');
    expect((await waiting).status).toBe('active');
    expect([seen[0], seen.at(-1)]).toEqual(['provisioning', 'active']);
  });

  it('fails when it failed', async () => {
    const cluster = await order('wait-two.com');
    await turn(cluster, 'failed');
    const error = await waitForCluster(outreach, cluster, quickly).catch((each: unknown) => each);
    expect(error).toBeInstanceOf(WaitFailedError);
    expect(error).toMatchObject({ state: { id: cluster.id, status: 'failed' } });
  });

  it('ends after its time, and when it is stopped', async () => {
    const cluster = await order('wait-three.com');
    const short = { pollSeconds: 0.02, timeLimitSeconds: 0.1 };
    await expect(waitForCluster(outreach, cluster, short)).rejects.toBeInstanceOf(WaitTimeoutError);
    const stop = new AbortController();
    const waiting = waitForCluster(outreach, cluster, { ...quickly, signal: stop.signal });
    setTimeout(() => stop.abort(new Error('enough')), 50);
    await expect(waiting).rejects.toThrow('enough');
  });
});

describe('waiting for an operation', () => {
  it('ends when it is completed, and fails when it failed', async () => {
    const cluster = await order('wait-four.com');
    const all = await outreach.operations.list();
    const operation = all.items.find(({ resource }) => resource.id === cluster.id)!;
    const become = (state: 'succeeded' | 'failed') =>
      database.db
        .updateTable('operations')
        .set({
          state,
          finished_at: new Date(),
          ...(state === 'failed' && { error_code: 'NO_CAPACITY', error_message: 'none' }),
        })
        .where('id', '=', operation.id)
        .execute();
    await become('succeeded');
    expect((await waitForOperation(outreach, operation, quickly)).state).toBe('completed');
    await become('failed');
    await expect(waitForOperation(outreach, operation, quickly)).rejects.toMatchObject({
      name: 'WaitFailedError',
      code: 'NO_CAPACITY',
    });
  });
});
