/** Webhooks over HTTP, and the events that clients fetch themselves. Choices 45, 57, 58. */
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { credit, hold } from '../../src/db/wallet/ledger.ts';
import { healRestoredEvents } from '../../src/db/webhooks/restored-events.ts';
import { updateWalletSettings } from '../../src/db/wallet/wallets.ts';
import { EVENT_TYPES } from '../../src/domain/webhooks/events.ts';
import { happen as happenTo, happenWithin } from '../support/webhooks/events.ts';
import { describeApi } from '../support/api/describe-api.ts';

const { api, database } = describeApi();
let userId: string;
let token: string;
let users = 0;

beforeEach(async () => {
  userId = `hooks-${(users += 1)}`;
  token = await api.jwt(userId);
  await api.call('GET', '/v1/webhooks', { token });
});

const call = (method: string, path: string, body?: object) =>
  api.call(method, path, { token, ...(body && { body }) });
const url = 'https://hooks.example.com/outreach';

const make = async (body: object = {}) =>
  (await call('POST', '/v1/webhooks', { url, events: ['*'], ...body })).body.data;

const happen = (...resources: string[]) =>
  happenTo(
    database.db,
    resources.map((resource) => ({ userId, type: 'email.sent', resource, payload: {} })),
  );

/** Transactions of other files, which are longer on a busy machine, hide what came after they began. */
const PATIENCE = { timeout: 100_000 };
/** Of a test that waits so. */
const LIMIT = { timeout: 150_000 };

describe('POST /v1/webhooks', () => {
  it('is 201 with the secret, which is shown this once', async () => {
    const answer = await call('POST', '/v1/webhooks', { url, events: ['email.replied'] });
    expect(answer.status).toBe(201);
    const { id, secret, ...shown } = answer.body.data;
    expect(secret).toMatch(/^whsec_[0-9a-f]{64}$/);
    expect(shown).toMatchObject({
      url,
      events: ['email.replied'],
      description: null,
      isActive: true,
    });
    for (const path of [`/v1/webhooks/${id}`, '/v1/webhooks']) {
      expect(JSON.stringify((await call('GET', path)).body)).not.toContain('whsec_');
    }
    const { rows } = await sql<{ row: string }>`
      select webhooks::text as row from webhooks where id = ${id}`.execute(database.db);
    expect(rows[0]!.row).not.toContain(Buffer.from(secret.slice(6, 30)).toString('hex'));
  });

  it.each([
    [{ url: 'http://127.0.0.1/hook' }, 'url'],
    [{ url: 'https://10.0.0.7/hook' }, 'url'],
    [{ url: 'https://[::1]/hook' }, 'url'],
    [{ url: 'https://0x7f.1/hook' }, 'url'],
    [{ url: 'https://localhost/hook' }, 'url'],
    [{ url: 'nonsense' }, 'url'],
    [{ events: ['email.exploded'] }, 'events[0]'],
    [{ events: [] }, 'events'],
    [{ events: undefined }, 'events'],
    [{ description: 'x'.repeat(300) }, 'description'],
  ])('%j is 400 and names %s', async (body, field) => {
    const answer = await call('POST', '/v1/webhooks', { url, events: ['*'], ...body });
    expect(answer.status).toBe(400);
    expect(answer.body.details[0].field).toBe(field);
  });

  it('is 400 beyond 20 of an account', async () => {
    for (let n = 0; n < 20; n++) await make();
    const { status, body } = await call('POST', '/v1/webhooks', { url, events: ['*'] });
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'WEBHOOK_LIMIT' });
  });
});

describe('an endpoint', () => {
  it('is listed, changed and removed', async () => {
    const { id } = await make();
    const change = {
      events: ['email.bounced', 'email.bounced'],
      isActive: false,
      description: 'x',
    };
    const { body } = await call('PATCH', `/v1/webhooks/${id}`, change);
    expect(body.data).toMatchObject({
      events: ['email.bounced'],
      isActive: false,
      description: 'x',
      url,
    });
    const inner = await call('PATCH', `/v1/webhooks/${id}`, { url: 'https://192.168.0.1/' });
    expect(inner.status).toBe(400);
    const listed = await call('GET', '/v1/webhooks');
    expect(listed.body.meta.pagination.total).toBe(1);
    await happen('lead/1');
    expect((await call('DELETE', `/v1/webhooks/${id}`)).status).toBe(200);
    expect((await call('GET', `/v1/webhooks/${id}`)).status).toBe(404);
  });

  it('of somebody else is 404 like a missing one', async () => {
    const { id } = await make();
    await happen('lead/1');
    const delivery = (await call('GET', `/v1/webhooks/${id}/deliveries`)).body.data[0].id;
    token = await api.jwt('hooks-stranger');
    const other = (await make()).id;
    const answers = new Set<string>();
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/test'],
      ['POST', '/rotate-secret'],
      ['GET', '/deliveries'],
    ] as const) {
      for (const each of [id, 999_999]) {
        const { status, body } = await call(
          method,
          `/v1/webhooks/${each}${path}`,
          method === 'PATCH' ? {} : undefined,
        );
        answers.add(`${status} ${body.error}`);
      }
    }
    expect([...answers]).toEqual(['404 Webhook not found']);
    for (const path of [
      `/v1/webhooks/deliveries/${delivery}/redeliver`,
      `/v1/webhooks/${other}/deliveries/${delivery}/redeliver`,
      '/v1/webhooks/deliveries/999999/redeliver',
    ]) {
      const { status, body } = await call('POST', path);
      expect(`${status} ${body.error}`).toBe('404 Delivery not found');
    }
  });

  it('is tested at once: it says what the endpoint answered', async () => {
    const { id } = await make();
    const { status, body } = await call('POST', `/v1/webhooks/${id}/test`);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      eventId: expect.stringMatching(/^evt_test_/),
      delivered: false,
      status: null,
      error: 'The endpoint has no address',
    });
  });

  it('gets a new secret, while the one of before counts for a day', async () => {
    const { id, secret } = await make();
    const { status, body } = await call('POST', `/v1/webhooks/${id}/rotate-secret`);
    expect(status).toBe(200);
    expect(body.data.secret).not.toBe(secret);
    const left = Date.parse(body.data.previousSecretExpiresAt) - Date.now();
    expect(left / 3_600_000).toBeCloseTo(24, 1);
  });
});

describe('GET /v1/webhooks/:id/deliveries', () => {
  it('pages, newest first, and by state', async () => {
    const { id } = await make();
    await happen('lead/1', 'lead/1', 'lead/2');
    const path = `/v1/webhooks/${id}/deliveries`;
    const { body } = await call('GET', `${path}?limit=2`);
    expect(body.data.map(({ resource }: { resource: string }) => resource)).toEqual([
      'lead/2',
      'lead/1',
    ]);
    expect(body.data[0]).toMatchObject({
      state: 'pending',
      attempts: 0,
      eventType: 'email.sent',
      webhookId: id,
    });
    expect(body.meta.pagination).toMatchObject({ total: 3, hasNext: true });
    expect((await call('GET', `${path}?state=failed`)).body.data).toEqual([]);
    expect((await call('GET', `${path}?state=odd`)).status).toBe(400);
  });
});

describe('POST /v1/webhooks/deliveries/:id/redeliver', () => {
  it('queues it again, from the start', async () => {
    const { id } = await make();
    await happen('lead/1');
    const [delivery] = (await call('GET', `/v1/webhooks/${id}/deliveries`)).body.data;
    await database.db
      .updateTable('webhook_deliveries')
      .set({ state: 'failed', attempts: 77, next_attempt_at: null, updated_at: new Date() })
      .where('id', '=', delivery.id)
      .execute();
    for (const path of [
      `/v1/webhooks/deliveries/${delivery.id}/redeliver`,
      `/v1/webhooks/${id}/deliveries/${delivery.id}/redeliver`,
    ]) {
      const { status, body } = await call('POST', path);
      expect(status).toBe(200);
      expect(body.data).toMatchObject({ state: 'pending', attempts: 0, eventId: delivery.eventId });
      expect(body.data.nextAttemptAt).not.toBeNull();
    }
  });
});

describe('GET /v1/webhooks/event-types', () => {
  it('lists them', async () => {
    expect((await call('GET', '/v1/webhooks/event-types')).body.data).toEqual([...EVENT_TYPES]);
  });
});

describe('events of a database that was restored elsewhere', LIMIT, () => {
  it('are listed before new ones, in their order. Choice 45', async () => {
    await happen('lead/1', 'lead/2', 'lead/3');
    await sql`update events set txid = (1000000000 + id)::text::xid8
      where user_id = ${userId} and resource <> 'lead/1'`.execute(database.db);
    const resources = async () =>
      (await call('GET', '/v1/events')).body.data.map((one: { resource: string }) => one.resource);
    await expect.poll(resources, PATIENCE).toEqual(['lead/1']);
    expect(await healRestoredEvents(database.db, 2)).toBeGreaterThanOrEqual(3);
    await happen('lead/4');
    await expect.poll(resources, PATIENCE).toEqual(['lead/1', 'lead/2', 'lead/3', 'lead/4']);
    expect(await healRestoredEvents(database.db)).toBe(0);
  });
});

/** An event shows when no transaction that is older is open, in whatever database of the server. */
async function untilListed(count: number): Promise<void> {
  await expect
    .poll(async () => (await call('GET', '/v1/events')).body.data.length, PATIENCE)
    .toBeGreaterThanOrEqual(count);
}

const lastListed = async () => (await call('GET', '/v1/events')).body.data.at(-1).id;

describe('GET /v1/events/:id', LIMIT, () => {
  it('reads one as it is listed. Choice 103', async () => {
    await happen('lead/1', 'lead/2');
    await untilListed(2);
    const { body: listed } = await call('GET', '/v1/events');
    const { status, body } = await call('GET', `/v1/events/${listed.data[1].id}`);
    expect([status, body.data]).toEqual([200, listed.data[1]]);
  });

  it('is 404 for one that is not there, 400 for what is no id of an event', async () => {
    const missing = await call('GET', '/v1/events/evt_999999999');
    expect([missing.status, missing.body.code]).toEqual([404, 'EVENT_NOT_FOUND']);
    const odd = await call('GET', '/v1/events/7');
    expect([odd.status, odd.body.code]).toEqual([400, 'INVALID_INPUT']);
  });
});

describe('GET /v1/events', LIMIT, () => {
  it('goes on behind the last one that was read, by type as well', async () => {
    await happen('lead/1', 'lead/2', 'lead/3');
    await untilListed(3);
    const first = await call('GET', '/v1/events?limit=2');
    expect(first.body.data.map(({ resource }: { resource: string }) => resource)).toEqual([
      'lead/1',
      'lead/2',
    ]);
    const { nextCursor, hasNext } = first.body.meta.pagination;
    expect({ nextCursor, hasNext }).toEqual({ nextCursor: first.body.data[1].id, hasNext: true });
    const rest = await call('GET', `/v1/events?after=${nextCursor}`);
    expect(rest.body.data).toMatchObject([{ type: 'email.sent', resource: 'lead/3', data: {} }]);
    const last = rest.body.data[0].id;
    const none = await call('GET', `/v1/events?after=${last}&types=email.sent,email.replied`);
    expect(none.body.data).toEqual([]);
    expect(none.body.meta.pagination).toMatchObject({ nextCursor: last, hasNext: false });
    expect((await call('GET', '/v1/events?types=email.replied')).body.data).toEqual([]);
  });

  it('says where to go on from now, and lists nothing of before. Choice 103', async () => {
    const nowhere = await call('GET', '/v1/events?after=latest');
    expect(nowhere.body).toMatchObject({
      data: [],
      meta: { pagination: { hasNext: false, nextCursor: 'evt_0' } },
    });
    expect((await call('GET', '/v1/events')).body.meta.pagination.nextCursor).toBe('evt_0');
    await happen('lead/1', 'lead/2');
    await untilListed(2);
    const all = await call('GET', '/v1/events?after=evt_0');
    expect(all.body.data).toMatchObject([{ resource: 'lead/1' }, { resource: 'lead/2' }]);
    const { body } = await call('GET', '/v1/events?after=latest&types=email.replied');
    const { nextCursor } = body.meta.pagination;
    expect([body.data, nextCursor]).toEqual([[], await lastListed()]);
    await happen('lead/3');
    await untilListed(3);
    const next = await call('GET', `/v1/events?after=${nextCursor}`);
    expect(next.body.data).toMatchObject([{ resource: 'lead/3' }]);
  });

  it.each(['after=7', 'after=evt_x', 'after=evt_999999999', 'types=email.exploded'])(
    '%s is 400',
    async (query) => {
      expect((await call('GET', `/v1/events?${query}`)).status).toBe(400);
    },
  );

  it('misses nothing and repeats nothing while many write at the same time', async () => {
    const WRITERS = 3;
    const EACH = 25;
    let writing = WRITERS;
    const write = async (writer: number) => {
      for (let n = 0; n < EACH; n++) {
        await database.db.transaction().execute(async (trx) => {
          await happenWithin(trx, [
            { userId, type: 'email.sent', resource: `lead/${writer}`, payload: { n } },
          ]);
          // Some commit long after others that began later.
          if (n % 3 === writer) await sql`select pg_sleep(0.03)`.execute(trx);
        });
      }
      writing -= 1;
    };
    const read: { id: string; resource: string; data: { n: number } }[] = [];
    const reader = async () => {
      for (let cursor = '', isLast = false; ;) {
        const { body } = await call('GET', `/v1/events?limit=7${cursor && `&after=${cursor}`}`);
        read.push(...body.data);
        cursor = body.meta.pagination.nextCursor ?? '';
        if (isLast && body.data.length === 0) return;
        // Other tests' transactions may hide the last ones for a while.
        isLast = writing === 0 && read.length >= WRITERS * EACH;
      }
    };
    await Promise.all([reader(), ...Array.from({ length: WRITERS }, (_, n) => write(n))]);
    expect(read).toHaveLength(WRITERS * EACH);
    expect(new Set(read.map(({ id }) => id)).size).toBe(WRITERS * EACH);
    for (let writer = 0; writer < WRITERS; writer++) {
      const own = read.filter(({ resource }) => resource === `lead/${writer}`);
      expect(own.map(({ data }) => data.n)).toEqual(Array.from({ length: EACH }, (_, n) => n));
    }
  });
});

describe('what happened', LIMIT, () => {
  it('is told of the wallet: money that came in, and a balance that has become low', async () => {
    const movement = { userId, referenceType: 'checkout', referenceId: 'cs_1', description: 'x' };
    await database.db.transaction().execute(async (trx) => {
      await updateWalletSettings(trx, userId, { lowBalanceThresholdCents: 1_000 });
      await credit(trx, { ...movement, amountCents: 1_500, operationKey: `${userId}:1` });
    });
    for (const [n, amountCents] of [400, 300, 200].entries()) {
      const operationKey = `${userId}:hold:${n}`;
      await database.db
        .transaction()
        .execute((trx) => hold(trx, { ...movement, amountCents, operationKey }));
    }
    await untilListed(2);
    const { body } = await call('GET', '/v1/events');
    expect(body.data).toMatchObject([
      { type: 'wallet.credited', data: { amountCents: 1_500, availableCents: 1_500 } },
      { type: 'wallet.low_balance', data: { availableCents: 800, thresholdCents: 1_000 } },
    ]);
  });

  it('is told of a key that was rotated, without a secret', async () => {
    const made = await call('POST', '/api/keys', { name: 'x' });
    await call('POST', `/api/keys/${made.body.data.id}/rotate`, {});
    await untilListed(1);
    const { body } = await call('GET', '/v1/events');
    expect(body.data).toMatchObject([
      { type: 'api_key.rotated', resource: `api_key/${made.body.data.id}` },
    ]);
    expect(JSON.stringify(body)).not.toContain('svc_');
  });
});
