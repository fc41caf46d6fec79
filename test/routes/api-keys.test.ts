/** API keys over the wire: made, used, listed, changed, rotated, deleted. */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { startTestApi, type CallOptions } from '../support/api/api.ts';
import { describeApi } from '../support/api/describe-api.ts';

const { api, database } = describeApi(() => ({ environment: { TRUST_PROXY: 'loopback' } }));
let jwt: string;

beforeAll(async () => {
  jwt = await api.jwt();
});

const makeKey = async (fields: object = {}, token = jwt) => {
  const made = await api.call('POST', '/api/keys', { token, body: { name: 'n8n', ...fields } });
  expect(made).toMatchObject({ status: 201 });
  return made.body.data as { id: string; key: string };
};

/** Status of a guarded route with this token. */
const use = async (token: string, options: CallOptions = {}) =>
  (await api.call('GET', '/v1/account', { token, ...options })).status;

describe('POST /api/keys', () => {
  it('answers 201 with the full key, which then opens guarded routes', async () => {
    const answer = await api.call('POST', '/api/keys', { token: jwt, body: { name: 'n8n' } });
    expect(answer.status).toBe(201);
    expect(answer.body.success).toBe(true);
    expect(answer.body.data).toMatchObject({ name: 'n8n', ipWhitelist: [], scopes: [] });
    expect(answer.body.data.key).toMatch(/^svc_[0-9a-f]{64}$/);
    expect(answer.body.data.id).toEqual(expect.any(String));
    expect(await use(answer.body.data.key)).toBe(200);
  });

  it('answers under /v1 as well', async () => {
    const answer = await api.call('POST', '/v1/api/keys', { token: jwt, body: { name: 'twin' } });
    expect(answer.status).toBe(201);
  });

  it('400 API_KEY_LIMIT for one more than a thousand', async () => {
    const token = await api.jwt('collector');
    const { id } = await makeKey({}, token);
    await sql`
      insert into api_keys (id, user_id, name)
      select id || n, user_id, name from api_keys, generate_series(1, 998) n where id = ${id}`.execute(
      database.db,
    );
    await makeKey({}, token);
    const refused = await api.call('POST', '/api/keys', { token, body: { name: 'one more' } });
    expect([refused.status, refused.body.code]).toEqual([400, 'API_KEY_LIMIT']);
    await api.call('DELETE', `/api/keys/${id}`, { token });
    await makeKey({}, token);
  });

  it('stores the SHA-256 of the key and nothing that opens a door', async () => {
    const { id, key } = await makeKey();
    const secrets = await database.db
      .selectFrom('api_key_secrets')
      .selectAll()
      .where('key_id', '=', id)
      .execute();
    expect(secrets).toHaveLength(1);
    expect(secrets[0]!.hash).toEqual(createHash('sha256').update(key).digest());
    expect(JSON.stringify(secrets)).not.toContain(key.slice(10, 58));
  });

  it('401 JWT_REQUIRED for a key, 201 for a key with keys:write', async () => {
    const plain = await makeKey();
    const refused = await api.call('POST', '/api/keys', { token: plain.key, body: { name: 'x' } });
    expect(refused.status).toBe(401);
    expect(refused.body.code).toBe('JWT_REQUIRED');
    const writer = await makeKey({ scopes: ['keys:write'] });
    await makeKey({}, writer.key);
  });

  it('401 when a key hands out a scope that it does not have', async () => {
    const writer = await makeKey({ scopes: ['keys:write'] });
    const strong = await makeKey({ scopes: ['credentials:read'] });
    const body = { name: 'x', scopes: ['credentials:read'] };
    const made = await api.call('POST', '/api/keys', { token: writer.key, body });
    expect(made.status).toBe(401);
    const rotated = await api.call('POST', `/api/keys/${strong.id}/rotate`, { token: writer.key });
    expect(rotated.status).toBe(401);
  });

  it.each([
    [{}, 'name is required'],
    [{ name: '' }, 'name must not be empty'],
    [{ name: 7 }, 'name must be a string'],
    [{ name: 'x'.repeat(256) }, 'name must be at most 255 characters long'],
    [{ name: 'x', ipWhitelist: ['10.0.0.1', 'nonsense'] }, '"nonsense" is neither'],
    [{ name: 'x', ipWhitelist: ['010.0.0.1'] }, '"010.0.0.1" is neither'],
    [{ name: 'x', ipWhitelist: ['1.2.3'] }, '"1.2.3" is neither'],
    [{ name: 'x', ipWhitelist: ['10.0.0.0/33'] }, '"10.0.0.0/33" is outside'],
    [{ name: 'x', ipWhitelist: ['10.0.0.0/8/8'] }, 'is neither'],
    [{ name: 'x', ipWhitelist: Array(65).fill('10.0.0.1') }, 'at most 64 items'],
    [{ name: 'x', scopes: ['admin'] }, 'must be one of keys:write, credentials:read'],
    [{ name: 'x', expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt must be in the future'],
  ])('400 for %j', async (body, words) => {
    const { status, body: answer } = await api.call('POST', '/api/keys', { token: jwt, body });
    expect(status).toBe(400);
    expect(answer).toMatchObject({ success: false, code: 'VALIDATION_ERROR' });
    expect(answer.error).toContain(words);
  });
});

describe('ipWhitelist', () => {
  it.each([
    [['203.0.113.7'], '203.0.113.7', 200],
    [['203.0.113.7'], '203.0.113.8', 401],
    [['203.0.113.0/24'], '203.0.113.99', 200],
    [['203.0.113.0/24'], '203.0.114.1', 401],
    [['2001:db8::/32'], '2001:db8::1', 200],
    [['2001:db8::/32'], '2001:db9::1', 401],
    [['203.0.113.7'], '::ffff:203.0.113.7', 200],
    [['::ffff:203.0.113.7'], '203.0.113.7', 200],
    [['::ffff:203.0.113.0/120'], '203.0.113.7', 200],
    [['0.0.0.0/0'], '203.0.113.7', 200],
    [['0.0.0.0/0'], '2001:db8::1', 401],
    [['203.0.113.7'], 'garbage', 401],
  ])('%j lets %s through with %i', async (ipWhitelist, caller, expected) => {
    const { key } = await makeKey({ ipWhitelist });
    const headers = { 'x-forwarded-for': caller };
    const answer = await api.call('GET', '/v1/account', { token: key, headers });
    expect(answer.status).toBe(expected);
    expect(answer.body.code).toBe(expected === 401 ? 'IP_NOT_ALLOWED' : undefined);
  });

  it('ignores X-Forwarded-For without a configured proxy', async () => {
    const { key } = await makeKey({ ipWhitelist: ['203.0.113.7'] });
    const bare = await startTestApi({ database });
    const headers = { 'x-forwarded-for': '203.0.113.7' };
    const { status } = await bare.call('GET', '/v1/account', { token: key, headers });
    await bare.close();
    expect(status).toBe(401);
  });
});

describe('GET /api/keys', () => {
  it('lists ends and last use, never a key, and only the caller’s', async () => {
    const token = await api.jwt('lister');
    const { id, key } = await makeKey({}, token);
    await makeKey({}, await api.jwt('somebody-else'));
    await use(key);
    const list = () => api.call('GET', '/api/keys', { token });
    // Noted beside the request, not before its answer.
    const lastUse = async () => (await list()).body.data[0].lastUsedAt as unknown;
    await expect.poll(lastUse).toEqual(expect.any(String));
    const { body } = await list();
    expect(body.data).toHaveLength(1);
    expect(body.data[0]).toMatchObject({ id, prefix: key.slice(0, 8), last4: key.slice(-4) });
    expect(JSON.stringify(body)).not.toContain(key);
    expect(body.meta.pagination).toEqual({
      page: 1,
      limit: 20,
      total: 1,
      totalPages: 1,
      hasNext: false,
    });
  });

  it('clamps a limit over 100 and refuses what is no page', async () => {
    const big = await api.call('GET', '/api/keys?limit=5000', { token: jwt });
    expect(big.body.meta.pagination.limit).toBe(100);
    for (const query of ['limit=0', 'page=-1', 'page=1.5', 'limit=x', 'page=', 'page=1&page=2']) {
      const { status, body } = await api.call('GET', `/api/keys?${query}`, { token: jwt });
      expect([query, status, body.code]).toEqual([query, 400, 'VALIDATION_ERROR']);
    }
  });
});

describe('a foreign or missing key', () => {
  it('is 404 in the same words, whatever is asked of it', async () => {
    const foreign = await makeKey({}, await api.jwt('owner'));
    const ways: [string, string, object?][] = [
      ['GET', ''],
      ['PATCH', '', { name: 'x' }],
      ['DELETE', ''],
      ['POST', '/rotate', {}],
    ];
    for (const [method, tail, body] of ways) {
      const options = { token: jwt, headers: { 'x-request-id': 'same' }, ...(body && { body }) };
      const other = await api.call(method, `/api/keys/${foreign.id}${tail}`, options);
      const missing = await api.call(method, `/api/keys/key_none${tail}`, options);
      expect(other.status).toBe(404);
      expect(other.body.code).toBe('API_KEY_NOT_FOUND');
      expect(other.body).toEqual(missing.body);
    }
    expect(await use(foreign.key)).toBe(200);
  });
});

describe('PATCH /api/keys/:id', () => {
  it('changes what is given and keeps the rest', async () => {
    const { id } = await makeKey({ ipWhitelist: ['10.0.0.1'] });
    const { status, body } = await api.call('PATCH', `/api/keys/${id}`, {
      token: jwt,
      body: { name: 'renamed' },
    });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ id, name: 'renamed', ipWhitelist: ['10.0.0.1'] });
  });

  it('ends a key at its new expiry', async () => {
    const { id, key } = await makeKey();
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    await api.call('PATCH', `/api/keys/${id}`, { token: jwt, body: { expiresAt } });
    expect(await use(key)).toBe(200);
    // As if the minute had gone by.
    await sql`update api_keys set expires_at = expires_at - interval '1 minute'
      where id = ${id}`.execute(database.db);
    expect(await use(key)).toBe(401);
  });
});

describe('POST /api/keys/:id/rotate', () => {
  const rotate = async (id: string, body: object = {}) => {
    const answer = await api.call('POST', `/api/keys/${id}/rotate`, { token: jwt, body });
    expect(answer.status).toBe(200);
    return answer.body.data as { id: string; key: string; previousKeyExpiresAt: string };
  };

  it('keeps the id and lets both keys in during the grace period', async () => {
    const before = await makeKey();
    const after = await rotate(before.id);
    expect(after.id).toBe(before.id);
    expect(after.key).not.toBe(before.key);
    const hours = (Date.parse(after.previousKeyExpiresAt) - Date.now()) / 3_600_000;
    expect(hours).toBeCloseTo(24, 1);
    expect(await use(before.key)).toBe(200);
    expect(await use(after.key)).toBe(200);
  });

  it('keeps the first key to its own expiry through a second rotation', async () => {
    const first = await makeKey();
    const second = await rotate(first.id);
    const third = await rotate(first.id, { gracePeriodHours: 1 });
    for (const { key } of [first, second, third]) expect(await use(key)).toBe(200);
  });

  it('ends the old key at once with 0', async () => {
    const before = await makeKey();
    const after = await rotate(before.id, { gracePeriodHours: 0 });
    expect(await use(before.key)).toBe(401);
    expect(await use(after.key)).toBe(200);
  });

  it('leaves one current key when ten rotations meet', async () => {
    const { id } = await makeKey();
    const keys = await Promise.all(Array.from({ length: 10 }, () => rotate(id)));
    for (const { key } of keys) expect(await use(key)).toBe(200);
  });

  it.each([-1, 169, 1.5, '24'])('400 for gracePeriodHours %j', async (gracePeriodHours) => {
    const { id } = await makeKey();
    const body = { gracePeriodHours };
    const { status } = await api.call('POST', `/api/keys/${id}/rotate`, { token: jwt, body });
    expect(status).toBe(400);
  });
});

describe('a key that may make keys', () => {
  const END = '2099-01-01T00:00:00.000Z';
  const LATER = '2099-06-01T00:00:00.000Z';
  const HERE = { headers: { 'x-forwarded-for': '203.0.113.7' } };
  const makeNarrow = () =>
    makeKey({
      scopes: ['keys:write', 'leads:read'],
      ipWhitelist: ['203.0.113.0/24'],
      expiresAt: END,
    });
  const ask = async (method: string, path: string, token: string, body?: object) => {
    const options = { token, ...HERE, ...(body && { body }) };
    const answer = await api.call(method, `/api/keys${path}`, options);
    return [answer.status, answer.body.code];
  };
  const REFUSED = [401, 'JWT_REQUIRED'];

  it('neither changes nor deletes one that may do more', async () => {
    const { key } = await makeNarrow();
    const { id } = await makeKey({ ipWhitelist: ['203.0.113.9'] });
    expect(await ask('PATCH', `/${id}`, key, { ipWhitelist: [] })).toEqual(REFUSED);
    expect(await ask('PATCH', `/${id}`, key, { name: 'mine' })).toEqual(REFUSED);
    expect(await ask('DELETE', `/${id}`, key)).toEqual(REFUSED);
    const kept = await api.call('GET', `/api/keys/${id}`, { token: jwt });
    expect(kept.body.data).toMatchObject({ name: 'n8n', ipWhitelist: ['203.0.113.9'] });
  });

  it.each([
    { ipWhitelist: [] },
    { ipWhitelist: ['203.0.0.0/16'] },
    { ipWhitelist: ['203.0.113.7', '198.51.100.1'] },
    { ipWhitelist: ['2001:db8::1'] },
    { expiresAt: null },
    { expiresAt: LATER },
  ])('does not widen its own limits, or those of a key that it makes: %j', async (limits) => {
    const { id, key } = await makeNarrow();
    expect(await ask('PATCH', `/${id}`, key, limits)).toEqual(REFUSED);
    const body = { name: 'x', scopes: ['leads:read'], ...limits };
    expect(await ask('POST', '', key, body)).toEqual(REFUSED);
  });

  it('gives its own limits where it names none, and narrower ones', async () => {
    const { id, key } = await makeNarrow();
    const body = { name: 'x', scopes: ['leads:read'] };
    const made = await api.call('POST', '/api/keys', { token: key, ...HERE, body });
    expect(made.body.data).toMatchObject({ ipWhitelist: ['203.0.113.0/24'], expiresAt: END });
    const ipWhitelist = ['203.0.113.7', '::ffff:203.0.113.0/121'];
    expect(await ask('PATCH', `/${id}`, key, { ipWhitelist })).toEqual([200, undefined]);
    expect(await ask('DELETE', `/${made.body.data.id}`, key)).toEqual([200, undefined]);
  });

  it('gets no new secret of a key that may be used elsewhere, or for longer', async () => {
    const { key } = await makeNarrow();
    for (const limits of [{ ipWhitelist: ['203.0.113.7'] }, { expiresAt: END }]) {
      const { id } = await makeKey({ scopes: ['leads:read'], ...limits });
      expect(await ask('POST', `/${id}/rotate`, key, {})).toEqual(REFUSED);
    }
  });

  it('gives no more rights to a key that may be used elsewhere, or for longer', async () => {
    const { key } = await makeNarrow();
    const own = ['keys:write', 'leads:read'];
    for (const limits of [{}, { ipWhitelist: ['203.0.113.7'] }, { expiresAt: END }]) {
      const { id } = await makeKey({ scopes: ['leads:read'], ...limits });
      expect(await ask('PATCH', `/${id}`, key, { scopes: own })).toEqual(REFUSED);
      expect(await ask('PATCH', `/${id}`, key, { scopes: own, ...limits })).toEqual(REFUSED);
      const kept = await api.call('GET', `/api/keys/${id}`, { token: jwt });
      expect(kept.body.data.scopes).toEqual(['leads:read']);
    }
  });

  it('gives them to one within its own limits, or with such, and takes them of any', async () => {
    const { key } = await makeNarrow();
    const scopes = ['keys:write', 'leads:read'];
    const limits = { ipWhitelist: ['203.0.113.7'], expiresAt: END };
    const inside = await makeKey({ scopes: ['leads:read'], ...limits });
    expect(await ask('PATCH', `/${inside.id}`, key, { scopes })).toEqual([200, undefined]);
    const wide = await makeKey({ scopes: ['leads:read'] });
    expect(await ask('PATCH', `/${wide.id}`, key, { scopes, ...limits })).toEqual([200, undefined]);
    const { id } = await makeKey({ scopes });
    const fewer = { scopes: ['leads:read'] };
    expect(await ask('PATCH', `/${id}`, key, fewer)).toEqual([200, undefined]);
    expect(await ask('PATCH', `/${id}`, key, { ...fewer, name: 'x' })).toEqual([200, undefined]);
  });
});

describe('DELETE /api/keys/:id', () => {
  it('closes the door at once, for rotated secrets too', async () => {
    const { id, key } = await makeKey();
    await api.call('POST', `/api/keys/${id}/rotate`, { token: jwt });
    const { status, body } = await api.call('DELETE', `/api/keys/${id}`, { token: jwt });
    expect([status, body.data]).toEqual([200, { id }]);
    expect(await use(key)).toBe(401);
  });
});
