/** The ads that run in the world, as the ad libraries' stand-ins know them. */
import { z } from 'zod';
import type { Store } from '../store.ts';
import { allOccur, fold, wordsOf } from './words.ts';

const id = z.union([z.string().min(1), z.int().transform(String)]);
const texts = z.array(z.string()).nullish();

/** A row of Meta's `ads_archive` answer and the countries that the ad reaches. */
export const adSchema = z.looseObject({
  id,
  page_id: id.optional(),
  page_name: z.string().min(1),
  countries: z
    .array(z.string().regex(/^[A-Za-z]{2}$/, 'is a country code of two letters'))
    .min(1)
    .transform((codes) => codes.map((code) => code.toUpperCase())),
  ad_creative_bodies: texts,
  ad_creative_link_titles: texts,
  ad_creative_link_captions: texts,
  ad_creative_link_descriptions: texts,
  ad_delivery_start_time: z.string().nullish(),
  ad_delivery_stop_time: z.string().nullish(),
  /** Commercial unless set otherwise. */
  ad_type: z.string().optional(),
  /** Where the ad leads, for libraries that show more than the caption. */
  link_url: z.string().nullish(),
});
export type KnownAd = z.infer<typeof adSchema>;

export interface Ads {
  put(ads: KnownAd[]): void;
  clear(): void;
  /** Ads from the control API. */
  given(): KnownAd[];
  /** All that `matches`: from the control API if any of its ads does, else the world's own. */
  where(matches: (ad: KnownAd) => boolean): KnownAd[];
}

const COLLECTION = 'ads';

export function openAds(store: Store, generated: KnownAd[]): Ads {
  const given = () => store.list<KnownAd>(COLLECTION);
  return {
    given,
    put: (ads) =>
      store.batch(() => {
        for (const ad of ads) store.put(COLLECTION, ad.id, ad);
      }),
    clear: () =>
      store.batch(() => {
        for (const ad of given()) store.delete(COLLECTION, ad.id);
      }),
    where(matches) {
      const own = given().filter(matches);
      return own.length > 0 ? own : generated.filter(matches);
    },
  };
}

export interface AdQuestion {
  /** Each word occurs, in any order. */
  terms: string;
  isPhrase?: boolean;
  activeStatus: 'ACTIVE' | 'INACTIVE' | 'ALL';
}

/** Whether text and running time match; each library checks countries itself. */
export function isAsked(ad: KnownAd, { terms, isPhrase, activeStatus }: AdQuestion): boolean {
  const shown = [
    ad.page_name,
    ...(ad.ad_creative_bodies ?? []),
    ...(ad.ad_creative_link_titles ?? []),
    ...(ad.ad_creative_link_descriptions ?? []),
  ];
  if (activeStatus !== 'ALL' && isActive(ad) !== (activeStatus === 'ACTIVE')) return false;
  if (isPhrase === true) return shown.some((text) => fold(text).includes(fold(terms)));
  return allOccur(terms, shown);
}

export const isActive = (ad: KnownAd): boolean =>
  ad.ad_delivery_stop_time == null || Date.parse(ad.ad_delivery_stop_time) > Date.now();

export const pageIdOf = (ad: KnownAd): string => ad.page_id ?? `9${ad.id}`;

/** `running shoes heavy` without its magic words. */
export const withoutWords = (terms: string, magic: readonly string[]): string =>
  magic.reduce(
    (rest, word) => rest.replaceAll(new RegExp(`(?<!\\S)${word}(?!\\S)`, 'gi'), ' '),
    terms,
  );

export const hasWords = (terms: string): boolean => wordsOf(terms).length > 0;
