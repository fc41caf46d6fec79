/** Discovery over HTTP: what may be ordered, and what may be asked of a process. Choices 4, 19-23. */
import { WorkflowNotFoundError } from '@temporalio/client';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { leadProcessRows } from '../../src/db/discovery/lead-process-states.ts';
import type { LeadProcessStatus } from '../../src/domain/discovery/discovery.ts';
import { describeApi } from '../support/api/describe-api.ts';
import { wordsOf } from '../support/api/refusals.ts';
import { startInRows } from '../support/workflows/start-in-rows.ts';
import { withoutRunKey } from '../support/workflows/run-keys.ts';

const { api, database } = describeApi(() => ({
  context: { temporal, startOperation: startInRows(() => database) } as unknown as Partial<Context>,
}));
let token: string;
let stranger: string;
/** What Temporal was told, or how it fails. */
let signals: string[] = [];
let temporalFails: Error | undefined;

const temporal = {
  withDeadline: (_at: number, work: () => Promise<unknown>) => work(),
  workflow: {
    getHandle: (id: string) => ({
      signal: async ({ name }: { name: string }) => {
        if (temporalFails) throw temporalFails;
        signals.push(`${withoutRunKey(id)} ${name}`);
      },
    }),
  },
};

beforeAll(async () => {
  token = await api.jwt('user-1');
  stranger = await api.jwt('user-2');
});
beforeEach(() => {
  signals = [];
  temporalFails = undefined;
});

const call = (method: string, path: string, body?: object, as = token) =>
  api.call(method, path, { token: as, ...(body && { body }) });
const start = (body: object = { searchTerm: 'running shoes' }) =>
  call('POST', '/v1/leads/process', body);
const started = async (body?: object) => (await start(body)).body.data;
const setStatus = (id: number, status: LeadProcessStatus) =>
  database.db.updateTable('lead_processes').set({ status }).where('id', '=', id).execute();

describe('POST /v1/leads/process', () => {
  it('502 where no ad library is configured: nothing is made', async () => {
    const context = api.context as { adLibraries: Context['adLibraries'] };
    const { adLibraries } = context;
    const lists = async () => (await call('GET', '/v1/lead-lists')).body.data;
    const before = await lists();
    context.adLibraries = {};
    try {
      expect(await start()).toMatchObject({
        status: 502,
        body: { code: 'UPSTREAM_UNAVAILABLE', error: 'No ad library is configured' },
      });
      const job = { leadProcess: { searchTerm: 'shoes' }, times: { time: '09:00' } };
      const schedule = await call('POST', '/v1/schedules', { name: 'x', ...job });
      expect([schedule.status, schedule.body.error]).toEqual([502, 'No ad library is configured']);
    } finally {
      context.adLibraries = adLibraries;
    }
    expect(await lists()).toEqual(before);
  });

  it('201 with a message and the process, counters at 0 (Spec: Lead discovery)', async () => {
    const { status, body } = await start({ searchTerm: '  running shoes ', leadCount: 50 });
    expect(status).toBe(201);
    expect(body.message).toBeTypeOf('string');
    expect(body.data).toMatchObject({
      id: expect.any(Number),
      userId: 'user-1',
      leadListId: expect.any(Number),
      leadCount: 50,
      processedLeads: 0,
      foundLeads: 0,
      searchTerm: 'running shoes',
      adReachedCountries: ['US'],
      status: 'processing',
      progressPercent: 0,
      step: null,
      error: null,
      startedAt: null,
      completedAt: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
  });

  it('defaults to 100 leads in the US (Spec; choice 22)', async () => {
    expect(await started()).toMatchObject({ leadCount: 100, adReachedCountries: ['US'] });
  });

  it('makes a new list named like the term when none is named (Spec)', async () => {
    const { leadListId } = await started({ searchTerm: 'yoga mats' });
    const lists = await database.db
      .selectFrom('lead_lists')
      .selectAll()
      .where('id', '=', leadListId)
      .execute();
    expect(lists).toMatchObject([{ name: 'yoga mats', source: 'discovery', user_id: 'user-1' }]);
  });

  it('takes an existing list', async () => {
    const { leadListId } = await started();
    expect(await started({ searchTerm: 'x', leadListId })).toMatchObject({ leadListId });
  });

  it('404 for a missing list and for another user’s, in the same words, and keeps nothing', async () => {
    const { leadListId } = await started();
    const before = (await call('GET', '/v1/leads/process')).body.data.length;
    const missing = await start({ searchTerm: 'x', leadListId: 999_999 });
    const body = { searchTerm: 'x', leadListId };
    const foreign = await call('POST', '/v1/leads/process', body, stranger);
    expect(missing).toMatchObject({ status: 404, body: { code: 'LEAD_LIST_NOT_FOUND' } });
    const words = [wordsOf(foreign.body, leadListId), wordsOf(missing.body, 999_999)];
    expect([foreign.status, words[0]]).toEqual([404, words[1]]);
    expect((await call('GET', '/v1/leads/process')).body.data).toHaveLength(before);
    expect((await call('GET', '/v1/leads/process', undefined, stranger)).body.data).toEqual([]);
  });

  it('writes the intent to start its workflow with it', async () => {
    const { id } = await started({ searchTerm: 'x', leadCount: 7 });
    const operations = await database.db
      .selectFrom('operations')
      .selectAll()
      .where('resource_type', '=', 'lead_process')
      .where('resource_id', '=', id)
      .execute();
    expect(operations).toMatchObject([
      { kind: 'discoverLeads', workflow_id: `discovery/${id}`, input: { processId: id } },
    ]);
  });

  it('reads countries in any case and each once; takes ALL (choice 22)', async () => {
    const adReachedCountries = ['de', ' FR', 'DE'];
    const one = await started({ searchTerm: 'x', adReachedCountries });
    expect(one.adReachedCountries).toEqual(['DE', 'FR']);
    const all = await started({ searchTerm: 'x', adReachedCountries: ['all'] });
    expect(all.adReachedCountries).toEqual(['ALL']);
  });

  it('accepts the bounds of choice 23', async () => {
    expect((await start({ searchTerm: 'x', leadCount: 1 })).status).toBe(201);
    expect((await start({ searchTerm: 'y'.repeat(100), leadCount: 10_000 })).status).toBe(201);
  });

  it.each([
    [{}, 'searchTerm'],
    [{ searchTerm: '   ' }, 'searchTerm'],
    [{ searchTerm: 'y'.repeat(101) }, 'searchTerm'],
    [{ searchTerm: 7 }, 'searchTerm'],
    [{ searchTerm: 'x', leadCount: 0 }, 'leadCount'],
    [{ searchTerm: 'x', leadCount: -5 }, 'leadCount'],
    [{ searchTerm: 'x', leadCount: 1.5 }, 'leadCount'],
    [{ searchTerm: 'x', leadCount: 10_001 }, 'leadCount'],
    [{ searchTerm: 'x', leadCount: '5' }, 'leadCount'],
    [{ searchTerm: 'x', adReachedCountries: [] }, 'adReachedCountries'],
    [{ searchTerm: 'x', adReachedCountries: ['XX'] }, 'adReachedCountries[0]'],
    [{ searchTerm: 'x', adReachedCountries: ['USA'] }, 'adReachedCountries[0]'],
    [{ searchTerm: 'x', adReachedCountries: Array(51).fill('US') }, 'adReachedCountries'],
    [{ searchTerm: 'x', adReachedCountries: 'US' }, 'adReachedCountries'],
    [{ searchTerm: 'x', leadListId: 'seven' }, 'leadListId'],
  ])('400 for %j, naming %s', async (body, field) => {
    const answer = await start(body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
    expect(answer.body.details[0].field).toBe(field);
  });

  it('401 without a token', async () => {
    const body = { searchTerm: 'x' };
    expect((await api.call('POST', '/v1/leads/process', { body })).status).toBe(401);
  });
});

describe('GET /v1/leads/process', () => {
  it('lists all, newest first, when no page is asked for (Spec)', async () => {
    for (let i = 0; i < 25; i += 1) await start();
    const { body } = await call('GET', '/v1/leads/process');
    const ids = body.data.map(({ id }: { id: number }) => id);
    expect(ids.length).toBeGreaterThan(25);
    expect(ids).toEqual(ids.toSorted((a: number, b: number) => b - a));
    expect(body.meta).toBeUndefined();
    expect(body.data[0].updatedAt).toBeTypeOf('string');
  });

  it('pages with page or limit, and clamps a limit over 100', async () => {
    const { body } = await call('GET', '/v1/leads/process?page=2&limit=10');
    expect(body.data).toHaveLength(10);
    expect(body.meta.pagination).toMatchObject({ page: 2, limit: 10, hasNext: true });
    const alone = await call('GET', '/v1/leads/process?page=1');
    expect(alone.body.meta.pagination).toMatchObject({ page: 1, limit: 20 });
    const clamped = await call('GET', '/v1/leads/process?limit=500');
    expect(clamped.body.meta.pagination).toMatchObject({ limit: 100 });
    expect((await call('GET', '/v1/leads/process?limit=0')).status).toBe(400);
  });

  it('filters by status', async () => {
    const { id } = await started();
    await setStatus(id, 'failed');
    const { body } = await call('GET', '/v1/leads/process?status=failed');
    expect(body.data.map((row: { id: number }) => row.id)).toEqual([id]);
    expect((await call('GET', '/v1/leads/process?status=lost')).status).toBe(400);
    await setStatus(id, 'processing');
  });
});

describe('GET /v1/leads/process/:id', () => {
  it('adds the sources of ads and of contacts, and notes (choice 21)', async () => {
    const { id } = await started();
    const { db } = database;
    const note = 'The library meta does not cover US; apify was used';
    const source = { process_id: id, vendor: 'apify', countries: ['US'], note };
    await db.insertInto('lead_process_sources').values(source).execute();
    await db
      .insertInto('lead_process_finders')
      .values([
        {
          process_id: id,
          vendor: 'hunter',
          place: 1,
          state: 'stopped',
          note: 'hunter has no credits left: skipped',
        },
        { process_id: id, vendor: 'website', asked: 4, contacts: 3 },
      ])
      .execute();
    const { status, body } = await call('GET', `/v1/leads/process/${id}`);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      id,
      adSources: [{ vendor: 'apify', countries: ['US'], state: 'waiting', ads: 0 }],
      contactSources: [
        { vendor: 'website', state: 'active', companies: 4, contacts: 3, credits: 0 },
        { vendor: 'hunter', state: 'stopped' },
      ],
      notes: [note, 'hunter has no credits left: skipped'],
    });
  });

  it('404 for a missing one and for another user’s; 400 for no number', async () => {
    const { id } = await started();
    const foreign = await call('GET', `/v1/leads/process/${id}`, undefined, stranger);
    expect(foreign).toMatchObject({ status: 404, body: { code: 'PROCESS_NOT_FOUND' } });
    expect((await call('GET', '/v1/leads/process/999999')).status).toBe(404);
    const word = await call('GET', '/v1/leads/process/seven');
    expect(word).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } });
  });
});

describe('pause, resume and cancel', () => {
  const final = ['completed', 'failed', 'cancelled'] as const;
  const requests = { pause: 'paused', resume: 'processing', cancel: 'cancelled' } as const;
  /** Choice 19: state, request, and the state after it. */
  const legal: [LeadProcessStatus, keyof typeof requests, LeadProcessStatus][] = [
    ['processing', 'pause', 'paused'],
    ['paused', 'resume', 'processing'],
    ['processing', 'cancel', 'cancelled'],
    ['paused', 'cancel', 'cancelled'],
  ];
  const same: [LeadProcessStatus, keyof typeof requests][] = [
    ['paused', 'pause'],
    ['processing', 'resume'],
    ['cancelled', 'cancel'],
  ];
  const refused = final.flatMap((status) =>
    (Object.keys(requests) as (keyof typeof requests)[])
      .filter((request) => requests[request] !== status)
      .map((request) => [status, request] as const),
  );

  it.each(legal)(
    '%s, asked to %s, becomes %s, and the workflow hears of it',
    async (from, request, to) => {
      const { id } = await started();
      await setStatus(id, from);
      const { status, body } = await call('POST', `/v1/leads/process/${id}/${request}`);
      expect(status).toBe(200);
      expect(body).toMatchObject({
        success: true,
        message: expect.any(String),
        data: { id, status: to },
      });
      expect(body.data.completedAt === null).toBe(to !== 'cancelled');
      expect(signals).toEqual([`discovery/${id} ${request}`]);
    },
  );

  it.each(same)('%s, asked to %s, stays so: 200, nothing is told', async (from, request) => {
    const { id } = await started();
    await setStatus(id, from);
    const { status, body } = await call('POST', `/v1/leads/process/${id}/${request}`);
    expect([status, body.data.status]).toEqual([200, from]);
    expect(signals).toEqual([]);
  });

  it.each(refused)('%s, asked to %s: 400 PROCESS_NOT_ACTIVE', async (from, request) => {
    const { id } = await started();
    await setStatus(id, from);
    const answer = await call('POST', `/v1/leads/process/${id}/${request}`);
    expect(answer).toMatchObject({ status: 400, body: { code: 'PROCESS_NOT_ACTIVE' } });
    expect(signals).toEqual([]);
  });

  it('502 and no change when Temporal cannot be reached', async () => {
    const { id } = await started();
    temporalFails = new Error('connect ECONNREFUSED');
    const answer = await call('POST', `/v1/leads/process/${id}/pause`);
    expect(answer).toMatchObject({ status: 502, body: { code: 'UPSTREAM_UNAVAILABLE' } });
    expect((await call('GET', `/v1/leads/process/${id}`)).body.data.status).toBe('processing');
  });

  it('200 when the workflow is not started yet: it reads the row', async () => {
    const { id } = await started();
    temporalFails = new WorkflowNotFoundError('not found', `discovery/${id}`, undefined);
    const { status, body } = await call('POST', `/v1/leads/process/${id}/cancel`);
    expect([status, body.data.status]).toEqual([200, 'cancelled']);
  });

  it('404 for another user’s process', async () => {
    const { id } = await started();
    for (const request of Object.keys(requests)) {
      const answer = await call('POST', `/v1/leads/process/${id}/${request}`, undefined, stranger);
      expect(answer).toMatchObject({ status: 404, body: { code: 'PROCESS_NOT_FOUND' } });
    }
  });
});

describe('deleting the list of a process (choice 4)', () => {
  it.each(['processing', 'paused'] as const)('cancels one that is %s', async (status) => {
    const { id, leadListId } = await started();
    await setStatus(id, status);
    expect((await call('DELETE', `/v1/lead-lists/${leadListId}`)).status).toBe(200);
    const { body } = await call('GET', `/v1/leads/process/${id}`);
    expect(body.data).toMatchObject({ status: 'cancelled', leadListId: null });
    expect(body.data.notes).toContain('Its lead list was deleted');
  });

  it('leaves one that has ended as it was', async () => {
    const { id, leadListId } = await started();
    await setStatus(id, 'completed');
    await call('DELETE', `/v1/lead-lists/${leadListId}`);
    const { body } = await call('GET', `/v1/leads/process/${id}`);
    expect(body.data).toMatchObject({ status: 'completed', leadListId: null });
  });
});

describe('the end of a process', () => {
  const settle = (id: number, end: Parameters<typeof leadProcessRows.settle>[2]) =>
    database.db.transaction().execute((trx) => leadProcessRows.settle(trx, id, end));
  const error = { code: 'PROVIDER_AUTH', message: 'meta does not accept our credentials' };

  it('is completed, with 100 percent', async () => {
    const { id } = await started();
    await settle(id, { outcome: 'succeeded' });
    const { body } = await call('GET', `/v1/leads/process/${id}`);
    expect(body.data).toMatchObject({ status: 'completed', progressPercent: 100, step: null });
    expect(body.data.completedAt).toBeTypeOf('string');
  });

  it('is failed with the reason when nothing was found (choice 63)', async () => {
    const { id } = await started();
    await settle(id, { outcome: 'failed', error });
    const { body } = await call('GET', `/v1/leads/process/${id}`);
    expect(body.data).toMatchObject({ status: 'failed', error });
  });

  it('is completed with a note when a vendor failed after leads were found (choice 63)', async () => {
    const { id } = await started();
    await database.db
      .updateTable('lead_processes')
      .set({ found_leads: 3 })
      .where('id', '=', id)
      .execute();
    await settle(id, { outcome: 'failed', error });
    const { body } = await call('GET', `/v1/leads/process/${id}`);
    expect(body.data).toMatchObject({ status: 'completed', error: null, notes: [error.message] });
  });

  it('does not change one that has ended, and cancels one whose run was cancelled', async () => {
    const { id } = await started();
    await settle(id, { outcome: 'failed', error: { code: 'CANCELLED', message: 'Cancelled' } });
    await settle(id, { outcome: 'succeeded' });
    const { body } = await call('GET', `/v1/leads/process/${id}`);
    expect(body.data).toMatchObject({ status: 'cancelled', error: null });
  });
});
