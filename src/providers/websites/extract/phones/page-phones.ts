/** All telephone and fax numbers of a page. */
import type { ContactForm } from '../../../../domain/discovery/contacts.ts';
import { ownerAt, standsAside } from '../owners.ts';
import { phonesOfLink } from './phone-links.ts';
import { parsePhone, parseWithoutPlus } from './phone-number.ts';
import { isFallback } from '../fallbacks.ts';
import { labelOfWords } from '../labels.ts';
import { partAt } from '../legal-parts.ts';
import { isBesideStranger } from '../neighbours.ts';
import { findPhones, isFaxAt } from './phone-text.ts';
import type { PageScan } from '../html/page-scan.ts';
import { plainText } from '../html/text.ts';
import type { Owner, PagePhone } from '../types.ts';

const MAX_PHONES = 60;

/** In the order of the page, each number once per way it is written. */
export function phonesOfPage(page: PageScan): PagePhone[] {
  const found: PagePhone[] = [];
  const shown = new Set<string>();
  const { source, data } = page;
  const { text } = source;
  const add = (
    phone: string,
    form: ContactForm,
    more: { isFax: boolean; certainty: number; at: number | null },
  ): void => {
    if (found.length >= MAX_PHONES) return;
    const { isFax, certainty, at } = more;
    const owner = at === null ? null : (ownerAt(text, at, page) ?? ownerByDomain(page, at));
    if (!isFallback(source, at)) shown.add(phone);
    const isAside = at !== null && owner === null && standsAside(text, at, page.parts);
    found.push({ phone, page: page.url, form, isFax, owner, certainty, isAside });
  };
  for (const { href, start, text: shown } of source.links)
    for (const { phone, isFax, isMessenger } of phonesOfLink(href, page.countries)) {
      if (isMessenger) add(phone, 'link', { isFax: false, certainty: 0.4, at: start });
      else
        add(phone, 'tel', {
          isFax: isFax || isCalledFax(shown) || isFaxAt(text, start),
          certainty: 1,
          at: start,
        });
    }
  for (const { value, at } of source.numbers)
    for (const { phone, isFax, certainty } of findPhones(value, page.countries))
      if (isBelieved(value, certainty)) add(phone, 'text', { isFax, certainty, at });
  for (const { value, isFax } of data.phones) {
    const parsed = parsePhone(value, page.countries) ?? parseWithoutPlus(value, page.countries);
    if (parsed) add(parsed.phone, 'json-ld', { isFax, certainty: 0.9, at: null });
  }
  for (const { name, value } of source.properties) {
    if (!/telephone|phone_number|fax/i.test(name)) continue;
    const parsed = parsePhone(plainText(value), page.countries);
    if (parsed)
      add(parsed.phone, 'microdata', { isFax: /fax/i.test(name), certainty: 0.9, at: null });
  }
  for (const { phone, isFax, certainty, start } of page.phones)
    add(phone, 'text', { isFax, certainty, at: start });
  return shown.size > 0 ? found.filter(({ phone }) => shown.has(phone)) : found;
}

/** Only in legal texts: elsewhere partners and their sites are beside the business's number. */
function ownerByDomain({ source, parts, url }: PageScan, at: number): Owner {
  const part = partAt(parts, at);
  const isLegal = part.kind === 'legal' || part.kind === 'privacy';
  return isLegal && isBesideStranger(source.text, at, { url, part }) ? 'third-party' : null;
}

/** Titles of photos and articles are full of figures: a number has to be labelled, or stand alone. */
const isBelieved = (value: string, certainty: number): boolean =>
  certainty >= (/\p{L}/u.test(value) ? 0.85 : 0.7);

/** "Telefax 030 ...", or a drawing of that title. */
const isCalledFax = (shown: string): boolean =>
  shown.length < 100 && /fax|faks|факс/i.test(shown) && labelOfWords(wordsOf(shown)) === 'fax';

const wordsOf = (text: string): string => text.replaceAll(/[^\p{L}\p{M} -]+/gu, ' ').trim();
