/**
 * Meta Ad Library API (https://www.facebook.com/ads/library/api): commercial ads that reached the EU or
 * the UK within the last year; elsewhere it holds political ads only.
 *
 * The access token goes in a header: Meta repeats a token of the query in `paging.next` and in
 * `ad_snapshot_url`, so neither is asked for or kept. A cursor is `<limit>:<after>`; the limit is the
 * last one that Meta accepted (error 1 means "ask for less"); 0 = as the caller asks.
 */
import { z } from 'zod';
import { EU_COUNTRIES } from '../../domain/countries.ts';
import { ProviderError } from '../../domain/errors.ts';
import { createJsonClient, type JsonClient } from '../http-client.ts';
import { defineVendor, type ProviderTools } from '../vendor.ts';
import { isTooMuch, metaRefusal } from './meta-failures.ts';
import type { Ad, AdLibrary, AdPage, AdSearch } from './port.ts';

const PROVIDER = 'meta';

/** Pinned: fields and limits change with the version. */
const PATH = '/v24.0/ads_archive';

const COVERED: ReadonlySet<string> = new Set([...EU_COUNTRIES, 'GB']);

const FIRST = '0:';
const MAX_LIMIT = 500;

/** The only link to an ad that Meta offers without a token; it is for people. */
const adUrl = (id: string) => `https://www.facebook.com/ads/library/?id=${id}`;

const FIELDS = ['id', 'page_id', 'page_name', 'ad_creative_link_captions'].join(',');

const settings = z.object({
  META_TOKEN: z.string().min(1),
  META_URL: z.url().default('https://graph.facebook.com'),
});

const id = z.union([z.string(), z.number()]).transform(String);
const archiveAnswer = z.object({
  data: z.array(
    z.object({
      id,
      page_id: id.nullish(),
      page_name: z.string().nullish(),
      ad_creative_link_captions: z.array(z.string()).nullish(),
    }),
  ),
  paging: z.object({ cursors: z.object({ after: z.string().nullish() }).nullish() }).nullish(),
});

export const meta = defineVendor({
  name: PROVIDER,
  settings,
  developmentVariables: ['META_URL'],
  ownHosts: ['graph.facebook.com'],
  create: createMeta,
});

function createMeta(config: z.infer<typeof settings>, tools: ProviderTools): AdLibrary {
  const client = createJsonClient({
    provider: PROVIDER,
    baseUrl: config.META_URL,
    headers: { authorization: `Bearer ${config.META_TOKEN}` },
    secrets: [config.META_TOKEN],
    timeoutMs: tools.timeoutMs,
    refused: (refusal) => metaRefusal(PROVIDER, refusal),
  });
  return {
    name: PROVIDER,
    covers: (country) => COVERED.has(country),
    // Nothing runs at Meta: a search is only its requests.
    begin: async () => FIRST,
    page: (search, cursor, limit, signal) => page(client, search, { cursor, limit, signal }),
    end: async () => undefined,
  };
}

async function page(
  client: JsonClient,
  search: AdSearch,
  asked: { cursor: string; limit: number; signal: AbortSignal | undefined },
): Promise<AdPage> {
  const { known, after } = readCursor(asked.cursor);
  let limit = Math.min(MAX_LIMIT, asked.limit, known === 0 ? MAX_LIMIT : known);
  for (;;) {
    try {
      const answer = await ask(client, search, { after, limit, signal: asked.signal });
      const next = answer.paging?.cursors?.after;
      const isLast = answer.data.length === 0 || !next;
      // Only a limit that had to be lowered is remembered.
      const kept = limit < Math.min(MAX_LIMIT, asked.limit) ? limit : 0;
      return {
        ads: answer.data.map(ad),
        cursor: isLast ? null : `${kept}:${next}`,
        isRunning: false,
        endedEarly: null,
      };
    } catch (error) {
      if (!(error instanceof ProviderError && isTooMuch(error)) || limit <= 1) throw error;
      limit = Math.ceil(limit / 2);
    }
  }
}

const ask = (
  client: JsonClient,
  search: AdSearch,
  { after, limit, signal }: { after: string; limit: number; signal: AbortSignal | undefined },
): Promise<z.infer<typeof archiveAnswer>> =>
  client.send({
    method: 'GET',
    path: PATH,
    query: {
      search_terms: search.searchTerm,
      ad_reached_countries: JSON.stringify(search.countries),
      ad_type: 'ALL',
      ad_active_status: 'ACTIVE',
      fields: FIELDS,
      limit,
      ...(after !== '' && { after }),
    },
    repeatable: true,
    answer: archiveAnswer,
    signal,
  });

function readCursor(cursor: string): { known: number; after: string } {
  const colon = cursor.indexOf(':');
  return { known: Number(cursor.slice(0, colon)) || 0, after: cursor.slice(colon + 1) };
}

/** Captions are usually the domain that the ad leads to; anything else is not a landing page. */
const ad = (row: z.infer<typeof archiveAnswer>['data'][number]): Ad => ({
  adId: row.id,
  pageId: row.page_id ?? '',
  pageName: row.page_name ?? '',
  landing: row.ad_creative_link_captions?.find((caption) => /\S\.\S/.test(caption)) ?? null,
  adUrl: adUrl(row.id),
});
