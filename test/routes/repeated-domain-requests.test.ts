/** A request about a domain that is repeated under its key after the answer was lost. Choice 51. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { credit } from '../../src/db/wallet/ledger.ts';
import type { DnsRecord, DnsRecordInput } from '../../src/providers/registrars/port.ts';
import type { TestAnswer } from '../support/api/api.ts';
import { movement } from '../support/wallet/wallet.ts';
import { describeApi } from '../support/api/describe-api.ts';

const { api, database } = describeApi(() => {
  const context = {
    startOperation: async () => false,
    registrars: { namecom: registrar },
    dns: { resolveTxt: async () => proofs },
  };
  return { context: context as unknown as Partial<Context> };
});
let token: string;
let userId: string;
let domain: string;
let users = 0;
let records: DnsRecord[];
/** What the world sees at `_outreach-challenge`. */
let proofs: string[];

const registrar = {
  name: 'namecom',
  recordTypes: ['TXT'],
  quote: async () => ({ available: true, premium: false, priceCents: 1_200, termYears: 1 }),
  find: async () => null,
  listRecords: async () => [...records],
  async createRecord(_domain: string, input: DnsRecordInput) {
    const record = { id: `${records.length + 1}`, ttl: 300, ...input };
    records.push(record);
    return record;
  },
};

beforeEach(async () => {
  userId = `domain-repeater-${(users += 1)}`;
  domain = `${userId}.com`;
  [records, proofs] = [[], []];
  token = await api.jwt(userId);
  await api.call('GET', '/v1/account', { token });
});

const post = (path: string, key: string, body?: object): Promise<TestAnswer> =>
  api.call('POST', path, { token, headers: { 'idempotency-key': key }, ...(body && { body }) });

/** The first answer was a 502, or nothing: it was not kept. */
const forgetAnswers = () =>
  database.db.deleteFrom('idempotency_keys').where('user_id', '=', userId).execute();

/** What its workflow would write. */
const purchaseEnds = async (status: 'active' | 'failed') => {
  const state = status === 'active' ? 'succeeded' : 'failed';
  const { db } = database;
  await db.updateTable('domains').set({ status }).where('name', '=', domain).execute();
  await db.updateTable('operations').set({ state }).where('user_id', '=', userId).execute();
};

describe('POST /v1/domains, repeated', () => {
  it('answers the domain that was bought meanwhile', async () => {
    const first = await post('/v1/domains', 'k', { domain });
    await forgetAnswers();
    await purchaseEnds('active');
    const again = await post('/v1/domains', 'k', { domain });
    expect([again.status, again.body.data.id]).toEqual([201, first.body.data.id]);
    expect(again.body.data).toMatchObject({ domain, status: 'active', isActive: true });
  });

  it('is another request with another key, without one, or of another user', async () => {
    await post('/v1/domains', 'k', { domain });
    await purchaseEnds('active');
    const other = await post('/v1/domains', 'k2', { domain });
    const keyless = await api.call('POST', '/v1/domains', { token, body: { domain } });
    token = await api.jwt(`stranger-of-${userId}`);
    const foreign = await post('/v1/domains', 'k', { domain });
    expect([other, keyless, foreign].map(({ status, body }) => [status, body.code])).toEqual([
      [400, 'DOMAIN_ALREADY_OWNED'],
      [400, 'DOMAIN_ALREADY_OWNED'],
      [400, 'DOMAIN_UNAVAILABLE'],
    ]);
  });

  it('buys anew where the first purchase failed', async () => {
    const first = await post('/v1/domains', 'k', { domain });
    await forgetAnswers();
    await purchaseEnds('failed');
    const again = await post('/v1/domains', 'k', { domain });
    expect([again.status, again.body.data.status]).toEqual([201, 'pending']);
    expect(again.body.data.id).not.toBe(first.body.data.id);
  });
});

describe('POST /v1/domains/import, repeated', () => {
  it('answers the import that became active with the first', async () => {
    const { body } = await post('/v1/domains/import', 'k0', { domain });
    proofs = [body.data.verification.value];
    const first = await post('/v1/domains/import', 'k', { domain });
    await forgetAnswers();
    const again = await post('/v1/domains/import', 'k', { domain });
    expect(first.body.data.status).toBe('active');
    expect([again.status, again.body.data]).toEqual([201, first.body.data]);
  });
});

describe('POST /v1/domains/:id/dns, repeated', () => {
  it('answers the record that is there, and refuses it to a request without a key', async () => {
    const { body } = await post('/v1/domains', 'buy', { domain });
    await purchaseEnds('active');
    const path = `/v1/domains/${body.data.id}/dns`;
    const record = { type: 'TXT', name: '@', value: 'v=spf1 -all' };
    const first = await post(path, 'k', record);
    await forgetAnswers();
    const again = await post(path, 'k', record);
    const keyless = await api.call('POST', path, { token, body: record });
    expect([again.status, again.body.data]).toEqual([201, first.body.data]);
    expect([keyless.status, keyless.body.code]).toEqual([400, 'DUPLICATE_SPF']);
    expect(records).toHaveLength(1);
  });
});

describe('POST /v1/clusters/:id/retry, repeated', () => {
  it('answers the cluster whose new attempt has succeeded meanwhile, and holds once', async () => {
    const { db } = database;
    await db.transaction().execute((trx) => credit(trx, movement(userId, 20_000)));
    const row = { user_id: userId, name: domain, provider: 'namecom', status: 'active' } as const;
    await db.insertInto('domains').values(row).execute();
    const path = '/v1/clusters/create-with-existing-domain';
    const { id } = (await post(path, 'make', { domain })).body.data;
    const becomes = (status: 'failed' | 'active') =>
      db.updateTable('clusters').set({ status }).where('id', '=', id).execute();
    await becomes('failed');
    const held = async () => (await api.call('GET', '/wallet', { token })).body.data.heldCents;
    const before = await held();
    await post(`/v1/clusters/${id}/retry`, 'k');
    await forgetAnswers();
    await becomes('active');
    const again = await post(`/v1/clusters/${id}/retry`, 'k');
    const other = await post(`/v1/clusters/${id}/retry`, 'k2');
    expect([again.status, again.body.data.status]).toEqual([200, 'active']);
    expect([other.status, other.body.code]).toEqual([400, 'INVALID_STATE']);
    expect((await held()) - before).toBe(2_500);
  });
});
