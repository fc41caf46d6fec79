/** The Apify stand-in: runs, datasets and the maps actor, held to Apify's own OpenAPI file. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { itemsSeenAt, statusAt, type RunPlan } from '../../src/sandbox/apify/run-clock.ts';
import { apify, MAPS_ACTOR, rowsOf, scrape, startRun } from '../support/vendors/apify-calls.ts';
import { APIFY_DEVIATIONS } from '../support/vendors/provider-deviations.ts';
import { loadProviderSpec, specMissing } from '../support/vendors/provider-spec.ts';
import {
  LOST_AFTER_MS,
  startTestSandbox,
  STRICT_PACE,
  type TestSandbox,
} from '../support/vendors/sandbox.ts';
import { takeClock } from '../support/tools/taken-clock.ts';

let sandbox: TestSandbox;
/** For what is to be met while it runs: a `slow-` run takes five seconds here. */
let calm: TestSandbox;
beforeAll(async () => {
  [sandbox, calm] = await Promise.all([
    startTestSandbox({ pace: 20 }),
    startTestSandbox({ pace: 6 }),
  ]);
});
afterEach(() => sandbox.control('DELETE', '/faults'));
afterAll(() => Promise.all([sandbox.remove(), calm.remove()]));

const ask = (method: string, path: string, body?: unknown, world = sandbox) =>
  apify(world, method, path, body);
const putPlaces = (places: object[], world = sandbox) =>
  world.control('PUT', '/places', { places });
const many = (count: number, term: string) =>
  Array.from({ length: count }, (_, i) => ({ placeId: `${term}-${i}`, title: `${term} ${i}` }));
const titles = (rows: Record<string, unknown>[]) => rows.map(({ title }) => title);

describe('a run', () => {
  it('goes from READY over RUNNING to SUCCEEDED, and its dataset grows while it runs', async () => {
    await putPlaces(many(120, 'growing'), calm);
    const clock = takeClock();
    clock.stop();
    const started = await startRun(calm, { searchStringsArray: ['slow-growing'] });
    expect(started.status).toBe(201);
    expect(started.body.data).toMatchObject({ status: 'READY', finishedAt: null });
    const { id, defaultDatasetId } = started.body.data;
    const seen: [string, number][] = [[started.body.data.status, 0]];
    for (;;) {
      const { body: run } = await ask('GET', `/actor-runs/${id}`, undefined, calm);
      const { body: dataset } = await ask('GET', `/datasets/${defaultDatasetId}`, undefined, calm);
      seen.push([run.data.status, dataset.data.itemCount]);
      if (run.data.finishedAt !== null) break;
      clock.pass(500);
    }
    clock.giveBack();
    expect(new Set(seen.map(([status]) => status))).toEqual(
      new Set(['READY', 'RUNNING', 'SUCCEEDED']),
    );
    const counts = seen.map(([, count]) => count);
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    expect(new Set(counts).size).toBeGreaterThan(3);
    expect(await rowsOf(calm, started)).toHaveLength(120);
  });

  it('shows its last rows a little after its end, as the real platform does', () => {
    const times = { startedAtMs: 0, runsAtMs: 100, endsAtMs: 1_100, lagMs: 200 };
    const plan: RunPlan = { ...times, outcome: 'SUCCEEDED', itemsCount: 120 };
    const seen = [0, 100, 600, 1_099, 1_100, 1_299, 1_300].map((now) => itemsSeenAt(plan, now));
    expect(seen).toEqual([0, 0, 30, 90, 106, 106, 120]);
    expect(statusAt(plan, 1_100)).toBe('SUCCEEDED');
  });

  it('is waited for with waitForFinish, at the start and later', async () => {
    await putPlaces(many(3, 'awaited'));
    const input = { searchStringsArray: ['awaited'] };
    const waited = await startRun(sandbox, input, '?waitForFinish=60');
    expect(waited.body.data.status).toBe('SUCCEEDED');
    await putPlaces(many(3, 'awaited'), calm);
    const { body } = await startRun(calm, { searchStringsArray: ['slow-awaited'] });
    const wait = (seconds: number) =>
      ask('GET', `/actor-runs/${body.data.id}?waitForFinish=${seconds}`, undefined, calm);
    expect((await wait(2)).body.data.status).toBe('RUNNING');
    // Most of its five seconds.
    takeClock().pass(4_000);
    expect((await wait(60)).body.data).toMatchObject({ status: 'SUCCEEDED', exitCode: 0 });
  });

  it('keeps its whole input, a marker too, and is found among the newest', async () => {
    await startRun(sandbox, { searchStringsArray: ['other'] });
    const input = { searchStringsArray: ['marked'], outreachToken: 'token-1' };
    const { body } = await startRun(sandbox, input);
    const { id, defaultKeyValueStoreId } = body.data;
    const list = await ask('GET', `/actors/${MAPS_ACTOR}/runs?desc=1&limit=20`);
    expect(list.body.data.items[0].id).toBe(id);
    for (const store of [
      `key-value-stores/${defaultKeyValueStoreId}`,
      `actor-runs/${id}/key-value-store`,
    ]) {
      expect((await ask('GET', `/${store}/records/INPUT`)).body).toEqual(input);
      expect((await ask('GET', `/${store}/records/OUTPUT`)).status).toBe(404);
    }
  });

  it('takes both spellings of actors, the id and the name', async () => {
    const input = { searchStringsArray: ['x'] };
    for (const path of [
      `/acts/${MAPS_ACTOR}/runs`,
      '/actors/compass%2Fcrawler-google-places/runs',
      '/actors/nwua9Gu5YrADL7ZDj/runs',
    ]) {
      expect((await ask('POST', path, input)).status).toBe(201);
    }
    expect((await ask('POST', '/actors/nobody~nothing/runs', input)).body).toEqual({
      error: { type: 'record-not-found', message: 'Actor was not found' },
    });
  });

  it('is aborted with what it had found; a run that is over stays as it is', async () => {
    await putPlaces(many(300, 'aborted'), calm);
    const clock = takeClock();
    clock.stop();
    const started = await startRun(calm, { searchStringsArray: ['slow-aborted'] });
    const { id, defaultDatasetId } = started.body.data;
    const found = async () =>
      (await ask('GET', `/datasets/${defaultDatasetId}`, undefined, calm)).body.data.itemCount;
    expect(await found()).toBe(0);
    clock.pass(2_000);
    expect(await found()).toBeGreaterThan(0);
    const gracefully = await ask(
      'POST',
      `/actor-runs/${id}/abort?gracefully=true`,
      undefined,
      calm,
    );
    expect(gracefully.body.data.status).toBe('ABORTING');
    clock.pass(1_000);
    const over = await ask('GET', `/actor-runs/${id}?waitForFinish=60`, undefined, calm);
    expect(over.body.data.status).toBe('ABORTED');
    const rows = await rowsOf(calm, started);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.length).toBeLessThan(300);
    expect(await rowsOf(calm, started)).toHaveLength(rows.length);
    const again = await ask('POST', `/actor-runs/${id}/abort`, undefined, calm);
    expect(again.body.data).toEqual(over.body.data);
  });

  it('timeout-*: ends TIMED-OUT with half of the rows; fail-*: FAILED with none', async () => {
    await putPlaces(many(10, 'halved'));
    const late = await startRun(
      sandbox,
      { searchStringsArray: ['timeout-halved'] },
      '?waitForFinish=60',
    );
    expect(late.body.data.status).toBe('TIMED-OUT');
    expect(await rowsOf(sandbox, late)).toHaveLength(5);
    const failed = await startRun(
      sandbox,
      { searchStringsArray: ['fail-halved'] },
      '?waitForFinish=60',
    );
    expect(failed.body.data.status).toBe('FAILED');
    expect(await rowsOf(sandbox, failed)).toEqual([]);
  });

  it('ends at its own time-out, and at what it may cost', async () => {
    await putPlaces(many(100, 'limited'));
    const input = { searchStringsArray: ['limited'] };
    const short = await startRun(sandbox, input, '?timeout=1&waitForFinish=60');
    expect(short.body.data.status).toBe('TIMED-OUT');
    const rows = (await rowsOf(sandbox, short)).length;
    expect(rows).toBeGreaterThan(0);
    expect(rows).toBeLessThan(100);
    const cheap = await startRun(sandbox, input, '?maxTotalChargeUsd=0.04');
    expect(await rowsOf(sandbox, cheap)).toHaveLength(10);
  });
});

describe('a dataset', () => {
  it('is a bare array with its totals in headers, by offset, limit and desc', async () => {
    await putPlaces(many(40, 'paged'));
    const run = await startRun(sandbox, { searchStringsArray: ['paged'] });
    await rowsOf(sandbox, run);
    const items = `/datasets/${run.body.data.defaultDatasetId}/items?format=json&clean=1`;
    const page = await ask('GET', `${items}&offset=30&limit=25`);
    expect(titles(page.body)).toEqual(Array.from({ length: 10 }, (_, i) => `paged ${30 + i}`));
    const header = (name: string) => page.headers.get(`x-apify-pagination-${name}`);
    expect(['total', 'offset', 'limit', 'count'].map(header)).toEqual(['40', '30', '25', '10']);
    const last = await ask('GET', `${items}&limit=1&desc=1&fields=title`);
    expect(last.body).toEqual([{ title: 'paged 39' }]);
    expect((await ask('GET', `${items}&limit=0`)).status).toBe(400);
    expect((await ask('GET', '/datasets/none/items')).status).toBe(404);
  });
});

describe('compass/crawler-google-places', () => {
  const berlin = { city: 'Berlin', countryCode: 'DE' };
  const places = [
    {
      placeId: 'm1',
      title: 'Café Müller',
      categoryName: 'Coffee shop',
      ...berlin,
      website: 'https://mueller.test/',
      phone: '+49 30 123',
      totalScore: 4.5,
    },
    {
      placeId: 'm2',
      title: 'Kaffee Eins',
      searchString: 'coffee roaster',
      ...berlin,
      totalScore: 3.9,
    },
    {
      placeId: 'm3',
      title: 'Coffee Munich',
      city: 'München',
      countryCode: 'DE',
      temporarilyClosed: true,
    },
    { placeId: 'm4', title: 'Coffee Nowhere' },
  ];
  const found = async (input: object) =>
    (await scrape(sandbox, input)).map(({ placeId }) => placeId);

  it('finds by each word in title, category or search string, and by one word of the location', async () => {
    await sandbox.control('DELETE', '/places');
    await putPlaces(places);
    const search = (text: string, locationQuery: string) =>
      found({ searchStringsArray: [text], locationQuery });
    expect(await search('coffee', 'Berlin, Germany')).toEqual(['m1', 'm2', 'm4']);
    expect(await search('COFFEE shop', 'Berlin')).toEqual(['m1']);
    expect(await search('cafe muller', 'berlin')).toEqual(['m1']);
    expect(await search('coffee', 'Munchen')).toEqual(['m3', 'm4']);
    expect(await search('coffee', 'Germany')).toEqual(['m1', 'm2', 'm3', 'm4']);
    expect(await search('coffee', 'Hamburg')).toEqual(['m4']);
  });

  it('honours ids, addresses and the limit per search', async () => {
    expect(await found({ placeIds: ['m2', 'unknown'] })).toEqual(['m2']);
    const startUrls = [
      { url: 'https://www.google.com/maps/place/?q=place_id:m1' },
      { url: 'https://www.google.com/maps/search/coffee+munich/@48.1,11.5,14z' },
    ];
    expect(await found({ startUrls })).toEqual(['m1', 'm3']);
    const input = { searchStringsArray: ['coffee', 'kaffee'], maxCrawledPlacesPerSearch: 1 };
    expect(await found(input)).toEqual(['m1', 'm2']);
  });

  it.each([
    [{ website: 'withWebsite' }, ['m1']],
    [{ website: 'withoutWebsite' }, ['m2', 'm3', 'm4']],
    [{ placeMinimumStars: 'four' }, ['m1']],
    [{ placeMinimumStars: 'threeAndHalf' }, ['m1', 'm2']],
    [{ skipClosedPlaces: true }, ['m1', 'm2', 'm4']],
    [{ categoryFilterWords: ['coffee shop'] }, ['m1']],
    [{ searchMatching: 'only_includes' }, ['m3', 'm4']],
  ])('filters by %j', async (filter, expected) => {
    expect(await found({ searchStringsArray: ['coffee'], ...filter })).toEqual(expected);
  });

  it("writes the actor's keys, null where it knows nothing, contacts only when asked", async () => {
    const input = { searchStringsArray: ['muller'], locationQuery: 'Berlin', language: 'de' };
    const [row] = await scrape(sandbox, input);
    expect(Object.keys(row!).toSorted()).toEqual([
      'address',
      'categories',
      'categoryName',
      'cid',
      'city',
      'countryCode',
      'isAdvertisement',
      'location',
      'permanentlyClosed',
      'phone',
      'phoneUnformatted',
      'placeId',
      'postalCode',
      'rank',
      'reviewsCount',
      'scrapedAt',
      'searchPageUrl',
      'searchString',
      'state',
      'street',
      'temporarilyClosed',
      'title',
      'totalScore',
      'url',
      'website',
    ]);
    expect(row).toMatchObject({
      categories: ['Coffee shop'],
      phoneUnformatted: '+4930123',
      searchString: 'muller',
      rank: 1,
      state: null,
      url: expect.stringContaining('query_place_id=m1'),
      searchPageUrl: 'https://www.google.com/maps/search/muller%20Berlin?hl=de',
    });
    const [rich] = await scrape(sandbox, { ...input, scrapeContacts: true });
    expect(rich).toMatchObject({ emails: [], phones: [], linkedIns: [] });
  });

  it.each([
    [{ placeMinimumStars: 4 }, 'input.placeMinimumStars must be string'],
    [{ placeMinimumStars: '4' }, 'input.placeMinimumStars must be equal to one of'],
    [{ website: 'any' }, 'input.website must be equal to one of'],
    [{ startUrls: ['https://maps.test/'] }, 'Items in input.startUrls'],
    [{ startUrls: 'https://maps.test/' }, 'input.startUrls must be array'],
    [{ searchStringsArray: 'coffee' }, 'input.searchStringsArray must be array'],
    [{ maxCrawledPlacesPerSearch: '5' }, 'input.maxCrawledPlacesPerSearch must be integer'],
  ])('refuses %j', async (input, message) => {
    for (const path of ['runs', 'validate-input']) {
      const { status, body } = await ask('POST', `/actors/${MAPS_ACTOR}/${path}`, input);
      expect(status).toBe(400);
      expect(body.error.type).toBe('invalid-input');
      expect(body.error.message).toContain(message);
    }
  });
});

describe('the account', () => {
  it('401 without a token or with a wrong one', async () => {
    const none = await sandbox.ask('GET', '/apify/v2/actor-runs');
    expect(none).toMatchObject({ status: 401, body: { error: { type: 'token-not-provided' } } });
    const wrong = await sandbox.ask('GET', '/apify/v2/actor-runs', undefined, {
      authorization: 'Bearer wrong',
    });
    expect(wrong.body.error.type).toBe('user-or-token-not-found');
  });

  it('402 when the credit is used up, counted by rows', async () => {
    await putPlaces(many(10, 'paid'));
    const input = { searchStringsArray: ['paid'] };
    const credit = (credits: number) =>
      sandbox.control('PUT', '/credits', { vendor: 'apify', credits });
    await credit(0.03);
    const paid = await startRun(sandbox, input);
    expect(await rowsOf(sandbox, paid)).toHaveLength(10);
    const refused = await startRun(sandbox, input);
    expect(refused).toMatchObject({
      status: 402,
      body: { error: { type: 'not-enough-usage-to-run-paid-actor' } },
    });
    await credit(500);
    expect((await startRun(sandbox, input)).status).toBe(201);
  });

  it('402 by a fault, 429 above 60 calls a second of one resource', async () => {
    await sandbox.control('POST', '/faults', { vendor: 'apify', kind: 'rejected', times: 1 });
    expect((await startRun(sandbox, { searchStringsArray: ['x'] })).status).toBe(402);
    const strict = await startTestSandbox({ limitPace: STRICT_PACE });
    const statuses = await Promise.all(
      Array.from({ length: 70 }, () => apify(strict, 'GET', '/actor-runs/none')),
    );
    expect(statuses.filter(({ status }) => status === 429)).toHaveLength(10);
    await strict.remove();
  });

  it('a lagging start is found in the list only later, a lost answer is found at once', async () => {
    const newest = async () =>
      (await ask('GET', `/actors/${MAPS_ACTOR}/runs?desc=1&limit=1`)).body.data.items[0]?.id;
    const clock = takeClock();
    clock.stop();
    const before = await newest();
    const fault = { vendor: 'apify', kind: 'lag', operation: 'POST /actors/{actor}/runs' };
    await sandbox.control('POST', '/faults', { ...fault, times: 1, delayMs: 3_000 });
    const { body } = await startRun(sandbox, { searchStringsArray: ['x'] });
    expect(await newest()).toBe(before);
    clock.pass(3_000);
    expect(await newest()).toBe(body.data.id);
    clock.giveBack();
    await sandbox.control('POST', '/faults', { ...fault, kind: 'timeout_after_effect', times: 1 });
    const lost = fetch(`${sandbox.url}/apify/v2/actors/${MAPS_ACTOR}/runs`, {
      method: 'POST',
      headers: { authorization: 'Bearer apify-sandbox-token', 'content-type': 'application/json' },
      body: '{"searchStringsArray":["x"]}',
      signal: AbortSignal.timeout(LOST_AFTER_MS),
    });
    await expect(lost).rejects.toThrow('timeout');
    expect(await newest()).not.toBe(body.data.id);
  });

  it('keeps runs, rows and inputs over a restart, also of a run under way', async () => {
    await putPlaces(many(60, 'kept'), calm);
    const clock = takeClock();
    clock.stop();
    const run = await startRun(calm, { searchStringsArray: ['slow-kept'], marker: 'm' });
    const { id, defaultKeyValueStoreId } = run.body.data;
    calm = await calm.restart();
    const { body } = await ask('GET', `/actor-runs/${id}`, undefined, calm);
    expect(['READY', 'RUNNING']).toContain(body.data.status);
    clock.pass(10_000);
    expect(await rowsOf(calm, run)).toHaveLength(60);
    const store = `/key-value-stores/${defaultKeyValueStoreId}`;
    const input = await ask('GET', `${store}/records/INPUT`, undefined, calm);
    expect(input.body.marker).toBe('m');
    const { body: books } = await calm.control('GET', '/books');
    expect(books.apify.runs).toContainEqual({
      id,
      actor: 'compass/crawler-google-places',
      status: 'SUCCEEDED',
      startedAt: run.body.data.startedAt,
      itemsCount: 60,
    });
  });
});

const reason = specMissing('apify.json');
describe.skipIf(reason)(`Apify's answers ${reason ?? ''}`, () => {
  it('are what the file says, in success and in refusal', async () => {
    await sandbox.ask('GET', '/apify/v2/actor-runs');
    for (const kind of ['error_500', 'rate_limited', 'auth', 'rejected']) {
      await sandbox.control('POST', '/faults', { vendor: 'apify', kind, times: 1 });
      await startRun(sandbox, { searchStringsArray: ['x'] });
    }
    const run = await startRun(sandbox, { searchStringsArray: ['paged'] }, '?maxTotalChargeUsd=1');
    await rowsOf(sandbox, run);
    const { id } = run.body.data;
    await ask('GET', `/actor-runs/${id}/dataset`);
    await ask('GET', `/actor-runs/${id}/dataset/items`);
    await ask('GET', `/actors/${MAPS_ACTOR}/runs/${id}`);
    await ask('GET', '/actor-runs?desc=1&status=SUCCEEDED');
    await ask('GET', '/users/me/limits');
    const spec = loadProviderSpec('apify.json', APIFY_DEVIATIONS)!;
    const { body } = await sandbox.control('GET', '/requests?vendor=apify');
    const problems = body.requests
      // The file has neither the old spelling nor the key-value stores' own addresses.
      .filter(({ path }: { path: string }) => !/\/v2\/(acts|key-value-stores)\/|%2F/.test(path))
      // Nor what is answered when the platform itself is broken.
      .filter(({ status }: { status: number | null }) => status !== null && status !== 500)
      .flatMap((logged: { method: string; path: string; status: number; answer: unknown }) =>
        spec.validateResponse(logged.method, logged.path, logged.status, logged.answer),
      );
    expect([...new Set(problems)]).toEqual([]);
  });
});
