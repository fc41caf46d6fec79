/** A request that is repeated after its process died: answered with what the first one made. */
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { credit } from '../../src/db/wallet/ledger.ts';
import type { TestAnswer } from '../support/api/api.ts';
import { movement } from '../support/wallet/wallet.ts';
import { describeApi } from '../support/api/describe-api.ts';

const { api, database } = describeApi(() => ({
  // The rows are all that matters here; their workflows never run.
  context: { startOperation: async () => false } as unknown as Partial<Context>,
}));
let token: string;
let userId: string;
let users = 0;

beforeEach(async () => {
  userId = `repeater-${(users += 1)}`;
  token = await api.jwt(userId);
  await api.call('GET', '/v1/account', { token });
  await database.db.transaction().execute((trx) => credit(trx, movement(userId, 20_000)));
});

const post = (path: string, key: string, body?: object): Promise<TestAnswer> =>
  api.call('POST', path, { token, headers: { 'idempotency-key': key }, ...(body && { body }) });

/** The process died after its transaction: its claim has ended and no answer was kept. */
const forgetAnswers = () =>
  database.db.deleteFrom('idempotency_keys').where('user_id', '=', userId).execute();

const clusterOn = async (domain: string): Promise<number> => {
  const { body } = await post('/v1/clusters/create', `cluster-on-${domain}`, { domain });
  await database.db.updateTable('clusters').set({ status: 'active' }).execute();
  return body.data.id;
};

describe('POST /v1/clusters/create, repeated', () => {
  it('answers the cluster that the first one made, and holds once', async () => {
    const body = { domain: `${userId}.com` };
    const first = await post('/v1/clusters/create', 'k', body);
    await forgetAnswers();
    const again = await post('/v1/clusters/create', 'k', body);
    expect(again.status).toBe(201);
    expect(again.body.data).toEqual(first.body.data);
    const wallet = await api.call('GET', '/wallet', { token });
    expect(wallet.body.data.heldCents).toBe(4_100);
    const twin = await post('/clusters/create', 'k', body);
    expect(twin.body.data.id).toBe(first.body.data.id);
  });

  it('at once by a process that was taken over: one cluster, one answer', async () => {
    const body = { domain: `${userId}.com` };
    const calls = Array.from({ length: 4 }, async () => {
      await forgetAnswers();
      return post('/v1/clusters/create', 'k', body);
    });
    const answers = await Promise.all(calls);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(answers.map((answer) => answer.body.data.id)).size).toBe(1);
  });

  it('is another request with another body, key or user', async () => {
    const body = { domain: `${userId}.com` };
    const first = await post('/v1/clusters/create', 'k', body);
    await forgetAnswers();
    const other = await post('/v1/clusters/create', 'k', { domain: `other-${userId}.com` });
    expect(other.status).toBe(201);
    expect(other.body.data.id).not.toBe(first.body.data.id);
    const renamed = await post('/v1/clusters/create', 'k2', body);
    expect([renamed.status, renamed.body.code]).toEqual([400, 'DOMAIN_ALREADY_OWNED']);
    token = await api.jwt(`stranger-of-${userId}`);
    const foreign = await post('/v1/clusters/create', 'k', body);
    expect([foreign.status, foreign.body.code]).toEqual([400, 'DOMAIN_UNAVAILABLE']);
  });

  it('means the first one for a day', async () => {
    const body = { domain: `${userId}.com` };
    await post('/v1/clusters/create', 'k', body);
    await forgetAnswers();
    await ageOperations();
    const late = await post('/v1/clusters/create', 'k', body);
    expect([late.status, late.body.code]).toEqual([400, 'DOMAIN_ALREADY_OWNED']);
  });
});

describe('POST /v1/clusters/create-with-existing-domain, repeated', () => {
  it('answers the cluster that the first one made', async () => {
    const domain = `${userId}.com`;
    const row = { user_id: userId, name: domain, provider: 'namecom', status: 'active' } as const;
    await database.db.insertInto('domains').values(row).execute();
    const path = '/v1/clusters/create-with-existing-domain';
    const first = await post(path, 'k', { domain });
    await forgetAnswers();
    const again = await post(path, 'k', { domain });
    expect([again.status, again.body.data]).toEqual([201, first.body.data]);
  });
});

describe('POST /v1/mailboxes/cluster/:clusterId, repeated', () => {
  it('answers the same mailbox with the password that it has', async () => {
    const path = `/v1/mailboxes/cluster/${await clusterOn(`${userId}.com`)}`;
    const body = { email: `ada@${userId}.com` };
    const first = await post(path, 'k', body);
    await forgetAnswers();
    const again = await post(path, 'k', body);
    expect([again.status, again.body.data]).toEqual([201, first.body.data]);
    expect(again.body.data.password).toMatch(/^[\w-]{24}$/);
  });

  it('makes it anew where the first one failed', async () => {
    const path = `/v1/mailboxes/cluster/${await clusterOn(`${userId}.com`)}`;
    const body = { email: `ada@${userId}.com` };
    const first = await post(path, 'k', body);
    await forgetAnswers();
    const { id } = first.body.data;
    await database.db
      .updateTable('operations')
      .set({ state: 'failed', finished_at: new Date() })
      .where('resource_type', '=', 'mailbox')
      .where('resource_id', '=', id)
      .execute();
    await database.db
      .updateTable('mailboxes')
      .set({ status: 'failed' })
      .where('id', '=', id)
      .execute();
    const again = await post(path, 'k', body);
    expect(again.status).toBe(201);
    expect(again.body.data.id).not.toBe(id);
  });
});

describe('an Idempotency-Key on a path of any length', () => {
  it.each([
    ['/v1/clusters/:long/retry', 'hex digits', 400, 'INVALID_INPUT'],
    ['/v1/domains/:long/dns', 'digits', 400, 'VALIDATION_ERROR'],
    ['/api/keys/:long/rotate', 'hex digits', 404, 'API_KEY_NOT_FOUND'],
  ])('%s with 6,000 %s is %i %s', async (path, what, status, code) => {
    // Random, so that no compression makes the index's entry short.
    const hex = randomBytes(3_000).toString('hex');
    const long = what === 'digits' ? hex.replaceAll(/[a-f]/g, '7') : hex;
    const answer = await post(path.replace(':long', long), 'k');
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });
});

/** Makes all operations a day older; by hand, as no code of ours writes that column. */
async function ageOperations(): Promise<void> {
  const client = new Client({ connectionString: database.ownerUrl });
  await client.connect();
  await client.query(`update operations set created_at = created_at - interval '25 hours'`);
  await client.end();
}
