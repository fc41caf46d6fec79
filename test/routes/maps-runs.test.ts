/** Maps runs over HTTP: fields, defaults, bounds, states. Spec: Maps scraper; choices 30-33, 54, 57. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { insertMapsImport } from '../../src/db/maps/maps-imports.ts';
import { getMapsRun, updateMapsRun } from '../../src/db/maps/maps-runs.ts';
import { saveMapsItems } from '../../src/db/maps/maps-items.ts';
import { importOrder, place } from '../support/leads/maps-world.ts';
import { markOperationStarted } from '../../src/db/operations/operation-workflows.ts';
import { describeApi } from '../support/api/describe-api.ts';
import { withoutRunKey } from '../support/workflows/run-keys.ts';

const runs = '/v1/maps-scraper/runs';
const { api, database } = describeApi(() => {
  const handle = (id: string) => ({
    signal: async ({ name }: { name: string }) => {
      if (isTemporalDown) throw new Error('no connection');
      signals.push(`${name} ${withoutRunKey(id)}`);
    },
  });
  const context = {
    maps: { apify: {}, places: {} },
    temporal: {
      withDeadline: (_at: number, work: () => Promise<unknown>) => work(),
      workflow: { getHandle: handle },
    },
    startOperation: async ({ id, workflow_id }: { id: number; workflow_id: string }) => {
      started.push(workflow_id);
      await markOperationStarted(database.db, id);
      return false;
    },
  };
  return { context: context as unknown as Partial<Context> };
});
let token: string;
let started: string[];
/** Signals that reached workflows; `down` lets Temporal fail. */
let signals: string[];
let isTemporalDown: boolean;

beforeAll(async () => {
  token = await api.jwt();
});
beforeEach(() => {
  started = [];
  signals = [];
  isTemporalDown = false;
});

const post = (path: string, body: object = {}, as = token) =>
  api.call('POST', path, { token: as, body });
const get = (path: string, as = token) => api.call('GET', path, { token: as });
const created = async (body: object = { searchStringsArray: ['bakery'] }) =>
  (await post(runs, body)).body.data;
const set = (id: number, change: Parameters<typeof updateMapsRun>[2]) =>
  updateMapsRun(database.db, id, change);
const newList = async (as = token) =>
  (await post('/v1/lead-lists', { name: 'L' }, as)).body.data.id;
const save = (id: number, count: number) =>
  database.db.transaction().execute((trx) =>
    saveMapsItems(
      trx,
      id,
      Array.from({ length: count }, (_, n) => place(n, n === 0 ? { website: null } : {})),
    ),
  );

describe('POST /v1/maps-scraper/runs', () => {
  it('answers 201 with the run queued, counters 0, and every default', async () => {
    const { status, body } = await post(runs, { searchStringsArray: [' bakery '] });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      success: true,
      message: expect.any(String),
      data: {
        leadListId: null,
        provider: 'apify',
        status: 'queued',
        statusMessage: expect.any(String),
        searchStrings: ['bakery'],
        startUrls: [],
        placeIds: [],
        locationQuery: '',
        countryCode: 'us',
        language: 'en',
        maxCrawledPlacesPerSearch: 50,
        website: 'allPlaces',
        placeMinimumStars: null,
        categoryFilterWords: [],
        skipClosedPlaces: false,
        scrapeContacts: false,
        verifyEmails: false,
        totalQueries: 1,
        processedQueries: 0,
        totalItems: 0,
        savedItems: 0,
        enrichedItems: 0,
        failedItems: 0,
        importedLeads: 0,
        startedAt: null,
        completedAt: null,
      },
    });
    expect(started).toEqual([`maps-run/${body.data.id}`]);
  });

  it('takes every field of the spec and gives it back', async () => {
    const leadListId = await newList();
    const given = {
      startUrls: ['https://www.google.com/maps/place/x'],
      placeIds: ['ChIJN1t_tDeuEmsRUsoyG83frY4', 'b'],
      locationQuery: 'Berlin',
      countryCode: 'DE',
      language: 'pt-BR',
      maxCrawledPlacesPerSearch: 500,
      website: 'withWebsite',
      placeMinimumStars: 4.2,
      categoryFilterWords: ['bakery'],
      skipClosedPlaces: true,
      scrapeContacts: true,
      verifyEmails: true,
      leadListId,
    };
    const run = await created({ ...given, searchStringsArray: ['a', 'b'] });
    // Choice 32: strings + URLs + ids.
    const expected = { ...given, countryCode: 'de', searchStrings: ['a', 'b'], totalQueries: 5 };
    expect(run).toMatchObject(expected);
  });

  it.each([
    ['nothing to search', {}],
    ['empty lists', { searchStringsArray: [], startUrls: [], placeIds: [] }],
    ['101 strings', { searchStringsArray: Array.from({ length: 101 }, () => 'a') }],
    ['a string of 201 characters', { searchStringsArray: ['a'.repeat(201)] }],
    ['an empty string', { searchStringsArray: [' '] }],
    ['101 URLs', { startUrls: Array.from({ length: 101 }, () => 'https://maps.google.com') }],
    ['a URL that is none', { startUrls: ['maps'] }],
    ['a URL of a file', { startUrls: ['file:///etc/passwd'] }],
    ['1001 ids', { placeIds: Array.from({ length: 1_001 }, (_, n) => `p${n}`) }],
    ['an id with blanks', { placeIds: ['a b'] }],
    ['maxCrawledPlacesPerSearch 0', { maxCrawledPlacesPerSearch: 0 }],
    ['maxCrawledPlacesPerSearch 501', { maxCrawledPlacesPerSearch: 501 }],
    ['maxCrawledPlacesPerSearch 1.5', { maxCrawledPlacesPerSearch: 1.5 }],
    ['maxCrawledPlacesPerSearch as text', { maxCrawledPlacesPerSearch: '50' }],
    ['stars below 0', { placeMinimumStars: -0.1 }],
    ['stars above 5', { placeMinimumStars: 5.1 }],
    ['a website that is no choice', { website: 'some' }],
    ['three letters', { countryCode: 'deu' }],
    ['digits', { countryCode: 'd1' }],
    ['a language that is none', { language: 'english please' }],
    ['a flag as text', { scrapeContacts: 'yes' }],
    ['a list id as text', { leadListId: '7' }],
  ])('answers 400 to %s', async (_what, body) => {
    const base = Object.keys(body).some((key) => /strings|Urls|Ids/i.test(key))
      ? body
      : { searchStringsArray: ['a'], ...body };
    const asked = Object.keys(body).length === 0 ? {} : base;
    const { status, body: answer } = await post(runs, asked);
    expect([status, answer.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  it.each([
    { searchStringsArray: Array.from({ length: 100 }, () => 'a'.repeat(200)) },
    { placeIds: Array.from({ length: 1_000 }, (_, n) => `p${n}`) },
    { searchStringsArray: ['a'], maxCrawledPlacesPerSearch: 1, placeMinimumStars: 0 },
    { searchStringsArray: ['a'], placeMinimumStars: 5 },
  ])('takes what is just within the bounds', async (body) => {
    expect((await post(runs, body)).status).toBe(201);
  });

  it('answers 404 LEAD_LIST_NOT_FOUND for a foreign list as for a missing one', async () => {
    const foreign = await newList(await api.jwt('user-2'));
    const answers = await Promise.all(
      [foreign, 999_999].map((leadListId) => post(runs, { searchStringsArray: ['a'], leadListId })),
    );
    for (const { status, body } of answers) {
      expect([status, body.code]).toEqual([404, 'LEAD_LIST_NOT_FOUND']);
    }
  });

  it('repeated with its Idempotency-Key after the process died is the same run', async () => {
    const body = { searchStringsArray: ['once'] };
    const send = (key: string) =>
      api.call('POST', runs, { token, body, headers: { 'idempotency-key': key } });
    const first = await send('k1');
    // The process died before it kept its answer.
    await database.db.deleteFrom('idempotency_keys').execute();
    const second = await send('k1');
    expect(second.body.data.id).toBe(first.body.data.id);
    expect((await send('k2')).body.data.id).not.toBe(first.body.data.id);
  });
});

describe('GET /v1/maps-scraper/runs and /:id', () => {
  it('lists newest first, by status and by list, in pages', async () => {
    const other = await api.jwt('user-3');
    const leadListId = await newList(other);
    const ids: number[] = [];
    for (const list of [undefined, leadListId, leadListId]) {
      const body = { searchStringsArray: ['a'], ...(list && { leadListId: list }) };
      ids.push((await post(runs, body, other)).body.data.id);
    }
    await set(ids[2]!, { status: 'completed' });
    const listed = async (query: string) =>
      (await get(`${runs}${query}`, other)).body.data.map(({ id }: { id: number }) => id);
    expect(await listed('')).toEqual(ids.toReversed());
    expect(await listed('?status=completed')).toEqual([ids[2]]);
    expect(await listed(`?leadListId=${leadListId}`)).toEqual([ids[2], ids[1]]);
    expect(await listed(`?leadListId=${leadListId}&status=queued`)).toEqual([ids[1]]);
    const { body } = await get(`${runs}?limit=2&page=2`, other);
    expect(body.meta.pagination).toEqual({
      page: 2,
      limit: 2,
      total: 3,
      totalPages: 2,
      hasNext: false,
    });
    expect((await get(`${runs}?status=odd`, other)).status).toBe(400);
  });

  it('answers numbers as numbers, times, and a message', async () => {
    const { id } = await created();
    const startedAt = new Date();
    await set(id, { status: 'running', started_at: startedAt, total_items: 7, saved_items: 6 });
    const { status, body } = await get(`${runs}/${id}`);
    expect(status).toBe(200);
    expect(body.message).toEqual(expect.any(String));
    expect(body.data).toMatchObject({
      status: 'running',
      totalItems: 7,
      savedItems: 6,
      failedItems: 0,
      startedAt: startedAt.toISOString(),
      completedAt: null,
    });
  });

  it.each(['GET ', 'GET /items', 'POST /enrich', 'POST /cancel', 'DELETE '])(
    "another user's and a missing run are the same 404: %s",
    async (operation) => {
      const [method = '', rest = ''] = operation.split(' ');
      const { id } = await created();
      const stranger = await api.jwt('user-2');
      const answer = async (run: number | string) => {
        const { status, body } = await api.call(method, `${runs}/${run}${rest}`, {
          token: stranger,
          ...(method === 'POST' && { body: {} }),
        });
        return [status, body.code, body.error];
      };
      expect(await answer(id)).toEqual([404, 'MAPS_RUN_NOT_FOUND', 'Maps run not found']);
      expect(await answer(999_999)).toEqual(await answer(id));
      expect((await answer('x'))[1]).toBe('INVALID_INPUT');
    },
  );
});

describe('GET /v1/maps-scraper/runs/:id/items', () => {
  it('shows each place, its state with the reason, what was found where, and what was imported', async () => {
    const { id } = await created();
    await save(id, 3);
    const contacts = {
      emails: [
        { email: 'info@b.com', kind: 'generic', page: 'https://b.com/', form: 'text' },
        { email: 'ada@b.com', kind: 'personal', page: 'https://b.com/team', form: 'mailto' },
      ],
      phones: [{ phone: '+4930123', page: 'https://b.com/', form: 'tel', isFax: false }],
      profiles: [{ network: 'facebook', url: 'https://facebook.com/b', page: 'https://b.com/' }],
      contactPages: ['https://b.com/contact'],
      pages: ['https://b.com/', 'https://b.com/team'],
      checks: {
        'ada@b.com': {
          status: 'valid',
          score: 95,
          reason: 'mailbox_exists',
          checkedAt: new Date().toISOString(),
        },
      },
    };
    await database.db
      .updateTable('maps_items')
      .set({
        status: 'enriched',
        contacts: JSON.stringify(contacts),
        website: 'https://b.com/',
        import_status: 'imported',
        import_id: 7,
        imported_at: new Date(),
        lead_ids: '[5]',
        enriched_at: new Date(),
      })
      .where('run_id', '=', id)
      .where('place_id', '=', 'place-1')
      .execute();
    await database.db
      .updateTable('maps_items')
      .set({
        status: 'failed',
        reason: 'No answer',
        import_status: 'skipped',
        import_reason: 'no_email',
        import_id: 7,
        imported_at: new Date(),
      })
      .where('run_id', '=', id)
      .where('place_id', '=', 'place-2')
      .execute();
    const { body } = await get(`${runs}/${id}/items`);
    expect(body.meta.pagination).toMatchObject({ total: 3 });
    expect(body.data[0]).toMatchObject({
      placeId: 'place-0',
      website: null,
      status: 'skipped',
      reason: 'The place has no website',
      bestContact: null,
      import: null,
    });
    expect(body.data[1]).toMatchObject({
      runId: id,
      title: 'Bakery 1',
      status: 'enriched',
      reason: null,
      emails: [
        { email: 'info@b.com', kind: 'generic', page: 'https://b.com/', validationScore: null },
        {
          email: 'ada@b.com',
          kind: 'personal',
          form: 'mailto',
          validationScore: 95,
          validationStatus: 'valid',
        },
      ],
      phones: [{ phone: '+4930123', isFax: false }],
      profiles: [{ network: 'facebook', url: 'https://facebook.com/b' }],
      contactPages: ['https://b.com/contact'],
      visitedPages: ['https://b.com/', 'https://b.com/team'],
      bestContact: {
        type: 'email',
        value: 'ada@b.com',
        why: expect.stringContaining('personal address'),
      },
      import: { status: 'imported', reason: null, leadIds: [5], importId: 7 },
    });
    expect(body.data[2]).toMatchObject({
      status: 'failed',
      reason: 'No answer',
      import: { status: 'skipped', reason: 'no_email', message: 'It has no e-mail address' },
    });
    const ids = async (query: string) =>
      (await get(`${runs}/${id}/items${query}`)).body.data.map(
        (i: { placeId: string }) => i.placeId,
      );
    expect(await ids('?status=failed')).toEqual(['place-2']);
    expect(await ids('?importStatus=imported')).toEqual(['place-1']);
    expect(await ids('?limit=1&page=2')).toEqual(['place-1']);
  });
});

describe('POST /v1/maps-scraper/runs/:id/enrich', () => {
  it("of a completed run is 200 with the spec's shape, and a workflow of its own", async () => {
    const { id } = await created();
    await set(id, { status: 'completed', enriched_items: 3 });
    const { status, body } = await post(`${runs}/${id}/enrich`, { force: true });
    expect([status, body]).toMatchObject([
      200,
      {
        message: expect.any(String),
        data: { id, status: 'enriching', statusMessage: expect.any(String), enrichedItems: 3 },
      },
    ]);
    expect(started).toContain(`maps-enrich/${id}/1`);
    expect(await getMapsRun(database.db, id)).toMatchObject({ enrich_force: true, round: 1 });
  });

  it.each(['queued', 'running', 'enriching'] as const)(
    'while %s keeps the state (choice 54), and the wish is kept',
    async (state) => {
      const { id } = await created();
      await set(id, { status: state });
      started = [];
      const { status, body } = await post(`${runs}/${id}/enrich`);
      expect([status, body.data.status]).toEqual([200, state]);
      expect(started).toEqual([]);
      expect(await getMapsRun(database.db, id)).toMatchObject({ enrich_wanted: true });
    },
  );

  it.each(['failed', 'cancelled'] as const)('when %s is 400 INVALID_STATE', async (state) => {
    const { id } = await created();
    await set(id, { status: state });
    const { status, body } = await post(`${runs}/${id}/enrich`);
    expect([status, body.code]).toEqual([400, 'INVALID_STATE']);
  });

  it('takes force as a boolean only', async () => {
    const { id } = await created();
    expect((await post(`${runs}/${id}/enrich`, { force: 'yes' })).status).toBe(400);
  });
});

describe('POST /v1/maps-scraper/runs/:id/cancel', () => {
  it.each(['queued', 'running', 'enriching'] as const)(
    'while %s cancels it at once and tells the workflow',
    async (state) => {
      const { id } = await created();
      await save(id, 2);
      await set(id, { status: state });
      await database.db
        .updateTable('maps_items')
        .set({ status: 'enriching', claim: 'x' })
        .where('run_id', '=', id)
        .where('website', 'is not', null)
        .execute();
      const { status, body } = await post(`${runs}/${id}/cancel`);
      expect([status, body.data.status]).toEqual([200, 'cancelled']);
      expect(body.data.completedAt).toEqual(expect.any(String));
      expect(signals).toEqual([`cancel maps-run/${id}`]);
      // Nothing stays "enriching" for ever.
      const { body: items } = await get(`${runs}/${id}/items`);
      expect(items.data.map((i: { status: string }) => i.status)).toEqual(['skipped', 'pending']);
    },
  );

  it('again is the same state; of an ended run 400 INVALID_STATE', async () => {
    const { id } = await created();
    await post(`${runs}/${id}/cancel`);
    expect((await post(`${runs}/${id}/cancel`)).status).toBe(200);
    await set(id, { status: 'completed' });
    expect((await post(`${runs}/${id}/cancel`)).body.code).toBe('INVALID_STATE');
  });

  it('is 502 and changes nothing while Temporal cannot be told', async () => {
    const { id } = await created();
    isTemporalDown = true;
    expect((await post(`${runs}/${id}/cancel`)).status).toBe(502);
    expect((await getMapsRun(database.db, id)).status).toBe('queued');
  });
});

describe('DELETE /v1/maps-scraper/runs/:id', () => {
  it('ends what is going on, deletes the places and is gone', async () => {
    const { id } = await created();
    await save(id, 2);
    const { status, body } = await api.call('DELETE', `${runs}/${id}`, { token });
    expect([status, body.data]).toEqual([200, { id, deletedItems: 2 }]);
    expect(signals).toEqual([`cancel maps-run/${id}`]);
    expect((await get(`${runs}/${id}`)).status).toBe(404);
    expect((await api.call('DELETE', `${runs}/${id}`, { token })).status).toBe(404);
    expect(await getMapsRun(database.db, id)).toMatchObject({ status: 'cancelled' });
  });
});

describe('POST /v1/maps-scraper/runs/:id/import-to-lead-list', () => {
  const importTo = (id: number, body: object = {}) =>
    post(`${runs}/${id}/import-to-lead-list`, body);

  it("takes the run's list by default, and every default of the spec", async () => {
    const leadListId = await newList();
    const { id } = await created({ searchStringsArray: ['a'], leadListId });
    const { status, body } = await importTo(id);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      runId: id,
      leadListId,
      importedLeads: 0,
      importedCompanies: 0,
      skippedItems: 0,
      // Temporal was not reached: it is started later.
      status: 'running',
    });
    const row = await database.db
      .selectFrom('maps_imports')
      .selectAll()
      .where('id', '=', body.data.importId)
      .executeTakeFirstOrThrow();
    expect(row.options).toEqual(importOrder());
    expect(started).toContain(`maps-import/${id}/${row.id}`);
  });

  it('without any list is 400 LEAD_LIST_REQUIRED, with a foreign one 404', async () => {
    const { id } = await created();
    expect((await importTo(id)).body.code).toBe('LEAD_LIST_REQUIRED');
    const foreign = await newList(await api.jwt('user-2'));
    const { status, body } = await importTo(id, { leadListId: foreign });
    expect([status, body.code]).toEqual([404, 'LEAD_LIST_NOT_FOUND']);
  });

  it.each([
    ['limit 0', { limit: 0 }],
    ['limit 5001', { limit: 5_001 }],
    ['maxLeadsPerCompany 0', { maxLeadsPerCompany: 0 }],
    ['maxLeadsPerCompany 51', { maxLeadsPerCompany: 51 }],
    ['minValidationScore -1', { minValidationScore: -1 }],
    ['minValidationScore 101', { minValidationScore: 101 }],
    ['a flag as text', { requireEmail: 'true' }],
  ])('answers 400 to %s', async (_what, body) => {
    const { id } = await created();
    const { status, body: answer } = await importTo(id, body);
    expect([status, answer.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('keeps its run when the list goes, and the import into it is over', async () => {
    const leadListId = await newList();
    const { id } = await created({ searchStringsArray: ['a'], leadListId });
    await database.db
      .transaction()
      .execute((trx) =>
        insertMapsImport(trx, { userId: 'user-1', runId: id, leadListId, options: importOrder() }),
      );
    const { status } = await api.call('DELETE', `/v1/lead-lists/${leadListId}`, { token });
    expect(status).toBe(200);
    expect((await get(`${runs}/${id}`)).body.data.leadListId).toBeNull();
    expect((await importTo(id)).body.code).toBe('LEAD_LIST_REQUIRED');
  });
});
