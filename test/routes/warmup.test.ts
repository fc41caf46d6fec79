/** The routes of warm-up and of a mailbox's limits. Choices 28, 58. */
import { beforeAll, describe, expect, it } from 'vitest';
import { WorkflowNotFoundError } from '@temporalio/client';
import type { Context } from '../../src/context.ts';
import type { Operation } from '../../src/db/operations/operations.ts';
import { warmupRows } from '../../src/db/warmup/warmups.ts';
import { mailboxRoutes } from '../../src/routes/mailboxes/mailboxes.ts';
import { warmupRoutes } from '../../src/routes/warmup/warmup.ts';
import { addMailboxes } from '../support/campaigns/campaign-world.ts';
import { describeApi } from '../support/api/describe-api.ts';
import { withoutRunKey } from '../support/workflows/run-keys.ts';

const { api, database } = describeApi(() => ({
  routes: (context) => [...warmupRoutes(context), ...mailboxRoutes(context)],
  context: { temporal: quietTemporal(), startOperation },
}));
let token: string;
let mailboxIds: number[];
let foreignId: number;
const started: Operation[] = [];
const signals: { workflowId: string; signal: string }[] = [];

beforeAll(async () => {
  token = await api.jwt('warm');
  await api.call('GET', '/v1/warmup', { token });
  await api.call('GET', '/v1/warmup', { token: await api.jwt('other') });
  mailboxIds = await addMailboxes(api.context, 'warm', { count: 4 });
  [foreignId] = (await addMailboxes(api.context, 'other', { count: 1 })) as [number];
});

async function startOperation(operation: Operation): Promise<boolean> {
  started.push(operation);
  return true;
}

/** Hears signals; the workflows behind them are tested with a server elsewhere. */
function quietTemporal(): Context['temporal'] {
  const getHandle = (id: string) => ({
    async signal({ name }: { name: string }) {
      const workflowId = withoutRunKey(id);
      signals.push({ workflowId, signal: name });
      if (workflowId.endsWith('/gone')) throw new WorkflowNotFoundError('gone', workflowId, '');
    },
  });
  const withDeadline = <T>(_: number, work: () => Promise<T>) => work();
  return { workflow: { getHandle }, withDeadline } as unknown as Context['temporal'];
}

const call = (method: string, path: string, body?: unknown) =>
  api.call(method, `/v1${path}`, { token, ...(body !== undefined && { body }) });
const act = (id: number, action: string) => call('POST', `/warmup/mailboxes/${id}/${action}`);
const rowOf = (id: number) =>
  database.db
    .selectFrom('warmups')
    .selectAll()
    .where('mailbox_id', '=', id)
    .executeTakeFirstOrThrow();

const DEFAULTS = {
  startVolume: 5,
  dailyIncrease: 2,
  maxVolume: 40,
  replyRate: 30,
  weekdaysOnly: true,
};

describe('GET /v1/warmup', () => {
  it('lists all mailboxes, those that were never enrolled as inactive', async () => {
    const { status, body } = await call('GET', '/warmup?limit=2');
    expect(status).toBe(200);
    expect(body.data.map((one: { mailboxId: number }) => one.mailboxId)).toEqual(
      mailboxIds.toReversed().slice(0, 2),
    );
    expect(body.data[0]).toMatchObject({
      status: 'inactive',
      settings: DEFAULTS,
      day: 0,
      coldAllowance: 30,
      health: 'unknown',
      healthScore: null,
      startedAt: null,
    });
    expect(body.meta.pagination).toMatchObject({ total: 4, hasNext: true });
  });

  it('filters by state, the never enrolled included', async () => {
    const { body } = await call('GET', '/warmup?status=inactive');
    expect(body.meta.pagination.total).toBe(4);
    expect((await call('GET', '/warmup?status=active')).body.data).toEqual([]);
    expect((await call('GET', '/warmup?status=hot')).body.code).toBe('VALIDATION_ERROR');
  });
});

describe('start, pause, resume, stop', () => {
  it('write the row and the intent, tell the workflow, and are no-ops in the same state', async () => {
    const id = mailboxIds[0]!;
    const start = await act(id, 'start');
    expect(start.status).toBe(200);
    expect(start.body.data).toMatchObject({ status: 'warming', day: 0, coldAllowance: 0 });
    const [operation] = started;
    expect(operation).toMatchObject({
      workflow_id: `warmup/${id}`,
      resource_type: 'warmup',
      resource_id: id,
      input: { mailboxId: id },
    });
    expect((await act(id, 'start')).body.data.status).toBe('warming');
    expect(started).toHaveLength(1);

    expect((await act(id, 'pause')).body.data).toMatchObject({
      status: 'paused',
      statusReason: 'user',
      coldAllowance: 0,
    });
    expect((await act(id, 'pause')).status).toBe(200);
    expect((await act(id, 'start')).body.code).toBe('INVALID_STATE');
    expect((await act(id, 'resume')).body.data).toMatchObject({
      status: 'warming',
      pausedAt: null,
    });
    expect((await act(id, 'stop')).body.data).toMatchObject({ status: 'inactive' });
    expect((await act(id, 'stop')).status).toBe(200);
    for (const action of ['pause', 'resume']) {
      const { code, error } = (await act(id, action)).body;
      expect(code).toBe('INVALID_STATE');
      expect(error).toBe(`Warm-up is inactive: ${action} is not possible`);
    }
    const told = signals.filter(({ workflowId }) => workflowId === `warmup/${id}`);
    expect(told.map(({ signal }) => signal)).toEqual(['pause', 'resume', 'cancel']);
  });

  it('may be started again after a stop, as another run on its first day', async () => {
    const id = mailboxIds[0]!;
    await database.db
      .updateTable('warmups')
      .set({ day: 20, cold_day: 6 })
      .where('mailbox_id', '=', id)
      .execute();
    const { body } = await act(id, 'start');
    expect(body.data).toMatchObject({ status: 'warming', day: 0, coldAllowance: 0 });
    expect(started.at(-1)!.workflow_id).toBe(`warmup/${id}/2`);
    await act(id, 'stop');
  });

  it('resume where it stood: on day 20 it is active', async () => {
    const id = mailboxIds[1]!;
    await act(id, 'start');
    await act(id, 'pause');
    await database.db
      .updateTable('warmups')
      .set({ day: 20, cold_day: 2 })
      .where('mailbox_id', '=', id)
      .execute();
    const { body } = await act(id, 'resume');
    expect(body.data).toMatchObject({ status: 'active', day: 20, coldAllowance: 10 });
    await act(id, 'stop');
  });

  it('do not lift a quarantine by a pause, and say all the time why it is there', async () => {
    const id = mailboxIds[1]!;
    await act(id, 'start');
    const quarantined = { status: 'quarantined', status_reason: 'login_refused' } as const;
    await database.db
      .updateTable('warmups')
      .set({ ...quarantined, quarantined_at: new Date(), day: 20, cold_day: 2 })
      .where('mailbox_id', '=', id)
      .execute();
    const paused = (await act(id, 'pause')).body.data;
    expect(paused).toMatchObject({ status: 'paused', statusReason: 'login_refused' });
    const resumed = (await act(id, 'resume')).body.data;
    expect(resumed).toMatchObject({ status: 'quarantined', statusReason: 'login_refused' });
    expect(resumed.coldAllowance).toBe(0);
    await database.db.transaction().execute(async (trx) => {
      await warmupRows.apply(trx, id, 'pause');
      await warmupRows.apply(trx, id, 'resume');
    });
    expect(await rowOf(id)).toMatchObject(quarantined);
    await act(id, 'stop');
  });

  it('cancel what was planned when they stop', async () => {
    const id = mailboxIds[1]!;
    await act(id, 'start');
    await addMessage(id, { state: 'planned', claimed_at: null });
    await act(id, 'stop');
    const states = await database.db
      .selectFrom('warmup_letters')
      .select('state')
      .where('from_mailbox_id', '=', id)
      .execute();
    expect(states).toEqual([{ state: 'cancelled' }]);
  });

  it('are 404 on foreign mailboxes, in the same words as on missing ones', async () => {
    const foreign = await act(foreignId, 'start');
    const missing = await act(999_999, 'start');
    expect(foreign.status).toBe(404);
    expect(foreign.body.code).toBe('MAILBOX_NOT_FOUND');
    expect(foreign.body.error).toBe(missing.body.error);
    const none = await database.db
      .selectFrom('warmups')
      .select('mailbox_id')
      .where('mailbox_id', '=', foreignId)
      .execute();
    expect(none).toEqual([]);
  });
});

describe('PATCH /v1/warmup/mailboxes/:id', () => {
  it('changes settings of one that is not enrolled yet, which start keeps', async () => {
    const id = mailboxIds[2]!;
    const patched = await call('PATCH', `/warmup/mailboxes/${id}`, { maxVolume: 20, replyRate: 0 });
    expect(patched.body.data).toMatchObject({
      status: 'inactive',
      settings: { ...DEFAULTS, maxVolume: 20, replyRate: 0 },
    });
    expect((await act(id, 'start')).body.data.settings.maxVolume).toBe(20);
    await call('PATCH', `/warmup/mailboxes/${id}`, { weekdaysOnly: false });
    expect(signals.at(-1)).toEqual({ workflowId: `warmup/${id}`, signal: 'settings' });
    await act(id, 'stop');
  });

  it.each([
    { startVolume: 0 },
    { startVolume: 21 },
    { dailyIncrease: -1 },
    { maxVolume: 51 },
    { replyRate: 101 },
    { replyRate: 1.5 },
    { weekdaysOnly: 'yes' },
    { startVolume: 10, maxVolume: 9 },
  ])('refuses %j', async (body) => {
    const { status, body: answer } = await call(
      'PATCH',
      `/warmup/mailboxes/${mailboxIds[3]}`,
      body,
    );
    expect(status).toBe(400);
    expect(answer.code).toBe('VALIDATION_ERROR');
  });
});

describe('POST /v1/warmup/bulk', () => {
  it('answers each mailbox by itself', async () => {
    await database.db
      .updateTable('mailboxes')
      .set({ status: 'pending' })
      .where('id', '=', mailboxIds[3]!)
      .execute();
    const body = { mailboxIds: [mailboxIds[0], foreignId, mailboxIds[3]], action: 'start' };
    const answer = await call('POST', '/warmup/bulk', body);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject([
      { mailboxId: mailboxIds[0], ok: true, status: 'warming', error: null },
      { mailboxId: foreignId, ok: false, status: null, error: { code: 'MAILBOX_NOT_FOUND' } },
      { mailboxId: mailboxIds[3], ok: false, error: { code: 'INVALID_STATE' } },
    ]);
    expect((await rowOf(mailboxIds[0]!)).status).toBe('warming');
  });

  it.each([
    { mailboxIds: [], action: 'start' },
    { mailboxIds: Array.from({ length: 101 }, (_, n) => n), action: 'start' },
    { mailboxIds: [1], action: 'burn' },
  ])('refuses %#', async (body) => {
    expect((await call('POST', '/warmup/bulk', body)).body.code).toBe('VALIDATION_ERROR');
  });
});

describe('GET /v1/warmup/mailboxes/:id/stats', () => {
  it('counts in all and by day where messages were seen, and what came from partners', async () => {
    const [id, , partner] = mailboxIds as [number, number, number];
    const first = new Date('2026-03-03T10:00:00Z');
    const second = new Date('2026-03-04T23:59:00Z');
    // A seed's inbox says where messages land; the inbox of a partner on a host of ours does not.
    const inInbox = { state: 'sent', claimed_at: first, seen_at: first, seen_in: 'inbox' } as const;
    await addMessage(id, { ...inInbox, to_mailbox_id: null });
    await addMessage(id, inInbox);
    const saved = { seen_at: second, seen_in: 'spam', saved_at: second } as const;
    await addMessage(id, { state: 'sent', claimed_at: second, ...saved });
    await addMessage(id, { state: 'refused', claimed_at: second });
    await addMessage(id, { state: 'sent', claimed_at: new Date('2026-03-05T00:00:00Z') });
    const own = { from_mailbox_id: partner, to_mailbox_id: id };
    await addMessage(partner, { ...own, state: 'sent', claimed_at: first, seen_at: first });
    const path = `/warmup/mailboxes/${id}/stats?from=2026-03-01&to=2026-03-04`;
    const { status, body } = await call('GET', path);
    expect(status).toBe(200);
    const { days, ...whole } = body.data;
    expect(whole).toEqual({
      from: '2026-03-01',
      to: '2026-03-04',
      sent: 3,
      received: 1,
      inbox: 1,
      spam: 1,
      savedFromSpam: 1,
      healthScore: null,
    });
    expect(days).toEqual([
      {
        date: '2026-03-03',
        sent: 2,
        received: 1,
        inbox: 1,
        spam: 0,
        savedFromSpam: 0,
        healthScore: 100,
      },
      {
        date: '2026-03-04',
        sent: 1,
        received: 0,
        inbox: 0,
        spam: 1,
        savedFromSpam: 1,
        healthScore: 61,
      },
    ]);
  });

  it.each(['from=2026-03-02&to=2026-03-01', 'from=2020-01-01&to=2026-01-01', 'from=tomorrow'])(
    'refuses %s',
    async (query) => {
      const { body } = await call('GET', `/warmup/mailboxes/${mailboxIds[0]}/stats?${query}`);
      expect(body.code).toBe('VALIDATION_ERROR');
    },
  );

  it('is 404 on a foreign mailbox', async () => {
    expect((await call('GET', `/warmup/mailboxes/${foreignId}/stats`)).status).toBe(404);
  });
});

describe('GET/PATCH /v1/mailboxes/:id/limits', () => {
  const path = () => `/mailboxes/${mailboxIds[0]}/limits`;

  it('are the defaults, then the mailbox’s own, and with null the defaults again', async () => {
    const defaults = { dailyLimit: 30, hourlyLimit: 8, minGapSeconds: 600 };
    expect((await call('GET', path())).body.data).toEqual(defaults);
    const own = await call('PATCH', path(), { dailyLimit: 12, minGapSeconds: 900 });
    expect(own.body.data).toEqual({ dailyLimit: 12, hourlyLimit: 8, minGapSeconds: 900 });
    const back = await call('PATCH', path(), { dailyLimit: null });
    expect(back.body.data).toEqual({ ...defaults, minGapSeconds: 900 });
  });

  it.each([
    { dailyLimit: 0 },
    { dailyLimit: 51 },
    { hourlyLimit: 51 },
    { minGapSeconds: -1 },
    { minGapSeconds: 86_401 },
    { dailyLimit: '12' },
  ])('refuse %j', async (body) => {
    expect((await call('PATCH', path(), body)).body.code).toBe('VALIDATION_ERROR');
  });

  it('are 404 on a foreign mailbox', async () => {
    const foreign = `/mailboxes/${foreignId}/limits`;
    expect((await call('GET', foreign)).status).toBe(404);
    expect((await call('PATCH', foreign, { dailyLimit: 5 })).status).toBe(404);
  });
});

type Message = Partial<{
  from_mailbox_id: number;
  to_mailbox_id: number | null;
  state: 'planned' | 'sent' | 'refused';
  claimed_at: Date | null;
  seen_at: Date;
  seen_in: 'inbox' | 'spam';
  saved_at: Date;
}>;

const addMessage = (mailboxId: number, message: Message) =>
  database.db
    .insertInto('warmup_letters')
    .values({
      from_mailbox_id: mailboxId,
      to_mailbox_id: foreignId,
      to_address: 'ben@other.test',
      message_id: `<${Math.random()}@one.test>`,
      planned_at: new Date(),
      ...message,
    })
    .execute();
