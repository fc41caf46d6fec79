/** Which parts of a page are legal texts: all of an Impressum, or the text under such a heading. */
import { SIGN } from './html/text.ts';
import type { PageKind } from './types.ts';

/** A part begins at `start` and ends where the next one begins. */
export interface PagePart {
  start: number;
  kind: PageKind;
  /** The position of the first contact data about the part's own subject. */
  first: number;
}

const LEGAL_HEADING =
  /\uE001[^\n]{0,60}(?:impressum|imprint|mentions|legal|anbieter|colofon|特定商取引)[^\n]{0,60}\n/i;

/** On other kinds of pages the heading must be explicit: "Legal services" is a trade. */
const INNER: Partial<Record<PageKind, RegExp>> = {
  legal:
    /\uE001[ \uE000\uE001]{0,5}(?:impressum|imprint|site notice|mentions l[ée]gales|aviso legal|note legali|legal notice|colofon|impres[sz]*um)(?![\p{L}])[^\n]{0,40}\n/iu,
  privacy:
    /\uE001[ \uE000\uE001]{0,5}(?:datenschutz(?:erkl[äa]rung|hinweise?)?|privacy (?:policy|notice|statement)|politique de confidentialit[ée]|pol[íi]tica de privacida(?:d|de)|informativa (?:sulla )?privacy|privacyverklaring|polityka prywatności|ochrana osobních údajů|adatvédelm\p{L}*|tietosuoja\p{L}*|integritetspolicy|gizlilik\p{L}*|политика конфиденциальности)(?![\p{L}])[^\n]{0,40}\n/iu,
};

/** `places` are the positions of contact data in the text. */
export function partsOfPage(text: string, kind: PageKind, places: number[]): PagePart[] {
  const hasHeadings = text.includes(SIGN.heading);
  const title = hasHeadings ? text.search(LEGAL_HEADING) : -1;
  // Navigation and headers repeat data on each page: what counts follows the title.
  const parts: PagePart[] = [{ start: 0, kind, first: firstFrom(places, title) }];
  if (kind === 'legal' || kind === 'privacy' || !hasHeadings) return parts;
  for (const inner of ['legal', 'privacy'] as const) {
    const start = text.search(INNER[inner]!);
    if (start >= 0) parts.push({ start, kind: inner, first: firstFrom(places, start) });
  }
  return parts.toSorted((a, b) => a.start - b.start);
}

export const partAt = (parts: PagePart[], at: number): PagePart =>
  parts.findLast(({ start }) => start <= at) ?? parts[0]!;

const firstFrom = (places: number[], start: number): number =>
  places.reduce((first, place) => (place >= start && place < first ? place : first), Infinity);
