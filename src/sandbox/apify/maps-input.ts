/** The input of `compass/crawler-google-places`, as its schema checks it. */
import { z } from 'zod';
import type { ActorInput } from './actors.ts';

/** The actor takes stars as words, not as numbers. */
export const STARS: Record<string, number> = {
  '': 0,
  two: 2,
  twoAndHalf: 2.5,
  three: 3,
  threeAndHalf: 3.5,
  four: 4,
  fourAndHalf: 4.5,
};

const WEBSITE = ['allPlaces', 'withWebsite', 'withoutWebsite'] as const;
const MATCHING = ['all', 'only_includes', 'only_exact'] as const;

const oneOf = (values: readonly string[]) => {
  const words = values.map((value) => `"${value}"`).join(', ');
  return z.string({ error: 'must be string' }).refine((value) => values.includes(value), {
    message: `must be equal to one of the allowed values: ${words}`,
  });
};
const strings = z.array(z.string({ error: 'must be string' }), { error: 'must be array' });
const flag = z.boolean({ error: 'must be boolean' });
const count = z.int({ error: 'must be integer' }).min(0, 'must be >= 0');

/** Unknown keys are accepted, as on the platform. */
const mapsInput = z.looseObject({
  searchStringsArray: strings.optional(),
  locationQuery: z.string({ error: 'must be string' }).optional(),
  maxCrawledPlacesPerSearch: count.min(1, 'must be >= 1').optional(),
  language: z.string({ error: 'must be string' }).optional(),
  countryCode: z.string({ error: 'must be string' }).nullable().optional(),
  website: oneOf(WEBSITE).optional(),
  placeMinimumStars: oneOf(Object.keys(STARS)).optional(),
  categoryFilterWords: strings.optional(),
  searchMatching: oneOf(MATCHING).optional(),
  skipClosedPlaces: flag.optional(),
  startUrls: z
    .array(z.looseObject({ url: z.url({ error: 'must be a valid URL' }) }), {
      error: 'must be array',
    })
    .optional(),
  placeIds: strings.optional(),
  scrapePlaceDetailPage: flag.optional(),
  scrapeContacts: flag.optional(),
  maxReviews: count.optional(),
  maxImages: count.optional(),
  maxQuestions: count.optional(),
  maximumLeadsEnrichmentRecords: count.optional(),
});
export type MapsInput = z.infer<typeof mapsInput>;

export const readMapsInput = (input: ActorInput): MapsInput => mapsInput.parse(input);

/** In the wording of the platform's validation. */
export function mapsInputProblem(input: ActorInput): string | undefined {
  const parsed = mapsInput.safeParse(input);
  if (parsed.success) return undefined;
  const [issue] = parsed.error.issues;
  const items = issue!.path[0] === 'startUrls' && issue!.path.length > 1;
  const field = `input.${issue!.path.join('.')}`;
  if (!items) return `Input is not valid: Field ${field} ${issue!.message}`;
  return 'Input is not valid: Items in input.startUrls at positions [0] do not contain valid URLs';
}
