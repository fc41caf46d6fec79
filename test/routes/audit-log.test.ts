/** GET /v1/audit-log, and what has an entry and what has none. Choice 98. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HttpStores } from '../../src/domain/accounts/http-stores.ts';
import { startTestApi, type TestApi } from '../support/api/api.ts';
import { startAuditedWorld, type AuditedWorld } from '../support/api/audited-world.ts';
import { MESSAGE } from '../support/campaigns/campaign-users.ts';
import { addLeads } from '../support/campaigns/campaign-world.ts';

let world: AuditedWorld;
/** It commits, and is gone before it can keep an answer. */
let dying: TestApi;
beforeAll(async () => {
  world = await startAuditedWorld();
  const { context } = world.users.api;
  const lost = async () => {
    throw new Error('the process is gone');
  };
  const httpStores: HttpStores = {
    ...context.httpStores,
    idempotency: { ...context.httpStores.idempotency, keep: lost },
    close: async () => undefined,
  };
  dying = await startTestApi({
    database: world.users.database,
    context: { ...context, httpStores, logger: pino({ level: 'silent' }) },
  });
});
afterAll(async () => {
  await dying?.close();
  await world?.close();
});

const log = (query = '') => world.ok('GET', `/v1/audit-log${query}`);
const newList = async () =>
  (await world.ok('POST', '/v1/lead-lists', { name: 'Spring' })).id as number;
const entries = async () =>
  Number(
    (
      await world.db
        .selectFrom('audit_log')
        .select((eb) => eb.fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  );

/** How many entries the work leaves. */
async function added(work: () => Promise<unknown>): Promise<number> {
  const before = await entries();
  await work();
  return (await entries()) - before;
}

describe('GET /v1/audit-log', () => {
  it('tells who changed what, from where, before and after', async () => {
    const id = await newList();
    await world.ok('PATCH', `/v1/lead-lists/${id}`, { name: 'Autumn', description: 'Later' });
    const [entry] = await log();
    expect(entry).toEqual({
      id: expect.any(Number),
      at: expect.any(String),
      action: 'leadLists.update',
      actor: { kind: 'api_key', id: world.keyId, name: world.key.slice(0, 8) },
      source: { ipAddress: '127.0.0.1', userAgent: 'node' },
      resourceType: 'lead_list',
      resourceId: String(id),
      requestId: expect.any(String),
      before: { name: expect.any(String), description: null },
      after: { name: 'Autumn', description: 'Later' },
    });
  });

  it('names a session by its user', async () => {
    const token = await world.users.api.jwt(world.userId);
    await world.users.api.call('POST', '/v1/lead-lists', { token, body: { name: 'L' } });
    const [entry] = await log();
    expect(entry.actor).toEqual({ kind: 'user', id: world.userId, name: null });
  });

  it('does not name an operator, and tells no reason', async () => {
    await sql`insert into audit_log (user_id, actor_kind, actor_name, reason, action)
      values (${world.userId}, 'operator', 'ann', 'because', 'ops.retry')`.execute(world.db);
    const [entry] = await log();
    expect(entry.actor).toEqual({ kind: 'operator', id: null, name: null });
    expect(JSON.stringify(entry)).not.toContain('because');
  });

  it('pages from the newest to the oldest', async () => {
    for (let n = 0; n < 5; n += 1) await newList();
    const all = await log('?limit=100');
    const seen: number[] = [];
    let path = '/v1/audit-log?limit=2';
    for (;;) {
      const { body } = await world.call('GET', path);
      seen.push(...body.data.map(({ id }: { id: number }) => id));
      const { hasNext, nextCursor } = body.meta.pagination;
      if (!hasNext) break;
      path = `/v1/audit-log?limit=2&cursor=${nextCursor}`;
    }
    expect(seen).toEqual(all.map(({ id }: { id: number }) => id));
    expect(seen).toEqual(seen.toSorted((a, b) => b - a));
  });

  it('is narrowed by action, resource, actor and time', async () => {
    const id = await newList();
    await world.ok('DELETE', `/v1/lead-lists/${id}`);
    const actions = async (query: string) =>
      (await log(query)).map(({ action }: { action: string }) => action);
    const resource = `?resourceType=lead_list&resourceId=${id}`;
    expect(await actions(resource)).toEqual(['leadLists.delete', 'leadLists.create']);
    expect(await actions(`${resource}&action=leadLists.create`)).toEqual(['leadLists.create']);
    expect(await actions(`${resource}&actor=${world.keyId}`)).toHaveLength(2);
    expect(await actions(`${resource}&actor=api_key`)).toHaveLength(2);
    expect(await actions(`${resource}&actor=user`)).toEqual([]);
    const [{ at }] = await log(resource);
    expect(await actions(`${resource}&since=${at}`)).toEqual(['leadLists.delete']);
    expect(await actions(`${resource}&until=${at}`)).toEqual(['leadLists.create']);
    const { status } = await world.call('GET', '/v1/audit-log?cursor=7');
    expect(status).toBe(400);
  });

  it('shows nothing of another account', async () => {
    await newList();
    const stranger = await world.users.newUser();
    const seen = await stranger.ok('GET', '/v1/audit-log');
    expect(seen.map(({ action }: { action: string }) => action)).toEqual(['account.update']);
  });
});

describe('GET /v1/audit-log/export', () => {
  it('is the same as a file', async () => {
    const id = await newList();
    const path = `/v1/audit-log/export?resourceType=lead_list&resourceId=${id}`;
    const { headers, body } = await world.call('GET', path);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const [head, row] = (body as string).trim().split('\r\n');
    expect(head).toBe(
      'id,at,action,actorKind,actorId,actorName,ipAddress,userAgent,resourceType,resourceId,requestId,before,after',
    );
    expect(row).toContain(`,leadLists.create,api_key,${world.keyId},${world.key.slice(0, 8)},`);
    expect(row).toContain(`lead_list,${id},`);
  });
});

describe('a request', () => {
  it('that is refused has no entry', async () => {
    const refused = async () => {
      const { status } = await world.call('POST', '/v1/lead-lists', { name: '' });
      expect(status).toBe(400);
      expect((await world.call('DELETE', '/v1/lead-lists/999999999')).status).toBe(404);
      expect((await world.call('PATCH', '/v1/leads/999999999', { city: 'x' })).status).not.toBe(
        200,
      );
    };
    expect(await added(refused)).toBe(0);
  });

  it('whose transaction fails has none', async () => {
    const order = { ...MESSAGE, assignedMailboxes: [999_999_999] };
    const refused = async () => {
      const { body } = await world.call('POST', '/v1/campaigns', order);
      expect(body.code).toBe('MAILBOX_NOT_FOUND');
    };
    expect(await added(refused)).toBe(0);
  });

  const REQUESTS: [string, string, object][] = [
    ['with an effect that is remembered', '/v1/lead-lists', { name: 'L' }],
    ['that finds what it made', '/v1/maps-scraper/runs', { searchStringsArray: ['florist'] }],
  ];

  it.each(REQUESTS)(
    '%s has one entry, however often it is repeated',
    async (_words, path, body) => {
      const headers = { 'idempotency-key': randomUUID() };
      const repeat = async () => {
        for (let n = 0; n < 3; n += 1) {
          expect((await world.call('POST', path, body, headers)).status).toBe(201);
        }
      };
      expect(await added(repeat)).toBe(1);
    },
  );

  it.each(REQUESTS)(
    '%s has one, where its process died before it answered',
    async (_words, path, body) => {
      const key = randomUUID();
      const headers = { 'idempotency-key': key };
      const lost = async () => {
        await dying.call('POST', path, { token: world.key, body, headers });
        await sql`update idempotency_keys set lease_until = now() where key = ${key}`.execute(
          world.db,
        );
        expect((await world.call('POST', path, body, headers)).status).toBe(201);
      };
      expect(await added(lost)).toBe(1);
    },
  );

  it('that asks for many things at once has one entry', async () => {
    const people = Array.from({ length: 300 }, (_, n) => ({
      firstName: `P${n}`,
      lastName: 'Test',
      email: `${randomUUID()}@bulk.test`,
    }));
    const order = { company_name: 'Bulk', people };
    expect(await added(() => world.ok('POST', '/v1/leads', order))).toBe(1);
    const [entry] = await log();
    expect(entry).toMatchObject({ action: 'leads.create', after: { people: 300 } });
    const ids = await addLeads(world.db, world.userId, 100);
    expect(await added(() => world.ok('POST', '/v1/leads/bulk-delete', { ids }))).toBe(1);
  });

  it('that goes with others in one statement has an entry of its own', async () => {
    const lead = () => ({
      personFirstName: 'A',
      personLastName: 'B',
      personEmail: `${randomUUID()}@x.test`,
    });
    const together = () =>
      Promise.all(Array.from({ length: 40 }, () => world.ok('POST', '/v1/leads', lead())));
    expect(await added(together)).toBe(40);
  });

  it('for people who were all erased has none, in a statement or by itself', async () => {
    const email = `${randomUUID()}@gone.test`;
    await world.ok('POST', '/v1/erasures', { email });
    const lead = { personFirstName: 'A', personLastName: 'B', personEmail: email };
    const refused = async () => {
      for (const headers of [{}, { 'idempotency-key': randomUUID() }]) {
        const { body } = await world.call('POST', '/v1/leads', lead, headers);
        expect(body.code).toBe('PEOPLE_ERASED');
      }
    };
    expect(await added(refused)).toBe(0);
  });
});
