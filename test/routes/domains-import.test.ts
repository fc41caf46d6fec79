/** Domains that lie elsewhere: proof, who gets them, and what is not ours to change. Choice 64. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { describeApi } from '../support/api/describe-api.ts';

const { api, database } = describeApi(() => ({
  context: { registrars: { namecom: registrar }, dns } as unknown as Partial<Context>,
}));
let ann: string;
let bob: string;
let texts: Map<string, string[]>;
let isDnsDown: boolean;
/** Names in our account at the registrar, with the TXT values of their zones there. */
let account: Map<string, string[]>;

const dns = {
  async resolveTxt(name: string) {
    if (isDnsDown) throw new ProviderError('unavailable', 'no answer', { provider: 'dns' });
    return texts.get(name) ?? [];
  },
};
const registrar = {
  name: 'namecom',
  recordTypes: ['A'],
  async find(domain: string) {
    const times = { purchasedAt: '2026-01-01T00:00:00Z', expiresAt: '2027-01-01T00:00:00Z' };
    return account.has(domain) ? { domain, ...times } : null;
  },
  listRecords: async (domain: string) =>
    account.get(domain)!.map((value, at) => ({ id: `${at}`, type: 'TXT', name: 'x', value })),
};

beforeAll(async () => {
  [ann, bob] = [await api.jwt('ann'), await api.jwt('bob')];
  for (const token of [ann, bob]) await api.call('GET', '/v1/account', { token });
});
let names = 0;
let name: string;
beforeEach(() => {
  [texts, account, isDnsDown] = [new Map(), new Map(), false];
  name = `import-${(names += 1)}.com`;
});

const bringIn = (token: string) =>
  api.call('POST', '/v1/domains/import', { token, body: { domain: name } });
const verify = (token: string, id: number) =>
  api.call('POST', `/v1/domains/${id}/verify`, { token });
const publish = (...proofs: { name: string; value: string }[]) => {
  for (const { name: at, value } of proofs) texts.set(at, [...(texts.get(at) ?? []), value]);
};

/** Imported and proven. */
async function proven(token: string): Promise<number> {
  const { body } = await bringIn(token);
  publish(body.data.verification);
  await verify(token, body.data.id);
  return body.data.id;
}

describe('POST /v1/domains/import', () => {
  it('shows what proves the owner, and is active once that can be seen', async () => {
    const { status, body } = await bringIn(ann);
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      domain: name,
      provider: 'manual',
      status: 'unverified',
      isActive: false,
      verification: { type: 'TXT', name: `_outreach-challenge.${name}` },
    });
    expect(body.message).toContain(body.data.verification.value);
    const early = await verify(ann, body.data.id);
    expect([early.status, early.body.code]).toEqual([400, 'DOMAIN_NOT_VERIFIED']);
    publish(body.data.verification);
    const done = await verify(ann, body.data.id);
    expect(done.body.data).toMatchObject({ status: 'active', isActive: true, verification: null });
    expect((await verify(ann, body.data.id)).body.data.status).toBe('active');
  });

  it('asked again it is the same import, and looks for the proof at once', async () => {
    const first = await bringIn(ann);
    const second = await bringIn(ann);
    expect(second.body.data).toEqual(first.body.data);
    publish(first.body.data.verification);
    expect((await bringIn(ann)).body.data).toMatchObject({
      id: first.body.data.id,
      status: 'active',
    });
    expect((await bringIn(ann)).body.code).toBe('DOMAIN_ALREADY_OWNED');
  });

  it('keeps nobody from a name that is not theirs', async () => {
    await bringIn(bob);
    const id = await proven(ann);
    expect((await bringIn(bob)).status).toBe(201);
    const { body } = await api.call('GET', `/v1/domains/${id}`, { token: ann });
    expect(body.data.status).toBe('active');
  });

  it('takes nobody else’s proof for one’s own', async () => {
    const theirs = await bringIn(bob);
    publish((await bringIn(ann)).body.data.verification);
    const { status, body } = await verify(bob, theirs.body.data.id);
    expect([status, body.code]).toEqual([400, 'DOMAIN_NOT_VERIFIED']);
  });

  it('stays with the one who has it while both proofs are there', async () => {
    await proven(ann);
    const theirs = (await bringIn(bob)).body.data;
    publish(theirs.verification);
    const { status, body } = await verify(bob, theirs.id);
    expect([status, body.code]).toEqual([400, 'DOMAIN_UNAVAILABLE']);
  });

  it('goes to a new owner once the proof of the old one is gone', async () => {
    const before = await proven(ann);
    texts.clear();
    const after = await proven(bob);
    const lost = await api.call('GET', `/v1/domains/${before}`, { token: ann });
    const got = await api.call('GET', `/v1/domains/${after}`, { token: bob });
    expect([lost.body.data.error.code, got.body.data.status]).toEqual([
      'DOMAIN_OWNER_CHANGED',
      'active',
    ]);
  });

  it('400 DOMAIN_UNAVAILABLE for what somebody has bought here', async () => {
    const row = { user_id: 'bob', name, provider: 'namecom', status: 'active' } as const;
    await database.db.insertInto('domains').values(row).execute();
    expect((await bringIn(ann)).body.code).toBe('DOMAIN_UNAVAILABLE');
  });

  it('is used directly where our account’s zone is what the world sees', async () => {
    const { id, verification } = (await bringIn(ann)).body.data;
    publish(verification);
    account.set(name, [verification.value]);
    expect((await verify(ann, id)).body.data).toMatchObject({
      provider: 'namecom',
      expiresAt: '2027-01-01T00:00:00.000Z',
    });
  });

  it('is manual where our account has it but the world sees another zone', async () => {
    const { id, verification } = (await bringIn(ann)).body.data;
    publish(verification);
    account.set(name, []);
    expect((await verify(ann, id)).body.data.provider).toBe('manual');
  });

  it('a resolver that is down hides no proof, and is a 502 for the verification', async () => {
    isDnsDown = true;
    const { status, body } = await bringIn(ann);
    const asked = await verify(ann, body.data.id);
    expect([status, asked.status, asked.body.error]).toEqual([
      201,
      502,
      'The DNS resolver is not available; try again shortly',
    ]);
  });

  it('404 for the import of somebody else', async () => {
    const { body } = await bringIn(ann);
    expect((await verify(bob, body.data.id)).status).toBe(404);
  });
});

describe('an imported domain', () => {
  it.each([
    ['GET', '/dns', undefined],
    ['POST', '/dns', { type: 'A', name: '@', value: '198.18.0.1' }],
    ['PATCH', '/dns/1', { value: '198.18.0.1' }],
    ['DELETE', '/dns/1', undefined],
    ['POST', '/renew', undefined],
    ['PATCH', '', { autoRenew: true }],
  ])('%s %s is for its own provider to do', async (method, path, body) => {
    const id = await proven(ann);
    const answer = await api.call(method, `/v1/domains/${id}${path}`, { token: ann, body });
    expect([answer.status, answer.body.code]).toEqual([400, 'DOMAIN_NOT_MANAGED']);
    expect(answer.body.error).toContain('/health');
  });

  it('cannot be deleted: it stays until somebody else has proven to own it. Choice 64', async () => {
    const id = await proven(ann);
    const { status, body } = await api.call('DELETE', `/v1/domains/${id}`, { token: ann });
    expect([status, body.code]).toEqual([404, 'NOT_FOUND']);
    const kept = await api.call('GET', `/v1/domains/${id}`, { token: ann });
    expect(kept.body.data.status).toBe('active');
  });
});
