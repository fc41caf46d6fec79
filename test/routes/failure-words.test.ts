/** Failures as clients read them: by kind, in words of ours; operators keep the vendor's. Choice 15. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { showOperation } from '../../src/services/operations/ops.ts';
import { userWith } from '../support/wallet/wallet.ts';
import { describeApi } from '../support/api/describe-api.ts';

const RAW = 'vultr: GET /instances answered 401 (Unauthorized IP address: 198.18.255.254)';
/** Whatever of it a client must not read: the vendor, our state there, our address. */
const VENDORS_WORDS = /vultr|hetzner|namecom|porkbun|instances|answered 4|198\.18/i;

const { api, database } = describeApi(() => ({
  context: { startOperation: async () => true } as Partial<Context>,
}));
let token: string;
let clusterId: number;
let operationId: number;

beforeAll(async () => {
  const userId = await userWith(database.db, 10_000);
  token = await api.jwt(userId);
  const body = { domain: 'worded.com' };
  const made = await api.call('POST', '/v1/clusters/create', { token, body });
  clusterId = made.body.data.id;
  const row = await database.db
    .selectFrom('operations')
    .select('id')
    .where('resource_type', '=', 'cluster')
    .where('resource_id', '=', clusterId)
    .executeTakeFirstOrThrow();
  operationId = row.id;
});

async function fail(state: 'blocked' | 'failed', code: string, error_message = RAW) {
  const message = state === 'failed' ? error_message : 'Renting the server: waiting';
  await database.db
    .updateTable('operations')
    .set({ state, message, step: 'server_create', error_code: code, error_message })
    .where('id', '=', operationId)
    .execute();
}

const ask = async (path: string) => (await api.call('GET', path, { token })).body.data;

describe.each(['blocked', 'failed'] as const)('a cluster whose operation is %s', (state) => {
  it.each([
    ['PROVIDER_AUTH', /only an operator can cure/],
    ['QUOTA_EXCEEDED', /only an operator can cure/],
    ['NO_CAPACITY', /No provider has a server/],
    ['PROVIDER_UNAVAILABLE', /does not answer/],
    ['DOMAIN_REJECTED', /order for worded\.com/],
    ['TIMED_OUT', /not ready/],
    ['TYPE_ERROR', /on our side/],
  ])('says %s in words of ours', async (code, words) => {
    await fail(state, code);
    const one = await ask(`/v1/clusters/${clusterId}`);
    expect(one.provisioning.error).toEqual({ code, message: expect.stringMatching(words) });
    // Of one that has failed the message repeats the error.
    const repeated = state === 'failed' ? words : /^Renting the server: waiting$/;
    expect(one.provisioning.message).toMatch(repeated);
    const list = await ask('/v1/clusters');
    expect(JSON.stringify([one, list])).not.toMatch(VENDORS_WORDS);
  });
});

it('an operator reads the vendor’s words', async () => {
  await fail('blocked', 'PROVIDER_AUTH');
  const report = await showOperation(database, operationId);
  expect(report.errorMessage).toBe(RAW);
});

it('a note of a step tells clients that another vendor took the order, and operators which', async () => {
  const note = 'hetzner refused (ProviderAuth), ordered at vultr';
  const steps = [
    { name: 'domain_purchase', state: 'completed', note: 'namecom refused (QuotaExceeded)' },
    { name: 'server_create', state: 'completed', note },
    // No step that tells clients anything.
    { name: 'dns_setup', state: 'running', note: RAW },
  ] as const;
  await database.db
    .updateTable('operations')
    .set({ state: 'running', step: 'dns_setup', steps: JSON.stringify(steps) })
    .where('id', '=', operationId)
    .execute();
  const { provisioning } = await ask(`/v1/clusters/${clusterId}`);
  expect(provisioning.steps).toEqual([
    { ...steps[0], note: expect.stringMatching(/another one sold the domain/) },
    { ...steps[1], note: expect.stringMatching(/another one gave the server/) },
    { name: 'dns_setup', state: 'running' },
  ]);
  expect(JSON.stringify(provisioning.steps)).not.toMatch(VENDORS_WORDS);
  expect((await showOperation(database, operationId)).steps).toEqual(steps);
});

it('words of ours stay as they are', async () => {
  await fail('failed', 'CANCELLED', 'Cancelled by the client');
  const { provisioning } = await ask(`/v1/clusters/${clusterId}`);
  expect(provisioning.error.message).toBe('Cancelled by the client');
});

it('a domain and its renewal say why they failed in words of ours', async () => {
  const { db } = database;
  const failure = { error_code: 'PROVIDER_AUTH', error_message: RAW };
  const { id, user_id } = await db
    .updateTable('domains')
    .set({ status: 'failed', ...failure })
    .where('name', '=', 'worded.com')
    .returning(['id', 'user_id'])
    .executeTakeFirstOrThrow();
  await db
    .insertInto('domain_renewals')
    .values({ user_id, domain_id: id, expires_at: new Date(), state: 'failed', ...failure })
    .execute();
  const one = await ask(`/v1/domains/${id}`);
  expect(one).toMatchObject({
    error: { code: 'PROVIDER_AUTH' },
    renewal: { error: { code: 'PROVIDER_AUTH' } },
  });
  const list = await ask('/v1/domains?status=failed');
  const told = JSON.stringify([one.error, one.renewal, list[0].error, list[0].renewal]);
  expect(told).not.toMatch(VENDORS_WORDS);
});
