/** Every operation by a key of every scope: it is let in where the scope is the operation's, and nowhere else. */
import { beforeAll, describe, expect, it } from 'vitest';
import { scopeOf, SCOPES, type Scope } from '../../src/http/scopes.ts';
import type { Route } from '../../src/http/route.ts';
import { createRoutes } from '../../src/routes/index.ts';
import { describeApi } from '../support/api/describe-api.ts';

const { api, database } = describeApi(() => ({ context: { maps: {} } }));
let jwt: string;
let routes: Route[];
beforeAll(async () => {
  jwt = await api.jwt('ann');
  routes = createRoutes(api.context).filter((route) => !route.public);
});

const keyWith = async (scopes: readonly Scope[], token = jwt): Promise<string> => {
  const body = { name: 'k', scopes };
  const { status, body: answer } = await api.call('POST', '/api/keys', { token, body });
  expect(status).toBe(201);
  return answer.data.key;
};

/** Of nobody, so that nothing is changed by who is let in. */
async function isLetIn({ method, path }: Route, token: string): Promise<boolean> {
  const to = path.replaceAll(/:\w+/g, '999999999');
  const body = method === 'get' ? {} : { body: { no: 'such field' } };
  const { status, body: answer } = await api.call(method.toUpperCase(), to, { token, ...body });
  return !(status === 401 && ['SCOPE_REQUIRED', 'JWT_REQUIRED'].includes(answer.code));
}

describe('a key of one scope', () => {
  it.each(SCOPES)('%s is let in where its scope is asked, and nowhere else', async (scope) => {
    const token = await keyWith([scope]);
    const isPrivilege = scope === 'keys:write' || scope === 'credentials:read';
    const wrong: string[] = [];
    for (const route of routes) {
      const asked = scopeOf(route);
      const included = [scope, scope.replace(/:write$/, ':read')];
      const mayOther = isPrivilege && route.scope === undefined;
      const expected = asked === undefined || included.includes(asked) || mayOther;
      if ((await isLetIn(route, token)) !== expected) wrong.push(`${route.method} ${route.path}`);
    }
    expect(wrong).toEqual([]);
  });
});

it('asks a scope of every operation but the look at the own key', () => {
  const free = routes.filter((route) => scopeOf(route) === undefined);
  expect(free.map(({ operationId }) => operationId)).toEqual(['apiKeys.readCurrent']);
});

it('lets a key without scopes do all but the two privileges, and a JWT everything', async () => {
  const token = await keyWith([]);
  for (const route of routes) {
    expect([route.path, await isLetIn(route, token)]).toEqual([
      route.path,
      route.scope === undefined,
    ]);
    expect(await isLetIn(route, jwt)).toBe(true);
  }
});

describe('a key with a scope that this version does not know', () => {
  const store = async (name: string, scopes: string[]) => {
    const token = await keyWith(['leads:read']);
    const { id } = (await api.call('GET', '/api/keys/current', { token })).body.data;
    await database.db.updateTable('api_keys').set({ name, scopes }).where('id', '=', id).execute();
    return { token, id };
  };

  it('may do what its other scopes say, and nothing where it has no other', async () => {
    const { token } = await store('new', ['reports:read', 'audit:write']);
    const some = await store('some', ['reports:read', 'leads:read']);
    for (const route of routes.filter((one) => scopeOf(one) !== undefined)) {
      expect([route.path, await isLetIn(route, token)]).toEqual([route.path, false]);
      expect(await isLetIn(route, some.token)).toBe(scopeOf(route) === 'leads:read');
    }
    const { body } = await api.call('GET', '/api/keys/current', { token });
    expect(body.data).toMatchObject({ scopes: ['reports:read', 'audit:write'], permissions: [] });
  });

  it('is rotated by none that does not have that scope itself', async () => {
    const { id } = await store('new', ['reports:read']);
    const rotate = async (token: string) => {
      const { status, body } = await api.call('POST', `/api/keys/${id}/rotate`, {
        token,
        body: {},
      });
      return status === 200 ? 200 : body.code;
    };
    expect(await rotate(await keyWith(['keys:write']))).toBe('JWT_REQUIRED');
    const { token: equal } = await store('equal', ['keys:write', 'reports:read']);
    expect(await rotate(equal)).toBe(200);
    expect(await rotate(jwt)).toBe(200);
  });
});

it.each([
  ['maps:write', { mapsRun: { searchStringsArray: ['bakery'] } }],
  ['discovery:write', { leadProcess: { searchTerm: 'yoga mats' } }],
  ['placement:write', { placementTest: { campaignId: 1, step: 1 } }],
] as const)('asks %s of who orders that by a schedule', async (scope, job) => {
  const body = { name: 'Daily', ...job, times: { time: '09:00' } };
  const create = async (scopes: readonly Scope[]) => {
    const token = await keyWith(scopes);
    return (await api.call('POST', '/v1/schedules', { token, body })).body;
  };
  expect(await create(['schedules:write'])).toMatchObject({
    code: 'SCOPE_REQUIRED',
    error: `This key lacks the scope ${scope}`,
  });
  expect((await create(['schedules:write', scope])).code).not.toBe('SCOPE_REQUIRED');
});

/** Operations that ask for one more scope, by what the request wants; each has its tests above or below. */
const FURTHER = [
  'schedules.create',
  'schedules.update',
  'schedules.run',
  'webhooks.create',
  'webhooks.update',
];

it('says of each operation that asks for one more scope that it does', () => {
  const told = routes.filter(({ description }) => /A key needs .*, too/.test(description ?? ''));
  expect(told.map(({ operationId }) => operationId)).toEqual(FURTHER);
});

describe('the content of messages, to an endpoint of webhooks', () => {
  const hook = { url: 'https://hooks.test/a', events: ['message.received'] };
  const lacks = {
    status: 401,
    body: { code: 'SCOPE_REQUIRED', error: 'This key lacks the scope inbox:read' },
  };
  let few: string;
  let both: string;
  beforeAll(async () => {
    few = await keyWith(['webhooks:write']);
    both = await keyWith(['webhooks:write', 'inbox:read']);
  });
  const make = (token: string, includeContent?: boolean) =>
    api.call('POST', '/v1/webhooks', { token, body: { ...hook, includeContent } });
  const change = (id: number, token: string, body: object) =>
    api.call('PATCH', `/v1/webhooks/${id}`, { token, body });

  it('is asked for by who may read the inbox alone', async () => {
    expect(await make(few, true)).toMatchObject(lacks);
    expect(await make(both, true)).toMatchObject({ status: 201 });
    const { body } = await make(few, false);
    expect(await change(body.data.id, few, { includeContent: true })).toMatchObject(lacks);
    expect(await change(body.data.id, both, { includeContent: true })).toMatchObject({
      status: 200,
      body: { data: { includeContent: true } },
    });
  });

  it('goes to no other address for who may not', async () => {
    const { id } = (await make(both, true)).body.data;
    const url = 'https://elsewhere.test/b';
    expect(await change(id, few, { url })).toMatchObject(lacks);
    expect(await change(id, few, { url, includeContent: true })).toMatchObject(lacks);
    const read = await api.call('GET', `/v1/webhooks/${id}`, { token: few });
    expect(read.body.data).toMatchObject({ url: hook.url, includeContent: true });
    expect((await change(id, few, { isActive: false, description: 'x' })).status).toBe(200);
    // As it is: nothing is told to anybody else.
    expect((await change(id, few, { url: hook.url, includeContent: true })).status).toBe(200);
    expect((await change(id, few, { url, includeContent: false })).status).toBe(200);
    expect((await change(id, both, { includeContent: true })).status).toBe(200);
    expect((await change(id, both, { url: hook.url })).status).toBe(200);
  });

  it.each([[['message.received']], [['*']]])(
    'is told to no endpoint that gets %j from who may not',
    async (events) => {
      const body = { ...hook, events: ['email.bounced'], includeContent: true };
      const made = await api.call('POST', '/v1/webhooks', { token: both, body });
      const { id } = made.body.data;
      expect(await change(id, few, { events })).toMatchObject(lacks);
      expect((await change(id, few, { events: ['email.replied'] })).status).toBe(200);
      expect((await change(id, few, { events, includeContent: false })).status).toBe(200);
      expect((await change(id, both, { events, includeContent: true })).status).toBe(200);
      // It had them before.
      expect((await change(id, few, { events: ['message.received'] })).status).toBe(200);
    },
  );
});

describe('a key', () => {
  it('that reads suppressions may ask about many at once, and puts none on the list', async () => {
    const token = await keyWith(['suppressions:read']);
    const body = { emails: ['ann@x.test'] };
    const asked = await api.call('POST', '/v1/suppressions/check', { token, body });
    expect(asked).toMatchObject({ status: 200, body: { data: [{ isSuppressed: false }] } });
    const added = await api.call('POST', '/v1/suppressions', { token, body });
    expect(added).toMatchObject({ status: 401, body: { code: 'SCOPE_REQUIRED' } });
  });

  it('shows what it may do', async () => {
    const token = await keyWith(['leads:write', 'wallet:read']);
    const { body } = await api.call('GET', '/api/keys/current', { token });
    expect(body.data).toMatchObject({
      name: 'k',
      scopes: ['leads:write', 'wallet:read'],
      permissions: ['wallet:read', 'leads:read', 'leads:write'],
    });
    expect(body.data).not.toHaveProperty('key');
    const { body: none } = await api.call('GET', '/api/keys/current', { token: jwt });
    expect(none.code).toBe('API_KEY_NOT_FOUND');
  });

  it('names the scope that it lacks', async () => {
    const token = await keyWith(['leads:read']);
    const body = { name: 'L' };
    const { status, body: answer } = await api.call('POST', '/v1/lead-lists', { token, body });
    expect([status, answer.code]).toEqual([401, 'SCOPE_REQUIRED']);
    expect(answer.error).toBe('This key lacks the scope lead-lists:write');
  });

  it('hands out nothing that it may not do, also not by naming no scope', async () => {
    const token = await keyWith(['keys:write', 'leads:write']);
    await keyWith(['leads:read'], token);
    for (const scopes of [[], undefined, ['wallet:read'], ['credentials:read']]) {
      const body = { name: 'more', ...(scopes && { scopes }) };
      const { status, body: answer } = await api.call('POST', '/api/keys', { token, body });
      expect([status, answer.code]).toEqual([401, 'JWT_REQUIRED']);
    }
  });
});
