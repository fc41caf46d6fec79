/** Google's Text Search (New) as the alternate to the maps actor: masks, pages, filters, errors. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startTestSandbox, type Reply, type TestSandbox } from '../support/vendors/sandbox.ts';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox({ pace: 20 });
  await sandbox.control('PUT', '/places', { places });
});
afterEach(() => sandbox.control('DELETE', '/faults'));
afterAll(() => sandbox.remove());

const places = [
  {
    placeId: 'g1',
    title: 'Café Müller',
    categoryName: 'Coffee shop',
    street: 'Torstr. 1',
    postalCode: '10119',
    city: 'Berlin',
    countryCode: 'DE',
    website: 'https://mueller.test/',
    phone: '+49 30 123',
    totalScore: 4.4,
    reviewsCount: 12,
    location: { lat: 52.5, lng: 13.4 },
  },
  {
    placeId: 'g2',
    title: 'Coffee Munich',
    city: 'München',
    countryCode: 'DE',
    permanentlyClosed: true,
  },
  { placeId: 'g3', title: 'Coffee Nowhere', totalScore: 4.5 },
  ...Array.from({ length: 70 }, (_, i) => ({
    placeId: `d${i}`,
    title: `Dentist ${i}`,
    city: 'Berlin',
    countryCode: 'DE',
  })),
];
const MASK = 'places.id,places.displayName,nextPageToken';
const KEY = { 'x-goog-api-key': 'places-sandbox-key' };
const search = (body: object, mask: string | undefined = MASK): Promise<Reply> =>
  sandbox.ask('POST', '/places/v1/places:searchText', body, {
    ...KEY,
    ...(mask !== '' && { 'x-goog-fieldmask': mask }),
  });
const ids = ({ body }: Reply) => (body.places ?? []).map(({ id }: { id: string }) => id);

describe('places:searchText', () => {
  it.each([
    ['coffee in Berlin', ['g1', 'g3']],
    ['coffee shop Berlin, Germany', ['g1', 'g3']],
    ['cafe muller 10119', ['g1']],
    ['coffee Germany', ['g1', 'g2', 'g3']],
    ['tea Berlin', []],
    ['Hamburg', []],
  ])('%s', async (textQuery, expected) => {
    expect(ids(await search({ textQuery }))).toEqual(expected);
  });

  it('answers what the mask names and no more; nothing found is an empty object', async () => {
    const { body } = await search({ textQuery: 'muller', languageCode: 'de' });
    expect(body).toEqual({
      places: [{ id: 'g1', displayName: { text: 'Café Müller', languageCode: 'de' } }],
    });
    expect((await search({ textQuery: 'nothing like it' })).body).toEqual({});
    const { body: whole } = await search({ textQuery: 'muller' }, '*');
    expect(whole.places[0]).toMatchObject({
      name: 'places/g1',
      formattedAddress: 'Torstr. 1, 10119 Berlin, Germany',
      websiteUri: 'https://mueller.test/',
      internationalPhoneNumber: '+49 30 123',
      rating: 4.4,
      userRatingCount: 12,
      businessStatus: 'OPERATIONAL',
      types: ['coffee_shop', 'point_of_interest', 'establishment'],
      location: { latitude: 52.5, longitude: 13.4 },
      googleMapsUri: expect.stringContaining('g1'),
    });
    const status = await search({ textQuery: 'munich' }, 'places.businessStatus');
    expect(status.body.places).toEqual([{ businessStatus: 'CLOSED_PERMANENTLY' }]);
  });

  it('gives 20 a page and 60 in all, with a token only when the mask names it', async () => {
    const question = { textQuery: 'dentist Berlin', pageSize: 50 };
    const replies = [await search(question)];
    while (replies.at(-1)!.body.nextPageToken !== undefined) {
      const pageToken = replies.at(-1)!.body.nextPageToken;
      replies.push(await search({ ...question, pageToken }));
    }
    expect(replies.map((reply) => ids(reply).length)).toEqual([20, 20, 20]);
    expect(new Set(replies.flatMap(ids)).size).toBe(60);
    expect((await search(question, 'places.id')).body).not.toHaveProperty('nextPageToken');
    const pageToken = replies[0]!.body.nextPageToken;
    for (const change of [{ textQuery: 'dentist' }, { minRating: 1 }, { pageToken: 'garbage' }]) {
      const { status, body } = await search({ ...question, pageToken, ...change });
      expect([status, body.error.status]).toEqual([400, 'INVALID_ARGUMENT']);
    }
  });

  it('filters by rating rounded up, strict type and rectangle', async () => {
    const coffee = { textQuery: 'coffee' };
    expect(ids(await search({ ...coffee, minRating: 4.4 }))).toEqual(['g3']);
    const type = { includedType: 'coffee_shop', strictTypeFiltering: true };
    expect(ids(await search({ ...coffee, ...type }))).toEqual(['g1']);
    const low = { latitude: 10, longitude: 10 };
    const rectangle = { low, high: { latitude: 11, longitude: 11 } };
    const inside = await search({ ...coffee, locationRestriction: { rectangle } });
    expect(ids(inside)).not.toContain('g1');
  });

  it.each([
    [{ textQuery: '' }, MASK, 'Empty text_query'],
    [{}, MASK, 'textQuery'],
    [{ textQuery: 'a', what: 1 }, MASK, 'Unknown name "what"'],
    [{ textQuery: 'a', minRating: 6 }, MASK, 'min_rating'],
    [{ textQuery: 'a' }, '', 'FieldMask is a required parameter'],
    [{ textQuery: 'a' }, 'places.nothing', "path 'places.nothing'"],
  ])('%j with mask %j is INVALID_ARGUMENT', async (body, mask, message) => {
    const { status, body: answer } = await search(body, mask);
    expect(status).toBe(400);
    expect(answer.error).toMatchObject({ code: 400, status: 'INVALID_ARGUMENT' });
    expect(answer.error.message).toContain(message);
  });

  it('refuses without a key, with a wrong one, and as the control API asks', async () => {
    const call = (headers: object) =>
      sandbox.ask('POST', '/places/v1/places:searchText', { textQuery: 'a' }, headers);
    expect((await call({})).body.error.status).toBe('PERMISSION_DENIED');
    const wrong = await call({ 'x-goog-api-key': 'wrong' });
    expect(wrong.body.error.details[0].reason).toBe('API_KEY_INVALID');
    const statuses: unknown[] = [];
    for (const kind of ['error_500', 'rate_limited', 'auth', 'rejected']) {
      await sandbox.control('POST', '/faults', { vendor: 'places', kind, times: 1 });
      const { status, body } = await search({ textQuery: 'coffee' });
      statuses.push([status, body.error.status]);
    }
    expect(statuses).toEqual([
      [500, 'INTERNAL'],
      [429, 'RESOURCE_EXHAUSTED'],
      [400, 'INVALID_ARGUMENT'],
      [403, 'PERMISSION_DENIED'],
    ]);
  });
});

describe('PUT /_sandbox/places', () => {
  it('adds by id, shows what it was told, keeps it over a restart, and DELETE clears', async () => {
    const { body } = await sandbox.control('PUT', '/places', {
      places: [{ placeId: 'g3', title: 'Coffee Renamed', extra: true }],
    });
    expect(body).toEqual({ places: places.length });
    sandbox = await sandbox.restart();
    const { body: told } = await sandbox.control('GET', '/places');
    expect(told.places).toContainEqual({ placeId: 'g3', title: 'Coffee Renamed', extra: true });
    expect((await sandbox.control('PUT', '/places', { places: [{ title: 'x' }] })).status).toBe(
      400,
    );
    await sandbox.control('DELETE', '/places');
    expect(ids(await search({ textQuery: 'dentist 69' }))).toEqual([]);
  });
});
