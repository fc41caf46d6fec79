/** Schedules over HTTP: what is refused, what is told, and what Temporal is told of. Choice 94. */
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { MAX_SCHEDULES } from '../../src/domain/schedules/schedules.ts';
import { describeApi } from '../support/api/describe-api.ts';

let token: string;
let kept: number[];
let started: string[];
const { api, database } = describeApi(() => ({
  context: {
    maps: { apify: {} },
    keepSchedule: async (id: number) => {
      kept.push(id);
      return 'kept';
    },
    nextRunsOf: async ({ paused }: { paused: boolean }) =>
      paused ? [] : [new Date('2030-01-07T08:30:00Z')],
    startOperation: async ({ workflow_id }: { workflow_id: string }) => {
      started.push(workflow_id);
      return false;
    },
  } as unknown as Partial<Context>,
}));

beforeAll(async () => {
  token = await api.jwt('ann');
});
beforeEach(() => {
  kept = [];
  started = [];
});

const path = '/v1/schedules';
const call = (method: string, to: string, body?: object, headers: Record<string, string> = {}) =>
  api.call(method, to, { token, headers, ...(body && { body }) });
const order = {
  name: 'Bakeries',
  mapsRun: { searchStringsArray: ['bakery'], locationQuery: 'Berlin', placeMinimumStars: 4 },
  times: { timeZone: 'europe/berlin', time: '09:30', weekdays: ['monday', 'monday'] },
};
const created = async (body: object = order) => (await call('POST', path, body)).body.data;

describe('POST /v1/schedules', () => {
  it('answers with every default, and tells Temporal of it', async () => {
    const { status, body } = await call('POST', path, order);
    expect([status, body.message]).toEqual([201, 'The schedule is set']);
    expect(body.data).toMatchObject({
      name: 'Bakeries',
      kind: 'maps_run',
      onlyNewPlaces: true,
      paused: false,
      leadProcess: null,
      mapsRun: {
        searchStringsArray: ['bakery'],
        locationQuery: 'Berlin',
        placeMinimumStars: 4,
        maxCrawledPlacesPerSearch: 50,
        scrapeContacts: false,
      },
      times: {
        timeZone: 'Europe/Berlin',
        time: '09:30',
        weekdays: ['monday'],
        daysOfMonth: [],
      },
    });
    expect(kept).toEqual([body.data.id]);
  });

  it('takes a discovery as well', async () => {
    const leadProcess = { searchTerm: 'yoga mats', leadCount: 20 };
    expect(await created({ name: 'Ads', leadProcess, times: { time: '23:59' } })).toMatchObject({
      kind: 'lead_process',
      mapsRun: null,
      onlyNewPlaces: null,
      leadProcess: { searchTerm: 'yoga mats', leadCount: 20, adReachedCountries: ['US'] },
      times: { timeZone: 'UTC', weekdays: [] },
    });
  });

  it.each([
    ['mapsRun', { mapsRun: undefined }],
    ['mapsRun', { leadProcess: { searchTerm: 'x' } }],
    ['mapsRun.searchStringsArray', { mapsRun: {} }],
    ['name', { name: ' ' }],
    ['times.time', { times: { time: '24:00' } }],
    ['times.timeZone', { times: { time: '09:00', timeZone: 'Mars/Olympus' } }],
    ['times.timeZone', { times: { time: '09:00', timeZone: 'SystemV/AST4' } }],
    ['times.weekdays[0]', { times: { time: '09:00', weekdays: ['someday'] } }],
    ['times.daysOfMonth[0]', { times: { time: '09:00', daysOfMonth: [32] } }],
  ])('names %s where that is wrong', async (field, change) => {
    const { status, body } = await call('POST', path, { ...order, ...change });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(body.details.map((one: { field: string }) => one.field)).toContain(field);
    expect(kept).toEqual([]);
  });

  it('does not find a list of somebody else', async () => {
    const other = await api.jwt('bob');
    const made = await api.call('POST', '/v1/lead-lists', { token: other, body: { name: 'L' } });
    const mapsRun = { ...order.mapsRun, leadListId: made.body.data.id };
    const { status, body } = await call('POST', path, { ...order, mapsRun });
    expect([status, body.code]).toEqual([404, 'LEAD_LIST_NOT_FOUND']);
  });

  it('makes one of a request that is repeated', async () => {
    const key = { 'idempotency-key': '5f4b2a52-6f1c-4b8f-9f0a-2b9f8a4d7c11' };
    const first = await call('POST', path, order, key);
    // Its answer is lost; the row is there.
    await database.db.deleteFrom('idempotency_keys').execute();
    const second = await call('POST', path, order, key);
    expect(second.body.data).toEqual(first.body.data);
  });

  it('says how many an account may have', async () => {
    token = await api.jwt('collector');
    const mine = await created();
    for (let n = 1; n < MAX_SCHEDULES; n += 1) await created();
    const { status, body } = await call('POST', path, order);
    expect([status, body.code]).toEqual([400, 'TOO_MANY_SCHEDULES']);
    expect((await call('DELETE', `${path}/${mine.id}`)).status).toBe(200);
    expect((await call('POST', path, order)).status).toBe(201);
    token = await api.jwt('ann');
  });
});

describe('a schedule', () => {
  it('is listed and read, with its next runs', async () => {
    token = await api.jwt('reader');
    const [first, second] = [await created(), await created()];
    const page = await call('GET', `${path}?limit=1`);
    expect(page.body).toMatchObject({
      data: [{ id: second.id }],
      meta: { pagination: { total: 2, hasNext: true } },
    });
    expect((await call('GET', `${path}/${first.id}`)).body.data).toEqual({
      ...first,
      nextRuns: ['2030-01-07T08:30:00.000Z'],
    });
    token = await api.jwt('ann');
  });

  it('is changed in part, paused and resumed', async () => {
    const { id } = await created();
    const paused = await call('PATCH', `${path}/${id}`, { paused: true });
    expect(paused.body.data).toMatchObject({ paused: true, name: 'Bakeries', onlyNewPlaces: true });
    expect((await call('GET', `${path}/${id}`)).body.data.nextRuns).toEqual([]);
    const mapsRun = { searchStringsArray: ['florist'] };
    const changed = await call('PATCH', `${path}/${id}`, { paused: false, mapsRun });
    expect(changed.body.data).toMatchObject({
      paused: false,
      mapsRun: { searchStringsArray: ['florist'], locationQuery: '' },
    });
    expect(kept).toEqual([id, id, id]);
    const other = await call('PATCH', `${path}/${id}`, { leadProcess: { searchTerm: 'x' } });
    expect(other.body).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ field: 'leadProcess' }],
    });
    expect((await call('PATCH', `${path}/${id}`, {})).status).toBe(400);
  });

  it('keeps of its times what a change leaves out', async () => {
    const { id } = await created();
    const changed = async (times: object) =>
      (await call('PATCH', `${path}/${id}`, { times })).body.data.times;
    const before = { timeZone: 'Europe/Berlin', weekdays: ['monday'], daysOfMonth: [] };
    expect(await changed({ time: '10:00' })).toEqual({ ...before, time: '10:00' });
    expect(await changed({ weekdays: [], timeZone: 'america/new_york' })).toEqual({
      timeZone: 'America/New_York',
      time: '10:00',
      weekdays: [],
      daysOfMonth: [],
    });
    const { body } = await call('PATCH', `${path}/${id}`, { times: { time: '24:00' } });
    expect(body).toMatchObject({ details: [{ field: 'times.time' }] });
  });

  it('is gone after its deletion, and Temporal is told', async () => {
    const { id } = await created();
    expect((await call('DELETE', `${path}/${id}`)).body.data).toEqual({ id });
    for (const [method, to] of [
      ['GET', `${path}/${id}`],
      ['GET', `${path}/${id}/runs`],
      ['DELETE', `${path}/${id}`],
      ['POST', `${path}/${id}/run`],
    ] as const) {
      expect((await call(method, to)).body.code).toBe('SCHEDULE_NOT_FOUND');
    }
    expect(kept).toEqual([id, id]);
  });

  it('is run at once, and its runs are listed with what was new', async () => {
    const { id } = await created();
    const { status, body } = await call('POST', `${path}/${id}/run`);
    expect([status, body.data.outcome, body.data.status]).toEqual([201, 'started', 'queued']);
    const { mapsRunId } = body.data;
    expect(started).toEqual([`maps-run/${mapsRunId}`]);
    expect((await call('POST', `${path}/${id}/run`)).body.code).toBe('INVALID_STATE');
    await database.db
      .updateTable('maps_runs')
      .set({ status: 'completed', saved_items: 3, known_items: 9, total_items: 12 })
      .where('id', '=', mapsRunId)
      .execute();
    expect((await call('GET', `${path}/${id}/runs`)).body).toMatchObject({
      data: [{ mapsRunId, status: 'completed', newPlaces: 3, knownPlaces: 9, newLeads: null }],
      meta: { pagination: { total: 1 } },
    });
    expect((await call('GET', `/v1/maps-scraper/runs/${mapsRunId}`)).status).toBe(200);
    expect((await call('POST', `${path}/${id}/run`)).status).toBe(201);
  });

  it('refuses to run at once where its list is gone, and names the field of the schedule that has it', async () => {
    const made = await call('POST', '/v1/lead-lists', { name: 'Gone' });
    const leadListId = made.body.data.id as number;
    const { id } = await created({ ...order, mapsRun: { ...order.mapsRun, leadListId } });
    await database.db.deleteFrom('lead_lists').where('id', '=', leadListId).execute();
    const { status, body } = await call('POST', `${path}/${id}/run`);
    const message = `mapsRun.leadListId: lead list ${leadListId} not found`;
    expect({ status, details: body.details }).toEqual({
      status: 404,
      details: [{ field: 'mapsRun.leadListId', message }],
    });
  });
});

describe('a run of a schedule of discoveries', () => {
  it('reports what it has found so far: who is new, and who was a lead of the list before', async () => {
    const leadProcess = { searchTerm: 'yoga mats' };
    const { id } = await created({ name: 'Ads', leadProcess, times: { time: '23:59' } });
    const { status, body } = await call('POST', `${path}/${id}/run`);
    expect([status, body.data.outcome, body.data.mapsRunId]).toEqual([201, 'started', null]);
    const { leadProcessId } = body.data;
    const runs = async () => (await call('GET', `${path}/${id}/runs`)).body.data;
    const nothing = { newPlaces: null, knownPlaces: null, verdict: null };
    expect(await runs()).toMatchObject([
      { ...nothing, leadProcessId, status: 'processing', newLeads: 0, knownLeads: 0 },
    ]);
    await database.db
      .updateTable('lead_processes')
      .set({ status: 'completed', found_leads: 7, duplicate_leads: 4 })
      .where('id', '=', leadProcessId)
      .execute();
    expect(await runs()).toMatchObject([
      { ...nothing, leadProcessId, status: 'completed', newLeads: 7, knownLeads: 4 },
    ]);
  });
});

describe('a key without the scope of what a schedule orders', () => {
  it('may pause it and delete it, but not change it and not run it', async () => {
    const { id } = await created();
    const keyed = async (scopes: string[], method: string, to: string, body?: object) => {
      const made = await call('POST', '/api/keys', { name: 'k', scopes });
      const answer = await api.call(method, to, {
        token: made.body.data.key,
        ...(body && { body }),
      });
      return answer.status < 300 ? 'done' : answer.body.code;
    };
    const own = ['schedules:write'];
    const both = ['schedules:write', 'maps:write'];
    const [one, run] = [`${path}/${id}`, `${path}/${id}/run`];
    for (const change of [{ name: 'x' }, { paused: false }, { paused: true, name: 'x' }]) {
      expect(await keyed(own, 'PATCH', one, change)).toBe('SCOPE_REQUIRED');
      expect(await keyed(both, 'PATCH', one, change)).toBe('done');
    }
    expect(await keyed(own, 'PATCH', one, { paused: true })).toBe('done');
    expect(await keyed(own, 'POST', run)).toBe('SCOPE_REQUIRED');
    expect(await keyed(both, 'POST', run)).toBe('done');
    expect(await keyed(own, 'DELETE', one)).toBe('done');
  });
});

describe('a request with a key', () => {
  const key = { 'idempotency-key': 'nightly' };
  /** The answers that are kept are gone, and what was made is as old. */
  const later = async (hours: number) => {
    const then = new Date(Date.now() - hours * 3_600_000);
    const set = sql`set created_at = ${then}`;
    await database.db.deleteFrom('idempotency_keys').execute();
    for (const table of ['schedules', 'schedule_runs', 'operations']) {
      await sql`update ${sql.table(table)} ${set}`.execute(database.db);
    }
    await database.db.updateTable('maps_runs').set({ status: 'completed' }).execute();
  };

  it('makes a schedule and a run once within a day, and anew after it', async () => {
    token = await api.jwt('nightly');
    const make = async () => (await call('POST', path, order, key)).body.data.id;
    const first = await make();
    const run = async () => (await call('POST', `${path}/${first}/run`, undefined, key)).body.data;
    const begun = await run();
    await later(23);
    expect([await make(), await run()]).toMatchObject([first, { id: begun.id }]);
    await later(25);
    const [second, again] = [await make(), await run()];
    expect(second).not.toBe(first);
    expect(again.id).not.toBe(begun.id);
    expect(again.mapsRunId).not.toBe(begun.mapsRunId);
    await later(1);
    expect([await make(), await run()]).toMatchObject([second, { id: again.id }]);
    token = await api.jwt('ann');
  });

  it('makes a schedule anew where that was deleted', async () => {
    token = await api.jwt('deleter');
    const first = await call('POST', path, order, key);
    await call('DELETE', `${path}/${first.body.data.id}`);
    await later(1);
    const { id } = (await call('POST', path, order, key)).body.data;
    expect((await call('GET', `${path}/${id}`)).status).toBe(200);
    token = await api.jwt('ann');
  });
});
