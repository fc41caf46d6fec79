/** How mailboxes are being read, as users see it and ask for it. Choices 34, 45. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { noteMailboxFailing, noteMailboxRead } from '../../src/db/inbox/inbox-sync-states.ts';
import { readSyncSnapshot } from '../../src/db/inbox/inbox-syncs.ts';
import type { Operation } from '../../src/db/operations/operations.ts';
import type { SyncTrouble } from '../../src/domain/inbox/inbox.ts';
import { addMailboxes } from '../support/campaigns/campaign-world.ts';
import { createCipher } from '../../src/encryption/cipher.ts';
import { describeApi } from '../support/api/describe-api.ts';

const cipher = createCipher(`test:${Buffer.alloc(32, 1).toString('base64')}`);
const started: string[] = [];
const { api, database } = describeApi(() => {
  const startOperation = async ({ workflow_id: id }: Operation) => started.push(id) > 0;
  return { context: { startOperation } as unknown as Partial<Context> };
});

/** A user with two mailboxes of one cluster. */
async function newUser() {
  const userId = `syncs-${randomUUID()}`;
  const token = await api.jwt(userId);
  const call = async (method: string, path: string, body?: object) => {
    const { status, body: answer } = await api.call(method, path, { token, ...(body && { body }) });
    return { status, data: answer.data, code: answer.code };
  };
  await call('GET', '/v1/inbox');
  const ids = await addMailboxes({ db: database.db, cipher }, userId, { count: 2 });
  const events = async () => {
    const rows = await database.db
      .selectFrom('events')
      .select('payload')
      .where('user_id', '=', userId)
      .where('type', '=', 'mailbox.health_changed')
      .orderBy('id')
      .execute();
    return rows.map(({ payload }) => payload);
  };
  return { userId, call, ids: ids as [number, number], events };
}

const at = (seconds: number) => new Date(Date.UTC(2026, 4, 1, 10, 0, seconds));
const failing = (id: number, reason: SyncTrouble, seconds: number) =>
  noteMailboxFailing(database.db, id, {
    reason,
    error: 'secret words of the host',
    at: at(seconds),
  });
const read = (id: number, seconds: number) =>
  noteMailboxRead(database.db, id, { startedAt: at(seconds), at: at(seconds) });

describe('GET /v1/inbox/sync', () => {
  it('tells of each mailbox when it was read, and since when and why it cannot be', async () => {
    const { call, ids } = await newUser();
    await read(ids[0], 0);
    await failing(ids[0], 'host_unreachable', 5);
    await failing(ids[0], 'login_refused', 35);
    const { data } = await call('GET', '/v1/inbox/sync');
    expect(data).toEqual({
      items: [
        {
          mailbox_id: ids[0],
          mailbox: expect.stringMatching(/^m1@/),
          synced_at: at(0).toISOString(),
          failing_since: at(5).toISOString(),
          reason: 'login_refused',
          asked_at: null,
        },
        {
          mailbox_id: ids[1],
          mailbox: expect.stringMatching(/^m2@/),
          synced_at: null,
          failing_since: null,
          reason: null,
          asked_at: null,
        },
      ],
      pagination: { page: 1, limit: 20, total: 2, totalPages: 1, hasNext: false },
    });
    expect(JSON.stringify(data)).not.toContain('secret');
    await read(ids[0], 40);
    const one = await call('GET', `/v1/inbox/sync?mailboxId=${ids[0]}`);
    expect(one.data.items).toMatchObject([{ failing_since: null, reason: null }]);
  });

  it('is 404 for a mailbox of somebody else', async () => {
    const { ids } = await newUser();
    const { call } = await newUser();
    expect(await call('GET', `/v1/inbox/sync?mailboxId=${ids[0]}`)).toMatchObject({ status: 404 });
    expect(await call('POST', '/v1/inbox/sync', { mailboxId: ids[0] })).toMatchObject({
      status: 404,
      code: 'MAILBOX_NOT_FOUND',
    });
  });
});

describe('mailbox.health_changed', () => {
  const told = (mailboxId: number, health: string, reason: string | null, seconds: number) =>
    expect.objectContaining({
      mailboxId,
      aspect: 'sync',
      health,
      reason,
      at: at(seconds).toISOString(),
    });

  it('tells at once of a login that is refused, once, and when it is taken again', async () => {
    const { ids, events } = await newUser();
    for (const seconds of [0, 5, 300]) await failing(ids[0], 'login_refused', seconds);
    expect(await events()).toEqual([told(ids[0], 'failing', 'login_refused', 0)]);
    await read(ids[0], 400);
    await read(ids[0], 460);
    expect((await events()).slice(1)).toEqual([told(ids[0], 'healthy', null, 400)]);
  });

  it('tells of a host that does not answer once it lasts, and nothing of one that restarts', async () => {
    const { ids, events } = await newUser();
    await failing(ids[0], 'host_unreachable', 0);
    await failing(ids[0], 'host_unreachable', 5);
    await read(ids[0], 35);
    expect(await events()).toEqual([]);
    for (const seconds of [40, 75, 105]) await failing(ids[0], 'host_unreachable', seconds);
    expect(await events()).toEqual([told(ids[0], 'failing', 'host_unreachable', 105)]);
  });

  it('tells that it is well again though the process died before it could', async () => {
    const { ids, events } = await newUser();
    await failing(ids[0], 'login_refused', 0);
    await sql`update mailbox_syncs set failing_since = null, reason = null
      where mailbox_id = ${ids[0]}`.execute(database.db);
    await read(ids[0], 60);
    expect((await events()).at(-1)).toEqual(told(ids[0], 'healthy', null, 60));
  });
});

describe('a mailbox that is read again and again', () => {
  const state = (id: number) =>
    database.db
      .selectFrom('mailbox_syncs')
      .select(['synced_at', 'sync_asked_at', sql<string>`xmin`.as('version')])
      .where('mailbox_id', '=', id)
      .executeTakeFirstOrThrow();

  it('is written once in five minutes while nothing happens', async () => {
    const { ids } = await newUser();
    await read(ids[0], 0);
    const first = await state(ids[0]);
    for (const seconds of [60, 120, 180, 240]) await read(ids[0], seconds);
    expect(await state(ids[0])).toEqual(first);
    await read(ids[0], 300);
    expect(await state(ids[0])).toMatchObject({ synced_at: at(300) });
  });

  it('is written at once when messages have come, somebody has asked, or it was failing', async () => {
    const { ids } = await newUser();
    await read(ids[0], 0);
    await noteMailboxRead(database.db, ids[0], { startedAt: at(1), at: at(1), hasNews: true });
    expect(await state(ids[0])).toMatchObject({ synced_at: at(1) });
    await database.db
      .updateTable('mailbox_syncs')
      .set({ sync_asked_at: at(2) })
      .where('mailbox_id', '=', ids[0])
      .execute();
    await read(ids[0], 3);
    expect(await state(ids[0])).toMatchObject({ synced_at: at(3), sync_asked_at: null });
    await failing(ids[0], 'host_unreachable', 4);
    await read(ids[0], 5);
    expect(await state(ids[0])).toMatchObject({ synced_at: at(5) });
  });
});

describe('POST /v1/inbox/sync', () => {
  it('asks for all mailboxes, or for one, until it was read after that', async () => {
    const { userId, call, ids } = await newUser();
    expect(await call('POST', '/v1/inbox/sync', { mailboxId: ids[1] })).toMatchObject({
      status: 200,
      data: { mailboxes: 1 },
    });
    const asked = async () => {
      const { data } = await call('GET', '/v1/inbox/sync');
      return data.items.map((item: { asked_at: string | null }) => item.asked_at !== null);
    };
    expect(await asked()).toEqual([false, true]);
    expect(await call('POST', '/v1/inbox/sync')).toMatchObject({ data: { mailboxes: 2 } });
    expect(await asked()).toEqual([true, true]);
    const { cluster_id: clusterId } = await database.db
      .selectFrom('mailboxes')
      .select('cluster_id')
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    await sql`update servers set status = 'active' where user_id = ${userId}`.execute(database.db);
    const { mailboxes } = await readSyncSnapshot(database.db, clusterId!);
    expect(mailboxes.map(({ askedAt }) => askedAt)).toEqual([expect.any(Date), expect.any(Date)]);
    // A reading that began before the request does not serve it.
    await read(ids[0], 0);
    const startedAt = new Date(Date.now() + 1_000);
    await noteMailboxRead(database.db, ids[1], { startedAt, at: startedAt });
    expect(await asked()).toEqual([true, false]);
  });

  it('starts the workflow of a cluster that nobody reads, and of this user alone', async () => {
    const { userId, call, ids } = await newUser();
    const other = await newUser();
    for (const [owner, id] of [
      [userId, ids[0]],
      [other.userId, other.ids[0]],
    ] as const) {
      await sql`
        with made as (
          insert into operations (user_id, kind, workflow_id, task_queue, summary, input,
            resource_type, resource_id, steps, finished_at, state)
          values (${owner}, 'createMailbox', ${`mailbox/${id}`}, 'q', 's',
            '{"pace": "fast"}', 'mailbox', ${id}, '[]', now(), 'succeeded') returning id)
        update mailboxes set operation_id = made.id from made where mailboxes.id = ${id}`.execute(
        database.db,
      );
    }
    const { cluster_id: clusterId } = await database.db
      .selectFrom('mailboxes')
      .select('cluster_id')
      .where('id', '=', ids[0])
      .executeTakeFirstOrThrow();
    started.length = 0;
    await call('POST', '/v1/inbox/sync');
    await call('POST', '/v1/inbox/sync');
    expect(started).toEqual([`inbox/${clusterId}`]);
  });
});
