/** Rate limits: exact over processes, told in headers, and no open door while Postgres is down. */
import { createServer, connect, type Server, type Socket } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { freePort } from '../../src/dev/ports.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';

const realLimits = { RATE_LIMIT_PER_MINUTE: '100', RATE_LIMIT_PER_HOUR: '1000' };
let database: TestDatabase;
let api: TestApi;
let twin: TestApi;

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({ database, environment: realLimits });
  twin = await startTestApi({ database, environment: realLimits });
});
afterAll(async () => {
  await Promise.all([api.close(), twin.close()]);
  await database.close();
});

const makeKey = async (userId: string, body: object = { name: 'limited' }) => {
  const token = await api.jwt(userId);
  const made = await api.call('POST', '/api/keys', { token, body });
  return made.body.data as { id: string; key: string };
};

const get = (from: TestApi, token: string) => from.call('GET', '/v1/account', { token });

/** Moves a subject's windows into the past, as if the time had gone by. */
const age = (subject: string, seconds: number) =>
  sql`update rate_counters set
    minute_started_at = minute_started_at - make_interval(secs => ${seconds}),
    hour_started_at = hour_started_at - make_interval(secs => ${seconds})
    where subject = ${subject}`.execute(database.db);

describe('100 requests a minute', () => {
  it('lets exactly 100 of 105 through, one after the other', async () => {
    const { key } = await makeKey('serial');
    const statuses: number[] = [];
    for (let call = 0; call < 105; call += 1) statuses.push((await get(api, key)).status);
    expect(statuses).toEqual([...Array(100).fill(200), ...Array(5).fill(429)]);
  });

  it('lets exactly 100 of 160 through, at once over two processes', async () => {
    const { key } = await makeKey('parallel');
    const answers = await Promise.all(
      Array.from({ length: 160 }, (_, call) => get(call % 2 === 0 ? api : twin, key)),
    );
    const passed = answers.filter(({ status }) => status === 200);
    expect(passed).toHaveLength(100);
    const remaining = passed.map(({ headers }) => Number(headers.get('x-ratelimit-remaining')));
    expect(remaining.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, n) => n));
  });

  it('counts a rotated key’s two secrets together', async () => {
    const { id, key } = await makeKey('rotated');
    const token = await api.jwt('rotated');
    const rotated = await api.call('POST', `/api/keys/${id}/rotate`, { token });
    const answers = await Promise.all(
      Array.from({ length: 130 }, (_, n) => get(api, n % 2 ? key : rotated.body.data.key)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(100);
  });

  it('counts each key, and each user with a JWT, apart', async () => {
    const one = await makeKey('apart');
    const two = await makeKey('apart');
    const jwt = await api.jwt('apart');
    for (let call = 0; call < 100; call += 1) await get(api, one.key);
    expect((await get(api, one.key)).status).toBe(429);
    expect((await get(api, two.key)).status).toBe(200);
    expect((await get(api, jwt)).status).toBe(200);
    const again = await api.call('GET', '/v1/account', { token: await api.jwt('apart') });
    expect(Number(again.headers.get('x-ratelimit-remaining'))).toBeLessThan(99);
  });

  it('counts a key with a whitelist, and not what its whitelist refuses', async () => {
    const open = await makeKey('home', { name: 'x', ipWhitelist: ['127.0.0.1'] });
    const shut = await makeKey('away', { name: 'x', ipWhitelist: ['203.0.113.1'] });
    const answer = await get(api, open.key);
    expect(answer.headers.get('x-ratelimit-remaining')).toBe('99');
    expect((await get(api, shut.key)).status).toBe(401);
    const counted = await sql`select 1 from rate_counters
      where subject = ${`key:${shut.id}`}`.execute(database.db);
    expect(counted.rows).toEqual([]);
  });

  it('starts anew after the minute', async () => {
    const { id, key } = await makeKey('patient');
    for (let call = 0; call < 100; call += 1) await get(api, key);
    expect((await get(api, key)).status).toBe(429);
    await age(`key:${id}`, 60);
    const { status, headers } = await get(api, key);
    expect([status, headers.get('x-ratelimit-remaining')]).toEqual([200, '99']);
  });
});

describe('1,000 requests an hour', () => {
  it('shuts at 1,000 and does not count what it refused', async () => {
    const { id, key } = await makeKey('hourly');
    await get(api, key);
    await sql`update rate_counters set hour_used = 999, minute_used = 50
      where subject = ${`key:${id}`}`.execute(database.db);
    const last = await get(api, key);
    expect(last.status).toBe(200);
    expect(last.headers.get('x-ratelimit-limit')).toBe('1000');
    expect(last.headers.get('x-ratelimit-remaining')).toBe('0');
    const refused = await get(api, key);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000);
    await age(`key:${id}`, 3_600);
    expect((await get(api, key)).status).toBe(200);
  });
});

describe('the answer’s headers', () => {
  it('tell both windows and the tighter one', async () => {
    const { key } = await makeKey('headers');
    const { headers } = await get(api, key);
    expect(headers.get('x-ratelimit-limit')).toBe('100');
    expect(headers.get('x-ratelimit-remaining')).toBe('99');
    const reset = Number(headers.get('x-ratelimit-reset')) - Date.now() / 1_000;
    expect(reset).toBeGreaterThan(30);
    expect(reset).toBeLessThan(63);
    expect(headers.get('ratelimit-policy')).toBe('"min";q=100;w=60, "hour";q=1000;w=3600');
    expect(headers.get('ratelimit')).toMatch(/^"min";r=99;t=\d+, "hour";r=999;t=\d+$/);
    expect(headers.get('retry-after')).toBeNull();
  });

  it('tell when to come back on 429', async () => {
    const { key } = await makeKey('refused');
    for (let call = 0; call < 100; call += 1) await get(api, key);
    const { status, headers, body } = await get(api, key);
    expect(status).toBe(429);
    expect(body).toMatchObject({ success: false, code: 'RATE_LIMITED' });
    const seconds = Number(headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(headers.get('x-ratelimit-remaining')).toBe('0');
  });
});

describe('while Postgres is down', () => {
  it('keys and JWTs get a quick 502, at most the limit of them, and all heals by itself', async () => {
    const { key } = await makeKey('outage');
    const link = await startLink(Number(new URL(database.url).port));
    const url = database.url.replace(/:\d+\//, `:${link.port}/`);
    const db = openDatabase(url, { poolSize: 5 });
    const cut = await startTestApi({ database: { db, url }, environment: realLimits });
    const jwt = await cut.jwt('outage');
    expect((await get(cut, key)).status).toBe(200);
    link.cut();
    for (const token of [key, jwt]) {
      const startedAt = performance.now();
      const answers = [];
      for (let call = 0; call < 105; call += 1) answers.push(await get(cut, token));
      const statuses = answers.map(({ status }) => status);
      expect(statuses).toEqual([...Array(100).fill(502), ...Array(5).fill(429)]);
      expect(answers[0]!.body).toMatchObject({ success: false, code: 'UPSTREAM_UNAVAILABLE' });
      // Where each waits for its time-out it is minutes.
      expect(performance.now() - startedAt).toBeLessThan(40_000);
    }
    expect((await cut.call('GET', '/health')).status).toBe(200);
    await link.mend();
    expect((await get(cut, key)).status).toBe(200);
    await cut.close();
    await db.destroy();
    link.cut();
  });
});

/** A line to Postgres that can be cut (connections refused) and mended. */
async function startLink(target: number) {
  const sockets = new Set<Socket>();
  let server: Server;
  const open = (port: number) =>
    new Promise<void>((resolve) => {
      server = createServer((client) => {
        const upstream = connect(target, '127.0.0.1');
        for (const socket of [client, upstream]) {
          sockets.add(socket);
          socket.on('error', () => undefined);
          socket.on('close', () => sockets.delete(socket));
        }
        client.pipe(upstream).pipe(client);
      });
      server.listen(port, '127.0.0.1', resolve);
    });
  // It is opened again: no port that an outgoing connection may have by then.
  const port = await freePort();
  await open(port);
  const cut = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { port, cut, mend: () => open(port) };
}
