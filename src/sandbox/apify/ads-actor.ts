/** `curious_coder/facebook-ads-library-scraper`: commercial ads of any country. */
import { z } from 'zod';
import {
  isActive,
  isAsked,
  pageIdOf,
  type AdQuestion,
  type Ads,
  type KnownAd,
} from '../catalogues/ads.ts';
import {
  magicOf,
  magicWork,
  workingMs,
  type Actor,
  type ActorInput,
  type ActorWork,
} from './actors.ts';

/** US dollars for one row. */
const PRICE_PER_AD = 0.000_75;
/** The actor reads the library in screens and saves whole ones: limits are not exact. */
const SCREEN = 30;

const adsInput = z.looseObject({
  urls: z.array(z.looseObject({ url: z.url() })).min(1),
  limitPerSource: z.int().min(1).optional(),
});

export const createAdsActor = (ads: Ads): Actor => ({
  id: 'XtaWFhbtfxyzqrFmd',
  username: 'curious_coder',
  name: 'facebook-ads-library-scraper',
  buildNumber: '2.7.25',
  pricePerItem: () => PRICE_PER_AD,
  problemOf: inputProblem,
  work: (input) => scrape(ads, adsInput.parse(input)),
});

function inputProblem(input: ActorInput): string | undefined {
  const parsed = adsInput.safeParse(input);
  if (parsed.success) return undefined;
  const [issue] = parsed.error.issues;
  if (input['urls'] === undefined) return 'Input is not valid: Field input.urls is required';
  return `Input is not valid: Field input.${issue!.path.join('.')} is not valid`;
}

function scrape(ads: Ads, { urls, limitPerSource }: z.infer<typeof adsInput>): ActorWork {
  const items = urls.flatMap(({ url }) => rowsOf(ads, url, limitPerSource));
  const work: ActorWork = {
    items,
    outcome: 'SUCCEEDED',
    statusMessage: `Finished: scraped ${items.length} ads.`,
    durationMs: workingMs(items.length),
  };
  return magicWork(
    urls.map(({ url }) => questionOf(url).q),
    work,
  );
}

interface Question extends Pick<AdQuestion, 'activeStatus'> {
  q: string;
  country: string;
}

/** The search that an address of the library stands for. */
function questionOf(url: string): Question {
  const { searchParams } = new URL(url);
  const status = searchParams.get('active_status')?.toUpperCase();
  const activeStatus = (['ACTIVE', 'INACTIVE'] as const).find((each) => each === status) ?? 'ALL';
  return {
    q: searchParams.get('q') ?? '',
    country: (searchParams.get('country') ?? 'ALL').toUpperCase(),
    activeStatus,
  };
}

function rowsOf(ads: Ads, url: string, limit = Number.POSITIVE_INFINITY): object[] {
  const { q, country, activeStatus } = questionOf(url);
  const question: AdQuestion = { terms: magicOf(q).rest, activeStatus };
  const found = ads.where(
    (ad) => isAsked(ad, question) && (country === 'ALL' || ad.countries.includes(country)),
  );
  if (found.length === 0) {
    const errorDescription = 'No ads match your search criteria';
    return [{ error: 'no_items', errorDescription, url }];
  }
  const most = Math.ceil(limit / SCREEN) * SCREEN;
  return found
    .slice(0, most)
    .map((ad, index) => toRow(ad, { url, total: found.length, position: index + 1 }));
}

interface Finding {
  url: string;
  total: number;
  position: number;
}

function toRow(ad: KnownAd, { url, total, position }: Finding): object {
  const pageId = pageIdOf(ad);
  const startMs = Date.parse(ad.ad_delivery_start_time ?? '2026-09-11');
  const stopMs = ad.ad_delivery_stop_time == null ? null : Date.parse(ad.ad_delivery_stop_time);
  return {
    ad_archive_id: ad.id,
    ad_id: null,
    page_id: pageId,
    page_name: ad.page_name,
    is_active: isActive(ad),
    start_date: Math.floor(startMs / 1_000),
    end_date: stopMs === null ? null : Math.floor(stopMs / 1_000),
    start_date_formatted: new Date(startMs).toISOString().slice(0, 19).replace('T', ' '),
    publisher_platform: ['FACEBOOK', 'INSTAGRAM'],
    ad_library_url: `https://www.facebook.com/ads/library/?id=${ad.id}`,
    url,
    total,
    ads_count: 1,
    position,
    snapshot: snapshotOf(ad, pageId),
  };
}

const CARD_FIELDS = ['page_profile_uri', 'cta_text', 'cta_type', 'display_format', 'cards'];

/** Further keys of a row from the control API are shown under the same name instead. */
function snapshotOf(ad: KnownAd, pageId: string): object {
  const caption = ad.ad_creative_link_captions?.[0] ?? null;
  const isDomain = caption !== null && /^([a-z0-9-]+\.)+[a-z]{2,}$/i.test(caption);
  const given = CARD_FIELDS.filter((name) => ad[name] !== undefined);
  return {
    page_id: pageId,
    page_name: ad.page_name,
    page_profile_uri: `https://www.facebook.com/${pageId}/`,
    link_url: ad.link_url === undefined && isDomain ? `https://${caption}/` : (ad.link_url ?? null),
    caption,
    cta_text: 'Learn more',
    cta_type: 'LEARN_MORE',
    display_format: 'IMAGE',
    title: ad.ad_creative_link_titles?.[0] ?? null,
    body: { text: ad.ad_creative_bodies?.[0] ?? '' },
    cards: [],
    ...Object.fromEntries(given.map((name) => [name, ad[name]])),
  };
}
