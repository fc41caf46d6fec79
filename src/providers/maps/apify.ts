/**
 * Google Maps through the actor `compass/crawler-google-places` on Apify.
 *
 * A cursor is `<run>:<dataset>:<offset>`. The dataset is read while the run is at work; right after
 * its end the last items may not be shown yet, so the end is believed only a little later. A run
 * that timed out or was aborted keeps its items: they are a partial result.
 */
import { z } from 'zod';
import { ProviderError } from '../../domain/errors.ts';
import { createApifyClient, type ApifyClient } from '../apify-client.ts';
import { earlyEndOf, readRows, type ApifyRun } from '../apify-runs.ts';
import { defineVendor, type ProviderTools } from '../vendor.ts';
import { actorInput } from './apify-input.ts';
import { fits } from './filters.ts';
import type { MapsProvider, MapsSearch, Place, PlacePage } from './port.ts';

const PROVIDER = 'apify';
const ACTOR = 'compass~crawler-google-places';

/** A run of the largest search (50,000 places) takes hours; a small one must not hang for hours. */
const SECONDS_PER_PLACE = 3;
const MIN_RUN_SECONDS = 900;
const MAX_RUN_SECONDS = 6 * 3_600;
/** How long a page waits for new places before it answers that there are none yet. */
const WAIT_SECONDS = 20;
/** How long after a run's end its dataset may still grow. */
const SETTLE_MS = 3_000;
/** Without a location the map shows one screen. */
const ONE_SCREEN = 120;

const settings = z.object({
  APIFY_TOKEN: z.string().min(1),
  APIFY_URL: z.url().default('https://api.apify.com'),
});

/** What a place need not have is null where it is strange: the place stays. */
const text = z
  .string()
  .nullish()
  .catch(null)
  .transform((value) => value?.trim() || null);
const number = z
  .number()
  .nullish()
  .catch(null)
  .transform((value) => value ?? null);
const flag = z
  .boolean()
  .nullish()
  .catch(null)
  .transform((value) => value ?? false);
const row = z.object({
  placeId: z.string().min(1),
  title: z.string().trim().min(1),
  categoryName: text,
  address: text,
  city: text,
  state: text,
  postalCode: text,
  countryCode: text,
  website: text,
  phone: text,
  phoneUnformatted: text,
  totalScore: number,
  reviewsCount: number,
  permanentlyClosed: flag,
  temporarilyClosed: flag,
  url: text,
  searchString: text,
  searchPageUrl: text,
  location: z.object({ lat: z.number(), lng: z.number() }).nullish().catch(null),
  isExternalServicePlace: flag,
});
/** Rows without a title say that nothing was found. */
export const PLACE_ROWS = {
  row,
  isResult: ({ title }: Record<string, unknown>) => typeof title === 'string' && title !== '',
};
/** The fields of a row that are read; a whole row is several kB. */
const FIELDS = Object.keys(row.shape);

export const apify = defineVendor({
  name: PROVIDER,
  settings,
  developmentVariables: ['APIFY_URL'],
  ownHosts: ['api.apify.com'],
  create: createApify,
});

function createApify(config: z.infer<typeof settings>, tools: ProviderTools): MapsProvider {
  const client = createApifyClient({
    provider: PROVIDER,
    token: config.APIFY_TOKEN,
    baseUrl: config.APIFY_URL,
    timeoutMs: tools.timeoutMs,
  });
  const find = async (token: string, signal?: AbortSignal) => {
    const run = await client.findRunByMarker(ACTOR, token, signal);
    return run && firstCursor(run);
  };
  return {
    name: PROVIDER,
    accountQuestions: () => [client.question],
    shortcomings,
    find,
    begin: async (search, token, signal) =>
      // The start itself is not interrupted: nobody could tell then what runs.
      (await find(token, signal)) ?? firstCursor(await start(client, search, token)),
    page: (search, cursor, limit, signal) => page(client, { search, cursor, limit, signal }),
    end: (cursor) => client.abort(readCursor(cursor).runId),
  };
}

const shortcomings = (search: MapsSearch): string[] =>
  search.locationQuery === '' &&
  search.searchStrings.length > 0 &&
  search.maxPlacesPerSearch > ONE_SCREEN
    ? [`Without locationQuery a search shows at most about ${ONE_SCREEN} places`]
    : [];

function start(client: ApifyClient, search: MapsSearch, token: string): Promise<ApifyRun> {
  const { searchStrings, startUrls, placeIds, maxPlacesPerSearch } = search;
  const places = (searchStrings.length + startUrls.length) * maxPlacesPerSearch + placeIds.length;
  const seconds = Math.min(MAX_RUN_SECONDS, MIN_RUN_SECONDS + SECONDS_PER_PLACE * places);
  return client.startRun(ACTOR, actorInput(search), { marker: token, timeoutSeconds: seconds });
}

const firstCursor = (run: ApifyRun): string => `${run.id}:${run.datasetId}:0`;

function readCursor(cursor: string): { runId: string; datasetId: string; offset: number } {
  const [runId = '', datasetId = '', offset = '0'] = cursor.split(':');
  return { runId, datasetId, offset: Number(offset) };
}

async function page(
  client: ApifyClient,
  asked: { search: MapsSearch; cursor: string; limit: number; signal: AbortSignal | undefined },
): Promise<PlacePage> {
  const { search, limit, signal } = asked;
  const { runId, datasetId, offset } = readCursor(asked.cursor);
  const part = { offset, limit, fields: FIELDS };
  // The run is read before its items, so that the items include all it wrote before its end.
  let run = await client.getRun(runId, 0, signal);
  let { items } = await client.items(datasetId, part, signal);
  if (items.length === 0 && !run.isFinished) {
    run = await client.getRun(runId, WAIT_SECONDS, signal);
    ({ items } = await client.items(datasetId, part, signal));
  }
  const places = readRows(PROVIDER, items, PLACE_ROWS)
    .flatMap((data) => placeOf(data, search))
    .filter((p) => fits(p, search));
  const cursor = `${runId}:${datasetId}:${offset + items.length}`;
  const progress = { places, cursor, processedQueries: null, endedEarly: null };
  if (items.length > 0 || !isSettled(run)) return { ...progress, isRunning: true };
  return { ...progress, cursor: null, isRunning: false, ...resultOf(run, offset, search) };
}

/** Whether the dataset shows all that the run wrote. */
const isSettled = (run: ApifyRun): boolean =>
  run.isFinished && Date.now() - Date.parse(run.finishedAt ?? '1970-01-01') >= SETTLE_MS;

/** How a run that has written `written` items ended. A run that failed without items is a failure. */
function resultOf(
  run: ApifyRun,
  written: number,
  search: MapsSearch,
): Pick<PlacePage, 'processedQueries' | 'endedEarly'> {
  const words = run.statusMessage ?? 'no reason given';
  if (run.status === 'SUCCEEDED') {
    const { searchStrings, startUrls, placeIds } = search;
    const processedQueries = searchStrings.length + startUrls.length + placeIds.length;
    return { processedQueries, endedEarly: null };
  }
  if (written > 0) return { processedQueries: null, endedEarly: earlyEndOf(run) };
  throw new ProviderError('rejected', `${PROVIDER}: the search ended as ${run.status} (${words})`, {
    provider: PROVIDER,
    providerCode: run.status,
    operatorHint: `Look at the run ${run.id} in the Apify console.`,
  });
}

/** Hotels of other services are left out. */
function placeOf(data: z.infer<typeof row>, search: MapsSearch): Place[] {
  if (data.isExternalServicePlace) return [];
  return [
    {
      placeId: data.placeId,
      title: data.title,
      category: data.categoryName,
      address: data.address,
      city: data.city,
      state: data.state,
      postalCode: data.postalCode,
      countryCode: data.countryCode?.toUpperCase() ?? null,
      website: data.website,
      phone: data.phoneUnformatted ?? data.phone,
      rating: data.totalScore,
      reviewsCount: data.reviewsCount,
      isClosed: data.permanentlyClosed || data.temporarilyClosed,
      mapsUrl: data.url,
      searchString: data.searchString ?? askedBy(data, search),
      latitude: data.location?.lat ?? null,
      longitude: data.location?.lng ?? null,
    },
  ];
}

/** The address or id that asked for a place, where no search string found it. */
function askedBy(found: z.infer<typeof row>, search: MapsSearch): string | null {
  const { searchPageUrl, placeId } = found;
  if (search.placeIds.includes(placeId)) return placeId;
  return searchPageUrl && search.startUrls.includes(searchPageUrl) ? searchPageUrl : null;
}
