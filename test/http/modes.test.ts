/** Both modes behind one address: rows of one are never seen, read or changed by a key of the other. */
import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { openDatabase } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrate.ts';
import {
  FIRST_TEST_ID,
  MODES,
  PLAY_MONEY_CENTS,
  type Mode,
} from '../../src/domain/accounts/modes.ts';
import { SCOPES } from '../../src/http/scopes.ts';
import { createHttpServer, serveModes } from '../../src/http/server.ts';
import { call, type CallOptions, type TestAnswer } from '../support/api/api.ts';
import {
  isPublic,
  makeOneOfEach,
  missingOf,
  ownedBy,
  requestOf,
  type Children,
  type Owned,
} from '../support/api/owned-resources.ts';
import { operationsOf, type Operation } from '../support/api/request-fuzzer.ts';
import { startCampaignUsers, type CampaignUsers } from '../support/campaigns/campaign-users.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';

const vendors = {
  maps: { apify: {} },
  adLibraries: { meta: {} },
  contactFinders: {},
} as unknown as Partial<Context>;

interface Side {
  users: CampaignUsers;
  key: string;
  owned: Owned;
  children: Children;
}

let sides: Record<Mode, Side>;
let operations: Operation[];
let server: ReturnType<typeof createHttpServer>;
let url: string;
let userId: string;

/** One installation: what the modes have of their own follows from it. */
const installation = { ENCRYPTION_KEYS: `development:${randomBytes(32).toString('base64')}` };

const environmentOf = ({ url: databaseUrl }: TestDatabase) => ({
  ...installation,
  DATABASE_URL: 'postgres://outreach@127.0.0.1:1/live',
  OUTREACH_MODE: 'test',
  SANDBOX_URL: 'http://127.0.0.1:9',
  SANDBOX_CA_FILE: '/nowhere/ca.pem',
  SANDBOX_WEBHOOK_SECRET: 'whsec_of_the_sandbox',
  TEST_DATABASE_URL: databaseUrl,
});

beforeAll(async () => {
  const live = await startCampaignUsers(vendors, { environment: installation });
  const database = await createTestDatabase();
  await migrate({ ownerUrl: database.ownerUrl, mode: 'test' });
  const test = await startCampaignUsers(vendors, {
    database,
    environment: environmentOf(database),
  });
  const apps = { live: live.api.app, test: test.api.app };
  server = createHttpServer(serveModes(apps));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const of = async (users: CampaignUsers, path: string): Promise<Side> => {
    const made = await makeOneOfEach(users);
    userId = made.userId;
    const token = await users.api.jwt(userId);
    const { body } = await ask('POST', path, { token, body: { name: 'k', scopes: SCOPES } });
    const { owned, children } = made;
    return { users, owned, children, key: body.data.key };
  };
  sides = { live: await of(live, '/api/keys'), test: await of(test, '/test/api/keys') };
  operations = operationsOf((await live.api.call('GET', '/openapi.json')).body);
});
afterAll(async () => {
  server?.closeAllConnections();
  server?.close();
  for (const { users } of Object.values(sides ?? {})) await users.close();
});

const ask = (method: string, path: string, options: CallOptions = {}): Promise<TestAnswer> =>
  call(`${url}${path}`, method, options);

/** Every number under a name such as `id`, `leadId` or `mailbox_ids`, wherever it is in the answer. */
function idsIn(value: unknown, name = ''): number[] {
  if (Array.isArray(value)) return value.flatMap((each) => idsIn(each, name));
  if (typeof value === 'number') return /(^|_)ids?$|Ids?$/.test(name) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => idsIn(each, key));
}

const isOf = (mode: Mode, id: number) => id >= FIRST_TEST_ID === (mode === 'test');
const other = (mode: Mode): Mode => (mode === 'live' ? 'test' : 'live');

describe.each(MODES)('a key of %s mode', (mode) => {
  it('sees only rows of its mode, by every operation that lists', async () => {
    const { key: token } = sides[mode];
    const strangers: unknown[] = [];
    let seen = 0;
    const lists = operations.filter(
      (one) => one.method === 'GET' && !one.path.includes('{') && !isPublic(one),
    );
    for (const { path } of lists) {
      const { status, body } = await ask('GET', path, { token });
      const ids = idsIn(body);
      seen += ids.length;
      if (!ids.every((id) => isOf(mode, id))) strangers.push({ path, status, ids });
    }
    expect(strangers).toEqual([]);
    expect(lists.length).toBeGreaterThan(25);
    expect(seen).toBeGreaterThan(25);
  });

  it('gets of rows of the other mode what it gets of none, by every operation on one', async () => {
    const { key: token } = sides[mode];
    const { owned, children } = sides[other(mode)];
    const differing: unknown[] = [];
    const resources = operations.filter((one) => one.path.includes('{') && !isPublic(one));
    for (const operation of resources) {
      const kind = ownedBy(owned, operation);
      const id = owned[kind ?? ''] ?? 0;
      const [foreign, missing] = [id, missingOf(id)].map(async (each) => {
        const { method, path, ...rest } = requestOf(operation, each, children);
        const { status, body } = await ask(method, path, { token, ...rest });
        const { requestId: _id, ...told } = body;
        return { status, text: JSON.stringify(told) };
      });
      const both = [await foreign!, await missing!];
      if (both[0]!.status !== 404 || both[0]!.text !== both[1]!.text) {
        differing.push({ operation: `${operation.method} ${operation.path}`, both });
      }
    }
    expect(differing).toEqual([]);
    expect(resources.length).toBeGreaterThan(80);
  });

  it('reads what is its own, each kind', async () => {
    const { key: token, owned, children } = sides[mode];
    const lost: unknown[] = [];
    for (const operation of operations) {
      const kind = ownedBy(owned, operation);
      if (operation.method !== 'GET' || !operation.path.endsWith('{id}')) continue;
      if (kind === undefined) continue;
      const { path } = requestOf(operation, owned[kind]!, children);
      const { status } = await ask('GET', path, { token });
      if (status !== 200) lost.push(`${path}: ${status}`);
    }
    expect(lost).toEqual([]);
  });

  it('says so: the account, the key and its events', async () => {
    const { key: token } = sides[mode];
    expect((await ask('GET', '/v1/account', { token })).body.data).toMatchObject({ userId, mode });
    const { body } = await ask('GET', '/api/keys/current', { token });
    expect(body.data.mode).toBe(mode);
    expect(token.startsWith(body.data.prefix)).toBe(true);
    expect(body.data.prefix).toMatch(
      mode === 'test' ? /^svc_test_[0-9a-f]{4}$/ : /^svc_[0-9a-f]{4}$/,
    );
    const { body: events } = await ask('GET', '/v1/events', { token });
    expect(events.data.length).toBeGreaterThan(0);
    for (const event of events.data) expect(event.mode).toBe(mode);
  });

  it('takes what the other mode has taken: a domain, a name, an address', async () => {
    const { key: token } = sides[mode];
    const domain = 'both-modes.com';
    const order = await ask('POST', '/v1/clusters/create', { token, body: { domain } });
    expect([order.status, order.body.data?.status]).toEqual([201, 'provisioning']);
    const again = await ask('POST', '/v1/clusters/create', { token, body: { domain } });
    expect(again.body.code).toBe('DOMAIN_ALREADY_OWNED');
    const body = { email: 'never-again@both.example' };
    expect((await ask('POST', '/v1/suppressions', { token, body })).status).toBe(201);
  });
});

it('a suppression, an erasure and a limit of one mode is none of the other', async () => {
  const body = { email: 'only-live@both.example' };
  await ask('POST', '/v1/suppressions', { token: sides.live.key, body });
  const of = async (mode: Mode) =>
    (await ask('GET', '/v1/suppressions?search=only-live', { token: sides[mode].key })).body.data;
  expect((await of('live')).length).toBe(1);
  expect(await of('test')).toEqual([]);
});

describe('a session', () => {
  it('makes keys of the mode whose address it uses', async () => {
    const token = await sides.live.users.api.jwt('both');
    for (const [path, form] of [
      ['/api/keys', /^svc_[0-9a-f]{64}$/],
      ['/test/api/keys', /^svc_test_[0-9a-f]{64}$/],
      ['/test/v1/api/keys', /^svc_test_[0-9a-f]{64}$/],
    ] as const) {
      const { status, body } = await ask('POST', path, { token, body: { name: 'k' } });
      expect([status, body.data.key]).toEqual([201, expect.stringMatching(form)]);
    }
    expect((await ask('GET', '/api/keys', { token })).body.data.length).toBe(1);
    expect((await ask('GET', '/test/api/keys', { token })).body.data.length).toBe(2);
  });

  it('that asks for a key of the other mode is told where such are made', async () => {
    const token = await sides.live.users.api.jwt('both');
    const asked = (path: string, mode: Mode) =>
      ask('POST', path, { token, body: { name: 'k', mode } });
    expect((await asked('/api/keys', 'test')).body).toMatchObject({
      code: 'VALIDATION_ERROR',
      error: expect.stringContaining('POST /test/api/keys'),
    });
    expect((await asked('/test/api/keys', 'live')).status).toBe(400);
    expect((await asked('/test/api/keys', 'test')).status).toBe(201);
  });

  it('begins test mode with play money, once', async () => {
    const token = await sides.live.users.api.jwt('player');
    const balance = async (path: string) =>
      (await ask('GET', path, { token })).body.data.balanceCents;
    expect(await balance('/wallet')).toBe(0);
    expect(await balance('/test/wallet')).toBe(PLAY_MONEY_CENTS);
    expect(await balance('/test/v1/wallet')).toBe(PLAY_MONEY_CENTS);
    // Another process sees the account for the first time, too.
    const otherName = await sides.live.users.api.jwt('player');
    expect((await ask('GET', '/test/wallet', { token: otherName })).body.data.balanceCents).toBe(
      PLAY_MONEY_CENTS,
    );
  });
});

describe('a key at the wrong door', () => {
  it('a live key under /test is refused', async () => {
    const { status, body } = await ask('GET', '/test/v1/account', { token: sides.live.key });
    expect([status, body.code]).toEqual([401, 'UNAUTHORIZED']);
  });

  it('a test key works at both addresses', async () => {
    for (const path of ['/v1/account', '/test/v1/account']) {
      const { body } = await ask('GET', path, { token: sides.test.key });
      expect(body.data.mode).toBe('test');
    }
  });

  it('a test key where there is no test mode is told so, and so is who wants to make one', async () => {
    const { api } = sides.live.users;
    const refused = await api.call('GET', '/v1/account', { token: sides.test.key });
    expect([refused.status, refused.body.code]).toEqual([401, 'TEST_MODE_OFF']);
    const token = await api.jwt('both');
    const made = await api.call('POST', '/test/api/keys', { token, body: { name: 'k' } });
    expect([made.status, made.body.code]).toEqual([400, 'TEST_MODE_OFF']);
  });

  it.each([`svc_test_${'a'.repeat(64)}`, `svc_test_${'a'.repeat(60)}`, 'svc_test_'])(
    '%s is nobody’s',
    async (token) => {
      const { status, body } = await ask('GET', '/v1/account', { token });
      expect([status, body.code]).toEqual([401, 'UNAUTHORIZED']);
    },
  );
});

describe('links in messages', () => {
  it('of test mode lead to test mode, and say nothing to live mode', async () => {
    const { context } = sides.test.users.api;
    const { pathname } = new URL(context.recipientLinks.unsubscribeUrl(FIRST_TEST_ID));
    expect(pathname).toMatch(/^\/test\/u\//);
    expect(sides.live.users.api.context.recipientLinks.read(pathname.slice(8))).toBeUndefined();
    expect(context.recipientLinks.read(pathname.slice(8))).toMatchObject({ sendId: FIRST_TEST_ID });
  });
});

describe('a database', () => {
  it.each(MODES)('of %s mode lets no process of the other mode in', async (mode) => {
    const { database } = sides[mode].users;
    const ask = async (as: Mode) => {
      const db = openDatabase(database.url, { poolSize: 1, mode: as });
      try {
        return (await db.selectFrom('users').select('user_id').execute()).length > 0;
      } finally {
        await db.destroy();
      }
    };
    expect(await ask(mode)).toBe(true);
    await expect(ask(other(mode))).rejects.toThrow(`This database is of ${mode} mode`);
  });

  it('with live rows is never made one of test mode', async () => {
    const { ownerUrl } = sides.live.users.database;
    await expect(migrate({ ownerUrl, mode: 'test' })).rejects.toThrow('of live mode, not of test');
    await expect(migrate({ ownerUrl: sides.test.users.database.ownerUrl })).rejects.toThrow(
      'of test mode, not of live',
    );
  });

  it('of test mode stays one when it is migrated again, and ids go on', async () => {
    const { ownerUrl, db } = sides.test.users.database;
    const highest = async () =>
      (await db
        .selectFrom('leads')
        .select((eb) => eb.fn.max('id').as('id'))
        .executeTakeFirst())!.id;
    const before = await highest();
    expect(await migrate({ ownerUrl, mode: 'test' })).toEqual([]);
    expect(await highest()).toBe(before);
    const people = [{ firstName: 'Eve', lastName: 'Next', email: 'eve@next.example' }];
    const body = { company_name: 'Next', people };
    await ask('POST', '/v1/leads', { token: sides.test.key, body });
    expect(await highest()).toBeGreaterThan(before);
  });
});
