/** The port of map searches: every adapter against its stand-in; what they send against the spec. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { mapsProviders } from '../../../src/providers/maps/index.ts';
import type { MapsProvider, MapsSearch, Place } from '../../../src/providers/maps/port.ts';
import { startMailWorld, type MailWorld } from '../../support/mail/mail-world.ts';
import { checkCalls } from '../../support/vendors/provider-calls.ts';
import { providerError } from '../../support/vendors/provider-error.ts';
import { specMissing } from '../../support/vendors/provider-spec.ts';
import { LOST_AFTER_MS } from '../../support/vendors/sandbox.ts';

let world: MailWorld;

beforeAll(async () => {
  world = await startMailWorld({ pace: 20 });
  await world.control('PUT', '/places', { places: [...rated, ...many] });
});
afterEach(() => world.control('DELETE', '/faults'));
afterAll(() => world.close());

type Name = keyof typeof mapsProviders;
const names = Object.keys(mapsProviders) as Name[];

const settings = (name: Name, credential?: string): Record<string, string> => {
  const { url } = world.sandbox();
  return name === 'apify'
    ? { APIFY_TOKEN: credential ?? 'apify-sandbox-token', APIFY_URL: `${url}/apify` }
    : {
        GOOGLE_PLACES_KEY: credential ?? 'places-sandbox-key',
        GOOGLE_PLACES_URL: `${url}/places`,
      };
};

function provider(name: Name, credential?: string, timeoutMs = 15_000): MapsProvider {
  const state = mapsProviders[name].configure(settings(name, credential));
  if (state.state !== 'on') throw new Error('not configured');
  return state.create({ timeoutMs, outboundProxy: undefined } as never);
}

/** Places that differ in what the filters look at. */
const place = (id: string, more: object = {}) => ({
  placeId: id,
  title: `Ryokan ${id}`,
  categoryName: 'Hotel',
  address: `${id} Street, 10115 Berlin, Germany`,
  city: 'Berlin',
  postalCode: '10115',
  countryCode: 'DE',
  website: `https://${id}.example/`,
  phone: '+49 30 123456',
  location: { lat: 52.5, lng: 13.4 },
  totalScore: 4.6,
  reviewsCount: 12,
  ...more,
});
const rated = [
  place('r49', { totalScore: 4.9 }),
  place('r44', { totalScore: 4.4 }),
  place('r42', { totalScore: 4.2 }),
  place('r41', { totalScore: 4.1 }),
  place('r40', { totalScore: 4 }),
  place('unrated', { totalScore: null, reviewsCount: 0 }),
  place('gone', { permanentlyClosed: true }),
  place('offline', { website: null }),
];
const many = Array.from({ length: 75 }, (_, n) =>
  place(`many${n}`, { title: `Izakaya ${n}`, categoryName: 'Restaurant' }),
);

const search = (changes: Partial<MapsSearch> = {}): MapsSearch => ({
  searchStrings: ['ryokan'],
  startUrls: [],
  placeIds: [],
  locationQuery: 'Berlin',
  countryCode: 'de',
  language: 'en',
  maxPlacesPerSearch: 50,
  website: 'allPlaces',
  minimumStars: null,
  categoryFilterWords: [],
  skipClosedPlaces: false,
  ...changes,
});

let tokens = 0;
const newToken = () => `maps-run/test/${(tokens += 1)}`;

/** Reads a search to its end, as the activity does. */
async function readAll(maps: MapsProvider, wanted: MapsSearch, limit = 30) {
  let cursor: string | null = await maps.begin(wanted, newToken());
  const places: Place[] = [];
  let last;
  while (cursor !== null) {
    last = await maps.page(wanted, cursor, limit);
    places.push(...last.places);
    cursor = last.cursor;
    if (last.isRunning && last.places.length === 0) await sleep(100);
  }
  return { places, ids: places.map(({ placeId }) => placeId).toSorted(), last: last! };
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const fault = (vendor: string, operation: string, kind: string, times = 1) =>
  world.control('POST', '/faults', { vendor, operation, kind, times });
interface RunRecords {
  id: string;
  status: string;
  actor: string;
}
const runs = async (): Promise<RunRecords[]> =>
  (await world.control('GET', '/books')).body.apify.runs;

describe.each(names)('every search by %s', (name) => {
  it('finds each place once, in the words of the port', async () => {
    const { places, ids, last } = await readAll(provider(name), search());
    expect(ids).toEqual(rated.map(({ placeId }) => placeId).toSorted());
    expect(places.find(({ placeId }) => placeId === 'r49')).toEqual({
      placeId: 'r49',
      title: 'Ryokan r49',
      category: 'Hotel',
      address: expect.stringContaining('Berlin'),
      city: 'Berlin',
      state: null,
      postalCode: '10115',
      countryCode: 'DE',
      website: 'https://r49.example/',
      phone: expect.stringMatching(/^\+49 ?30 ?123456$/),
      rating: 4.9,
      reviewsCount: 12,
      isClosed: false,
      mapsUrl: expect.stringContaining('http'),
      searchString: 'ryokan',
      latitude: 52.5,
      longitude: 13.4,
    });
    expect(places.find(({ placeId }) => placeId === 'gone')).toMatchObject({ isClosed: true });
    expect(last).toMatchObject({ processedQueries: 1, endedEarly: null, isRunning: false });
  });

  it('filters exactly, whatever the words of the vendor are', async () => {
    const all = rated.map(({ placeId }) => placeId).toSorted();
    const open = ['offline', 'r40', 'r41', 'r42', 'r44', 'r49', 'unrated'];
    const cases: [Partial<MapsSearch>, string[]][] = [
      [{ minimumStars: 4.2 }, ['gone', 'offline', 'r42', 'r44', 'r49']],
      [{ minimumStars: 4.5 }, ['gone', 'offline', 'r49']],
      [{ minimumStars: 4.95 }, []],
      [{ minimumStars: 0 }, all],
      [{ website: 'withoutWebsite' }, ['offline']],
      [{ website: 'withWebsite' }, all.filter((id) => id !== 'offline')],
      [{ skipClosedPlaces: true }, open],
      [{ categoryFilterWords: ['hotel'] }, all],
      [{ categoryFilterWords: ['bakery'] }, []],
    ];
    const found = await Promise.all(
      cases.map(async ([changes]) => (await readAll(provider(name), search(changes))).ids),
    );
    expect(found).toEqual(cases.map(([, expected]) => expected));
  });

  it('gives at most as many places per search as were asked for', async () => {
    const wanted = search({ searchStrings: ['izakaya', 'ryokan'], maxPlacesPerSearch: 7 });
    const { places } = await readAll(provider(name), wanted, 5);
    const count = (term: string) => places.filter((p) => p.searchString === term).length;
    expect([count('izakaya'), count('ryokan')]).toEqual([7, 7]);
  });

  it('answers the same places for the same cursor', async () => {
    const maps = provider(name);
    const wanted = search({ searchStrings: ['izakaya'] });
    const cursor = await maps.begin(wanted, newToken());
    let page = await maps.page(wanted, cursor, 10);
    while (page.places.length === 0) page = await maps.page(wanted, cursor, 10);
    const again = await maps.page(wanted, cursor, 10);
    const ids = page.places.map(({ placeId }) => placeId);
    expect(again.places.map(({ placeId }) => placeId).slice(0, ids.length)).toEqual(ids);
  });

  it('with a wrong credential is `auth`, and the credential is not repeated', async () => {
    const maps = provider(name, 'wrong-credential');
    const error = await providerError(readAll(maps, search()));
    expect(error.kind).toBe('auth');
    expect(error.facts.operatorHint).toMatch(/APIFY_TOKEN|GOOGLE_PLACES_KEY/);
    expect(JSON.stringify(error) + error.message).not.toContain('wrong-credential');
  });

  it('that the vendor is too busy for is `rate_limited` or `unavailable`', async () => {
    const operation = name === 'apify' ? 'GET *' : 'POST *';
    await fault(name, operation, 'rate_limited');
    expect((await providerError(readAll(provider(name), search()))).kind).toBe('rate_limited');
    await fault(name, operation, 'error_500');
    expect((await providerError(readAll(provider(name), search()))).kind).toBe('unavailable');
  });

  it('ends at once when the caller aborts, with the reason of the caller', async () => {
    const maps = provider(name);
    const cursor = await maps.begin(search(), newToken());
    const reason = new Error('stopped');
    await expect(maps.page(search(), cursor, 10, AbortSignal.abort(reason))).rejects.toBe(reason);
    await maps.end(cursor);
  });

  it('may be ended twice, and after its end', async () => {
    const maps = provider(name);
    const cursor = await maps.begin(search(), newToken());
    await maps.end(cursor);
    await expect(maps.end(cursor)).resolves.toBeUndefined();
  });
});

describe('starting a search at Apify', () => {
  it('twice with one token makes one run', async () => {
    const before = (await runs()).length;
    const token = newToken();
    const first = await provider('apify').begin(search(), token);
    // Another process has no memory of what it has read.
    expect(await provider('apify').begin(search(), token)).toBe(first);
    expect(await runs()).toHaveLength(before + 1);
  });

  it('with a lost answer is `outcome_unknown`; begun again, the run is adopted', async () => {
    const before = (await runs()).length;
    const token = newToken();
    const maps = provider('apify', undefined, LOST_AFTER_MS);
    await fault('apify', 'POST /v2/actors/{actor}/runs', 'timeout_after_effect');
    expect((await providerError(maps.begin(search(), token))).kind).toBe('outcome_unknown');
    expect(await runs()).toHaveLength(before + 1);
    const patient = provider('apify');
    const cursor = await patient.begin(search(), token);
    expect(await patient.find(token)).toBe(cursor);
    const all = await runs();
    expect(all).toHaveLength(before + 1);
    expect(all.map(({ id }) => id)).toContain(cursor.split(':')[0]);
  });

  it('is adopted although a hundred others were started after it', async () => {
    const token = newToken();
    const maps = provider('apify');
    const cursor = await maps.begin(search(), token);
    for (let others = 0; others < 100; others += 10) {
      await Promise.all(Array.from({ length: 10 }, () => maps.begin(search(), newToken())));
    }
    expect(await provider('apify').find(token)).toBe(cursor);
  });

  it('that never reached the vendor leaves nothing to find', async () => {
    const token = newToken();
    const maps = provider('apify', undefined, LOST_AFTER_MS);
    await fault('apify', 'POST /v2/actors/{actor}/runs', 'timeout_before_effect');
    expect((await providerError(maps.begin(search(), token))).kind).toBe('outcome_unknown');
    expect(await provider('apify').find(token)).toBeNull();
  });

  it('without credit is `quota`', async () => {
    await fault('apify', 'POST /v2/actors/{actor}/runs', 'rejected');
    const error = await providerError(provider('apify').begin(search(), newToken()));
    expect(error.kind).toBe('quota');
  });

  it('is aborted by `end`', async () => {
    const maps = provider('apify');
    const wanted = search({ searchStrings: ['slow-ryokan'] });
    const cursor = await maps.begin(wanted, newToken());
    await maps.end(cursor);
    const run = (await runs()).find(({ id }) => cursor.startsWith(id));
    expect(run?.status).toMatch(/^ABORT/);
  });
});

describe('a search at Apify that ends badly', () => {
  it('by a time-out keeps what was found, and says that it ended early', async () => {
    const wanted = search({ searchStrings: ['timeout-izakaya'], maxPlacesPerSearch: 40 });
    const { places, last } = await readAll(provider('apify'), wanted);
    expect(places).toHaveLength(20);
    expect(last.endedEarly).toMatch(/took too long/);
  });

  it('without a single place is `rejected`', async () => {
    const wanted = search({ searchStrings: ['fail-ryokan'] });
    const error = await providerError(readAll(provider('apify'), wanted));
    expect(error.kind).toBe('rejected');
    expect(error.facts.providerCode).toBe('FAILED');
  });
});

describe('what a vendor cannot do', () => {
  it('is said: one screen without a location, 60 places and words only at Google', () => {
    const apify = provider('apify');
    const google = provider('places');
    expect(apify.shortcomings(search({ maxPlacesPerSearch: 500 }))).toEqual([]);
    expect(apify.shortcomings(search({ maxPlacesPerSearch: 500, locationQuery: '' }))).toHaveLength(
      1,
    );
    expect(google.shortcomings(search())).toEqual([]);
    const direct = { startUrls: ['https://maps.google.com/x'], placeIds: ['r49'] };
    expect(google.shortcomings(search({ ...direct, maxPlacesPerSearch: 61 }))).toHaveLength(3);
  });

  it('stops Google at 60 places of one search', async () => {
    const wanted = search({ searchStrings: ['izakaya'], maxPlacesPerSearch: 500 });
    expect((await readAll(provider('places'), wanted)).places).toHaveLength(60);
  });

  it('refuses a search without words at Google, so that another vendor is asked', async () => {
    const wanted = search({ searchStrings: [], placeIds: ['r49'] });
    const error = await providerError(provider('places').begin(wanted, newToken()));
    expect(error.kind).toBe('rejected');
  });

  it('finds places by id and by address at Apify, and says by which', async () => {
    const [url] = [`https://www.google.com/maps/place/?q=place_id:r44`];
    const wanted = search({ searchStrings: [], placeIds: ['r49'], startUrls: [url!] });
    const { places } = await readAll(provider('apify'), wanted);
    const askedBy = new Map(places.map((p) => [p.placeId, p.searchString]));
    expect([askedBy.size, askedBy.get('r44'), askedBy.get('r49')]).toEqual([2, url, 'r49']);
  });
});

describe('the wire', () => {
  const missing = specMissing('apify.json');
  it.skipIf(missing)(
    `of Apify fits its spec both ways${missing ? ` (${missing})` : ''}`,
    async () => {
      const checked = await checkCalls(world, 'apify', { file: 'apify.json', deviations: [] });
      expect(checked?.calls).toBeGreaterThan(30);
      // What a fault answered is no part of the contract.
      const problems = checked?.problems.filter((one) => !one.startsWith('response 500'));
      expect(problems).toEqual([]);
    },
  );
});
