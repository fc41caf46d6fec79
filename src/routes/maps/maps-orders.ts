/** Requests for maps runs: fields, defaults and bounds. Spec: Maps scraper; choices 32, 33. */
import { z } from 'zod';
import type { MapsRunOrder, MapsSearchOrder } from '../../domain/maps/maps.ts';
import { bodyId } from '../../http/schemas.ts';

const term = z.string().trim().min(1).max(200);
const mapAddress = z.url({ protocol: /^https?$/, hostname: z.regexes.domain }).max(2_000);

/** Spec: POST /v1/maps-scraper/runs. */
export const searchOrder = z
  .object({
    searchStringsArray: z.array(term).max(100).default([]),
    startUrls: z.array(mapAddress).max(100).default([]),
    placeIds: z
      .array(z.string().regex(/^[\w:-]{1,255}$/, 'must be a place id'))
      .max(1_000)
      .default([]),
    locationQuery: z.string().trim().max(255).default(''),
    countryCode: z
      .string()
      .regex(/^[a-z]{2}$/i, 'must be a two-letter country code')
      .transform((code) => code.toLowerCase())
      .default('us'),
    language: z
      .string()
      .regex(/^[a-z]{2,3}(-[a-z0-9]{2,8}){0,2}$/i, 'must be a language code')
      .default('en'),
    maxCrawledPlacesPerSearch: z.int().min(1).max(500).default(50),
    website: z.enum(['allPlaces', 'withWebsite', 'withoutWebsite']).default('allPlaces'),
    placeMinimumStars: z.number().min(0).max(5).optional(),
    categoryFilterWords: z.array(term).max(100).default([]),
    skipClosedPlaces: z.boolean().default(false),
    scrapeContacts: z.boolean().default(false),
    verifyEmails: z.boolean().default(false),
    leadListId: bodyId.optional(),
  })
  .refine(
    ({ searchStringsArray, startUrls, placeIds }) =>
      searchStringsArray.length + startUrls.length + placeIds.length > 0,
    {
      path: ['searchStringsArray'],
      message: 'is required where neither startUrls nor placeIds are given',
    },
  );

/** Translates the request into the domain's terms. */
export const orderOf = (body: z.output<typeof searchOrder>): MapsRunOrder => ({
  search: searchOf(body),
  scrapeContacts: body.scrapeContacts,
  verifyEmails: body.verifyEmails,
  leadListId: body.leadListId,
});

const searchOf = (body: z.output<typeof searchOrder>): MapsSearchOrder => ({
  searchStrings: body.searchStringsArray,
  startUrls: body.startUrls,
  placeIds: body.placeIds,
  locationQuery: body.locationQuery,
  countryCode: body.countryCode,
  language: body.language,
  maxPlacesPerSearch: body.maxCrawledPlacesPerSearch,
  website: body.website,
  minimumStars: body.placeMinimumStars ?? null,
  categoryFilterWords: body.categoryFilterWords,
  skipClosedPlaces: body.skipClosedPlaces,
});

/** The request of an order, with all defaults. */
export const requestOf = ({
  search,
  scrapeContacts,
  verifyEmails,
  leadListId,
}: MapsRunOrder): z.output<typeof searchOrder> => ({
  searchStringsArray: search.searchStrings,
  startUrls: search.startUrls,
  placeIds: search.placeIds,
  locationQuery: search.locationQuery,
  countryCode: search.countryCode,
  language: search.language,
  maxCrawledPlacesPerSearch: search.maxPlacesPerSearch,
  website: search.website,
  ...(search.minimumStars !== null && { placeMinimumStars: search.minimumStars }),
  categoryFilterWords: search.categoryFilterWords,
  skipClosedPlaces: search.skipClosedPlaces,
  scrapeContacts,
  verifyEmails,
  ...(leadListId !== undefined && { leadListId }),
});

/** Spec: POST /v1/maps-scraper/runs/:id/import-to-lead-list. */
export const importOptions = z.object({
  leadListId: bodyId.optional(),
  requireEmail: z.boolean().default(true),
  includePhoneOnly: z.boolean().default(false),
  includeGenericEmails: z.boolean().default(false),
  minValidationScore: z.number().min(0).max(100).default(70),
  maxLeadsPerCompany: z.int().min(1).max(50).default(3),
  limit: z.int().min(1).max(5_000).default(500),
  startOver: z
    .boolean()
    .default(false)
    .describe('Begins with the first place, also where an earlier import has handled it.'),
});
