/** `Idempotency-Key`: one effect, one answer, encrypted at rest, taken over from the dead. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Context } from '../../src/context.ts';
import { insertLeadList } from '../../src/db/leads/lead-lists.ts';
import { commitOnce } from '../../src/db/accounts/request-effects.ts';
import { invalid, OutreachError, upstreamUnavailable } from '../../src/domain/errors.ts';
import { route } from '../../src/http/route.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/database.ts';
import { createSignal } from '../support/tools/signal.ts';

let database: TestDatabase;
let api: TestApi;
let twin: TestApi;
let token: string;
let runs = 0;
let isBroken = false;
/** What the probes wait for before they answer. */
let held = Promise.resolve();
let beforeCommit = async () => undefined as unknown;

const outcome = z.enum(['ok', 'state', 'short', 'upstream']);
const errors = {
  state: () => invalid('INVALID_STATE', 'Not now'),
  short: () => new OutreachError('payment_required', 'INSUFFICIENT_BALANCE', 'Too poor'),
  upstream: () => upstreamUnavailable('Down'),
};

/** Makes a lead list, and fails after that while `isBroken`. */
const effect = ({ db }: Pick<Context, 'db'>) =>
  route({
    method: 'post',
    path: '/v1/effect',
    operationId: 'probe.ask',
    tag: 'probe',
    summary: 'Has an effect',
    status: 201,
    response: z.object({ id: z.int() }),
    handler: async ({ user }) => {
      const { id } = await commitOnce(db, async (trx) => {
        const list = await insertLeadList(trx, { userId: user.userId, name: 'effect' });
        await beforeCommit();
        return list;
      });
      if (isBroken) throw upstreamUnavailable('Down');
      return { id };
    },
  });

const routes = (context: Pick<Context, 'db'>) => [effect(context), ...probes()];

const probes = () =>
  ['/wallet/probe', '/v1/things/:id/probe'].map((path) =>
    route({
      method: 'post',
      path,
      operationId: 'probe.ask2',
      tag: 'probe',
      summary: 'Counts its runs',
      repeatable: true,
      status: 201,
      params: z.object({ id: z.string().optional() }),
      body: z.object({ wait: z.int().default(0), outcome: outcome.default('ok') }),
      response: z.object({ run: z.int(), secret: z.string() }),
      handler: async ({ body }) => {
        runs += 1;
        const run = runs;
        await Promise.all([sleep(body.wait), held]);
        if (body.outcome !== 'ok') throw errors[body.outcome]();
        return { run, secret: 'svc_the-secret-in-the-answer' };
      },
    }),
  );

beforeAll(async () => {
  database = await createTestDatabase();
  api = await startTestApi({
    database,
    routes,
    context: { logger: pino({ level: 'silent' }) },
  });
  // A second process of the same installation has the same keys.
  twin = await startTestApi({ database, routes, context: { cipher: api.context.cipher } });
  token = await api.jwt();
});
afterAll(async () => {
  await Promise.all([api.close(), twin.close()]);
  await database.close();
});

const post = (
  key: string,
  body: object = {},
  { path = '/wallet/probe', by = token, at = api } = {},
) => at.call('POST', path, { token: by, body, headers: { 'idempotency-key': key } });

describe('a repeated POST', () => {
  it('gets the first answer to the byte, marked as replayed', async () => {
    const key = randomUUID();
    const first = await post(key);
    const second = await post(key, {}, { at: twin });
    expect(first.status).toBe(201);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(second.status).toBe(201);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.body).toEqual(first.body);
  });

  it('is the same request under the /v1 twin', async () => {
    const key = randomUUID();
    const first = await post(key);
    const second = await post(key, {}, { path: '/v1/wallet/probe' });
    expect(second.body).toEqual(first.body);
  });

  it('is another request for another id, user or key', async () => {
    const key = randomUUID();
    const before = runs;
    await post(key, {}, { path: '/v1/things/1/probe' });
    await post(key, {}, { path: '/v1/things/2/probe' });
    await post(key, {}, { path: '/v1/things/1/probe', by: await api.jwt('other') });
    await post(`${key}-2`, {}, { path: '/v1/things/1/probe' });
    expect(runs - before).toBe(4);
  });

  it('with another body is 400 IDEMPOTENCY_KEY_REUSED, also while the first runs', async () => {
    const key = randomUUID();
    const [answered, before] = [createSignal(), runs];
    held = answered.opened;
    const first = post(key, { wait: 300 });
    await expect.poll(() => runs).toBe(before + 1);
    const during = await post(key, { wait: 301 });
    answered.open();
    await first;
    const after = await post(key, { wait: 301 });
    for (const { status, body } of [during, after]) {
      expect([status, body.code]).toEqual([400, 'IDEMPOTENCY_KEY_REUSED']);
    }
  });

  it('waits for the one in flight: 20 at once over two processes run once', async () => {
    const key = randomUUID();
    const before = runs;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => post(key, { wait: 200 }, { at: n % 2 ? api : twin })),
    );
    expect(runs - before).toBe(1);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    const replayed = answers.filter(({ headers }) => headers.get('idempotent-replayed'));
    expect(replayed).toHaveLength(19);
  });
});

describe('what is kept', () => {
  it.each(['state', 'short', 'upstream'])('does not include an answer of %s', async (how) => {
    const key = randomUUID();
    const before = runs;
    const first = await post(key, { outcome: how });
    await post(key, { outcome: how });
    expect(first.status).toBeGreaterThanOrEqual(400);
    expect(runs - before).toBe(2);
  });

  it('includes a 400 that the request meets again', async () => {
    const key = randomUUID();
    const first = await post(key, { outcome: 'unheard-of' });
    const second = await post(key, { outcome: 'unheard-of' });
    expect([first.status, second.status]).toEqual([400, 400]);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
  });

  it('is encrypted and bound to its row', async () => {
    const [one, two] = [randomUUID(), randomUUID()];
    await post(one);
    await post(two);
    const { rows } = await sql<{ sealed_answer: Buffer }>`
      select sealed_answer from idempotency_keys where key in (${one}, ${two})`.execute(
      database.db,
    );
    for (const row of rows) expect(row.sealed_answer.toString('latin1')).not.toContain('svc_');
    await sql`update idempotency_keys set sealed_answer =
      (select sealed_answer from idempotency_keys where key = ${one})
      where key = ${two}`.execute(database.db);
    expect((await post(two)).status).toBe(500);
  });

  it('is forgotten after a day', async () => {
    const key = randomUUID();
    const before = runs;
    await post(key);
    await sql`update idempotency_keys set expires_at = now() where key = ${key}`.execute(
      database.db,
    );
    await post(key, { wait: 1 });
    expect(runs - before).toBe(2);
    await sql`update idempotency_keys set expires_at = now() where key = ${key}`.execute(
      database.db,
    );
    await api.context.httpStores.sweep();
    const left = await sql`select 1 from idempotency_keys where key = ${key}`.execute(database.db);
    expect(left.rows).toEqual([]);
  });
});

describe('a holder that died', () => {
  it('loses its row after the lease, which is at most 60 s', async () => {
    const key = randomUUID();
    const store = api.context.httpStores.idempotency;
    await post(key, { outcome: 'upstream' });
    const { rows } = await sql<{ hash: Buffer }>`
      select sha256(convert_to(${'\n{}'}, 'UTF8')) as hash`.execute(database.db);
    const id = { userId: 'user-1', route: 'POST /wallet/probe', key };
    expect(await store.claim(id, rows[0]!.hash, randomUUID())).toMatchObject({ state: 'ours' });
    const lease = await sql<{ seconds: number }>`
      select extract(epoch from lease_until - now())::float as seconds
      from idempotency_keys where key = ${key}`.execute(database.db);
    expect(lease.rows[0]!.seconds).toBeLessThanOrEqual(60);
    const waiting = post(key);
    await sleep(200);
    await sql`update idempotency_keys set lease_until = now() where key = ${key}`.execute(
      database.db,
    );
    expect((await waiting).status).toBe(201);
  });
});

describe('an effect that was committed', () => {
  const path = '/v1/effect';
  const effects = async () =>
    (await database.db.selectFrom('lead_lists').select('id').where('name', '=', 'effect').execute())
      .length;

  it('stays the only one when what comes behind it fails', async () => {
    const key = randomUUID();
    const before = await effects();
    isBroken = true;
    expect((await post(key, {}, { path })).status).toBe(502);
    expect((await post(key, {}, { path, at: twin })).status).toBe(502);
    isBroken = false;
    const answer = await post(key, {}, { path, at: twin });
    expect([answer.status, (await effects()) - before]).toEqual([201, 1]);
    expect((await post(key, {}, { path })).body).toEqual(answer.body);
  });

  it('is none where a repeat took the request over before', async () => {
    const key = randomUUID();
    const before = await effects();
    let repeat: ReturnType<typeof post> | undefined;
    beforeCommit = async () => {
      beforeCommit = async () => undefined;
      await sql`update idempotency_keys set lease_until = now() where key = ${key}`.execute(
        database.db,
      );
      repeat = post(key, {}, { path, at: twin });
      await repeat;
    };
    const late = await post(key, {}, { path });
    expect([late.status, (await repeat)!.status]).toEqual([502, 201]);
    expect((await effects()) - before).toBe(1);
  });
});

describe('the header', () => {
  it.each(['x'.repeat(256), 'two words', 'é'])('%s is 400', async (key) => {
    expect((await post(key)).status).toBe(400);
  });
});
