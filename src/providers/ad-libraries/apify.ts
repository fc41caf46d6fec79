/**
 * Meta's ad library through an actor on Apify: `curious_coder/facebook-ads-library-scraper`, which
 * reads the public library and so has commercial ads of every country. It is unofficial and may break:
 * actor and build are settings, and everything specific to it is in this file.
 *
 * A cursor is `<run>:<dataset>:<offset>`. The dataset is read while the run is at work; right after its
 * end the last items may not be shown yet, so the end is believed only a little later.
 */
import { z } from 'zod';
import { ALL_COUNTRIES } from '../../domain/discovery/discovery.ts';
import { ProviderError } from '../../domain/errors.ts';
import { createApifyClient, type ApifyClient } from '../apify-client.ts';
import { earlyEndOf, readRows, type ApifyRun } from '../apify-runs.ts';
import { defineVendor, type ProviderTools } from '../vendor.ts';
import type { Ad, AdLibrary, AdPage, AdSearch } from './port.ts';

const PROVIDER = 'apify';

/** The vendor ends a run after this time, even if our process is gone. */
const RUN_TIMEOUT_SECONDS = 3_600;
const RUN_MEMORY_MBYTES = 512;
/** A dataset may grow for this long after its run's end (at most one request's time). Seen: 1 s. */
const MAX_SETTLE_MS = 5_000;
/** How long a page waits for new ads before it answers that there are none yet. */
const WAIT_SECONDS = 20;

/** The fields of a row that are read; a whole row is about 6 kB. */
const FIELDS = ['ad_archive_id', 'page_id', 'page_name', 'snapshot', 'ad_library_url', 'error'];

const settings = z.object({
  APIFY_TOKEN: z.string().min(1),
  APIFY_URL: z.url().default('https://api.apify.com'),
  APIFY_ADS_ACTOR: z.string().default('curious_coder~facebook-ads-library-scraper'),
  APIFY_ADS_BUILD: z.string().default('2.7.25'),
});
type Settings = z.infer<typeof settings>;

/** What an ad need not have is null where it is strange: the ad stays. */
const text = z.string().nullish().catch(null);
const row = z.object({
  ad_archive_id: z.union([z.string(), z.number()]).transform(String),
  page_id: z.union([z.string(), z.number()]).transform(String).nullish().catch(null),
  page_name: text,
  ad_library_url: text,
  snapshot: z
    .object({
      page_name: text,
      link_url: text,
      caption: text,
      cards: z
        .array(z.object({ link_url: text }))
        .nullish()
        .catch(null),
    })
    .nullish()
    .catch(null),
});

/** Rows without an ad say that an address found nothing. */
export const AD_ROWS = {
  row,
  isResult: ({ page_id, snapshot }: Record<string, unknown>) =>
    (page_id ?? snapshot ?? null) !== null,
};

export const apify = defineVendor({
  name: PROVIDER,
  settings,
  developmentVariables: ['APIFY_URL'],
  ownHosts: ['api.apify.com'],
  create: createApify,
});

function createApify(config: Settings, tools: ProviderTools): AdLibrary {
  const client = createApifyClient({
    provider: PROVIDER,
    token: config.APIFY_TOKEN,
    baseUrl: config.APIFY_URL,
    timeoutMs: tools.timeoutMs,
  });
  const settleMs = Math.min(MAX_SETTLE_MS, tools.timeoutMs);
  return {
    name: PROVIDER,
    covers: () => true,
    find: async (token, signal) => {
      const run = await client.findRunByMarker(config.APIFY_ADS_ACTOR, token, signal);
      return run && `${run.id}:${run.datasetId}:0`;
    },
    begin: (search, token, signal) => begin(client, config, { search, token, signal }),
    page: (_search, cursor, limit, signal) => page(client, settleMs, { cursor, limit, signal }),
    end: (cursor) => client.abort(readCursor(cursor).runId),
  };
}

async function begin(
  client: ApifyClient,
  config: Settings,
  { search, token, signal }: { search: AdSearch; token: string; signal: AbortSignal | undefined },
): Promise<string> {
  const actor = config.APIFY_ADS_ACTOR;
  const started = await client.findRunByMarker(actor, token, signal);
  const run =
    started ??
    (await client.startRun(actor, inputOf(search), {
      marker: token,
      timeoutSeconds: RUN_TIMEOUT_SECONDS,
      memoryMbytes: RUN_MEMORY_MBYTES,
      build: config.APIFY_ADS_BUILD,
    }));
  return `${run.id}:${run.datasetId}:0`;
}

/** The actor takes addresses of the public library, one per country. */
function inputOf({ searchTerm, countries, maxAds }: AdSearch): object {
  const places = countries.includes(ALL_COUNTRIES) ? [ALL_COUNTRIES] : countries;
  const urls = places.map((country) => {
    const url = new URL('https://www.facebook.com/ads/library/');
    url.search = new URLSearchParams({
      active_status: 'active',
      ad_type: 'all',
      country,
      media_type: 'all',
      q: searchTerm,
      search_type: 'keyword_unordered',
    }).toString();
    return { url: url.href };
  });
  return {
    urls,
    // Of each address. The actor may bring a few more.
    limitPerSource: Math.max(1, Math.ceil(maxAds / urls.length)),
    scrapeAdDetails: false,
  };
}

async function page(
  client: ApifyClient,
  settleMs: number,
  asked: { cursor: string; limit: number; signal: AbortSignal | undefined },
): Promise<AdPage> {
  const { runId, datasetId, offset } = readCursor(asked.cursor);
  const part = { offset, limit: asked.limit, fields: FIELDS };
  // The run is read before its items, so that the items include all it wrote before its end.
  let run = await client.getRun(runId, 0, asked.signal);
  let { items } = await client.items(datasetId, part, asked.signal);
  if (items.length === 0 && !run.isFinished) {
    run = await client.getRun(runId, WAIT_SECONDS, asked.signal);
    ({ items } = await client.items(datasetId, part, asked.signal));
  }
  const ads = readRows(PROVIDER, items, AD_ROWS).map(adOf);
  const cursor = `${runId}:${datasetId}:${offset + items.length}`;
  if (items.length > 0 || !isSettled(run, settleMs)) {
    return { ads, cursor, isRunning: true, endedEarly: null };
  }
  assertUseful(run, offset);
  return { ads, cursor: null, isRunning: false, endedEarly: earlyEndOf(run) };
}

/** Whether the dataset shows all that the run wrote. */
const isSettled = (run: { isFinished: boolean; finishedAt: string | null }, settleMs: number) =>
  run.isFinished && Date.now() - Date.parse(run.finishedAt ?? '1970-01-01') >= settleMs;

/** A failed run that has items counts as a short one; a failed run without items is a failure. */
function assertUseful(run: ApifyRun, read: number) {
  if (run.status === 'SUCCEEDED' || read > 0) return;
  throw new ProviderError(
    'rejected',
    `${PROVIDER}: the run ${run.id} ended as ${run.status} (${run.statusMessage ?? 'no reason'})`,
    {
      provider: PROVIDER,
      providerCode: run.status,
      operatorHint: 'Look at the run in the Apify console; the actor or its build may be broken.',
    },
  );
}

function readCursor(cursor: string): { runId: string; datasetId: string; offset: number } {
  const [runId = '', datasetId = '', offset = '0'] = cursor.split(':');
  return { runId, datasetId, offset: Number(offset) };
}

function adOf(ad: z.infer<typeof row>): Ad {
  const { ad_archive_id, page_id, page_name, snapshot, ad_library_url } = ad;
  const card = snapshot?.cards?.find(({ link_url }) => link_url);
  return {
    adId: ad_archive_id,
    pageId: page_id ?? '',
    pageName: page_name ?? snapshot?.page_name ?? '',
    landing: snapshot?.link_url ?? card?.link_url ?? snapshot?.caption ?? null,
    adUrl: ad_library_url ?? `https://www.facebook.com/ads/library/?id=${ad_archive_id}`,
  };
}
