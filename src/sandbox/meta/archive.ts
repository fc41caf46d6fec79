/** Meta's archive: the rows for a search, its paging, what it does not cover. */
import { isAsked, pageIdOf, type Ads, type KnownAd } from '../catalogues/ads.ts';
import { cursorOf, FIELDS, type ArchiveQuestion } from './parameters.ts';
import { META_TOKEN } from './wire.ts';

/** Commercial ads are kept only where the law wants it: the European Union and the UK. */
const COVERED = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GB GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '),
);
const POLITICAL = 'POLITICAL_AND_ISSUE_ADS';

export function answer(ads: Ads, question: ArchiveQuestion, address: URL): object {
  const found = ads.where((ad) => isHeld(ad, question));
  const end = question.offset + question.limit;
  const rows = found.slice(question.offset, end);
  if (rows.length === 0) return { data: [] };
  const after = cursorOf(end);
  return {
    data: rows.map((ad) => toRow(ad, question.fields)),
    paging: {
      cursors: { before: cursorOf(question.offset), after },
      ...(end < found.length && { next: nextPage(address, after) }),
    },
  };
}

function isHeld(ad: KnownAd, question: ArchiveQuestion): boolean {
  const { pageIds, countries, adType } = question;
  if (pageIds.length > 0 && !pageIds.includes(pageIdOf(ad))) return false;
  const isAbout = pageIds.length > 0 && question.terms.trim() === '';
  if (!isAbout && !isAsked(ad, question)) return false;
  if (adType !== 'ALL' && ad.ad_type !== adType) return false;
  const isReached = (code: string) => countries.includes('ALL') || countries.includes(code);
  const reached = ad.countries.filter(isReached);
  return ad.ad_type === POLITICAL ? reached.length > 0 : reached.some((code) => COVERED.has(code));
}

/** The id always, the rest when it was asked for and is known. */
function toRow(ad: KnownAd, fields: string[]): object {
  const known: Record<string, unknown> = {
    ...ad,
    page_id: pageIdOf(ad),
    ad_creation_time: ad['ad_creation_time'] ?? ad.ad_delivery_start_time,
    // The real URL contains the token too.
    ad_snapshot_url: `https://www.facebook.com/ads/archive/render_ad/?id=${ad.id}&access_token=${META_TOKEN}`,
  };
  const wanted = FIELDS.filter((name) => fields.includes(name) && known[name] != null);
  return { ...Object.fromEntries(wanted.map((name) => [name, known[name]])), id: ad.id };
}

/** The whole search again, token included, as the Graph API writes it. */
function nextPage(address: URL, after: string): string {
  const next = new URL(address);
  next.searchParams.set('access_token', META_TOKEN);
  next.searchParams.set('after', after);
  return next.href;
}
