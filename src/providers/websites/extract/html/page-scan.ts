/** One page during extraction: its parts, and what was found in its text. */
import type { CountryCode } from 'libphonenumber-js/max';
import { findEmails } from '../emails/email-text.ts';
import type { TextEmail } from '../emails/email-around.ts';
import { partsOfPage, type PagePart } from '../legal-parts.ts';
import type { LinkedData } from '../linked-data.ts';
import { readLinkedData } from '../linked-data.ts';
import { kindOfPage } from '../page-kind.ts';
import { countriesOf } from '../phones/phone-number.ts';
import { findPhones, type TextPhone } from '../phones/phone-text.ts';
import type { PageSource } from './page-source.ts';
import type { PageKind } from '../types.ts';

export interface PageScan {
  url: string;
  kind: PageKind;
  source: PageSource;
  data: LinkedData;
  countries: CountryCode[];
  emails: TextEmail[];
  phones: TextPhone[];
  /** In order. */
  parts: PagePart[];
}

export function scanPage(source: PageSource, page: URL, countryCode: string | null): PageScan {
  const countries = countriesOf(countryCode, page.hostname, source.language);
  const emails = findEmails(source.text);
  const phones = findPhones(source.text, countries);
  const kind = kindOfPage(page, source.title);
  return {
    url: page.href,
    kind,
    source,
    data: readLinkedData(source.linkedData),
    countries,
    emails,
    phones,
    parts: partsOfPage(source.text, kind, placesOf(source, [...emails, ...phones])),
  };
}

/** The positions of contact data. */
const placesOf = (
  { links, protected: hidden }: PageSource,
  found: { start: number }[],
): number[] => [
  ...found.map(({ start }) => start),
  ...links.filter(({ href }) => /^\s*(?:mailto|tel):/i.test(href)).map(({ start }) => start),
  ...hidden.map(({ at }) => at),
];
