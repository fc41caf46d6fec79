/** One page on its way to findings: its parts, and what was found in its text. */
import type { CountryCode } from 'libphonenumber-js/max';
import { findEmails, type TextEmail } from './email-text.ts';
import type { LinkedData } from './linked-data.ts';
import { readLinkedData } from './linked-data.ts';
import { kindOfPage } from './page-kind.ts';
import { countriesOf } from './phone-number.ts';
import { findPhones, type TextPhone } from './phone-text.ts';
import type { PageSource } from './page-source.ts';
import { SIGN } from './text.ts';
import type { PageKind } from './types.ts';

export interface PageScan {
  url: string;
  kind: PageKind;
  source: PageSource;
  data: LinkedData;
  countries: CountryCode[];
  emails: TextEmail[];
  phones: TextPhone[];
  /** Where in the text the first contact data of the page's own subject stand. */
  first: number;
}

export function scanPage(source: PageSource, page: URL, countryCode: string | null): PageScan {
  const countries = countriesOf(countryCode, page.hostname, source.language);
  const emails = findEmails(source.text);
  const phones = findPhones(source.text, countries);
  return {
    url: page.href,
    kind: kindOfPage(page, source.title),
    source,
    data: readLinkedData(source.linkedData),
    countries,
    emails,
    phones,
    first: firstPlace(source, [...emails, ...phones]),
  };
}

const LEGAL_HEADING =
  /\uE001[^\n]{0,60}(?:impressum|imprint|mentions|legal|anbieter|colofon|特定商取引)[^\n]{0,60}\n/i;

/** Navigation and headers repeat data on each page: what counts comes behind the title. */
function firstPlace(
  { text, links, protected: hidden }: PageSource,
  found: { start: number }[],
): number {
  const title = text.includes(SIGN.heading) ? text.search(LEGAL_HEADING) : -1;
  const places = [
    ...found.map(({ start }) => start),
    ...links.filter(({ href }) => /^\s*(?:mailto|tel):/i.test(href)).map(({ start }) => start),
    ...hidden.map(({ at }) => at),
  ].filter((place) => place >= title);
  return places.length > 0 ? Math.min(...places) : Infinity;
}
