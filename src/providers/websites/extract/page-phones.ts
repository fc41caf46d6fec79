/** All telephone and fax numbers of a page. */
import type { CountryCode } from 'libphonenumber-js/max';
import type { ContactForm } from '../../../domain/contacts.ts';
import type { LinkedData } from './linked-data.ts';
import { ownerAt } from './owners.ts';
import { phonesOfLink } from './phone-links.ts';
import { parsePhone, parseWithoutPlus } from './phone-number.ts';
import { findPhones, isFaxAt } from './phone-text.ts';
import type { PageSource } from './read-page.ts';
import type { PageKind, PagePhone } from './types.ts';

const MAX_PHONES = 60;

/** In the order of the page, each number once per way it is written. */
export function phonesOfPage(
  source: PageSource,
  data: LinkedData,
  page: { url: string; kind: PageKind; countries: CountryCode[] },
): PagePhone[] {
  const found: PagePhone[] = [];
  const { text } = source;
  const add = (
    phone: string,
    form: ContactForm,
    more: { isFax: boolean; certainty: number; at: number | null },
  ): void => {
    if (found.length >= MAX_PHONES) return;
    const { isFax, certainty, at } = more;
    const owner = at === null ? null : ownerAt(text, at, page.kind);
    found.push({ phone, page: page.url, form, isFax, owner, certainty });
  };
  for (const { href, start } of source.links)
    for (const { phone, isFax, isMessenger } of phonesOfLink(href, page.countries)) {
      if (isMessenger) continue;
      add(phone, 'tel', { isFax: isFax || isFaxAt(text, start), certainty: 1, at: start });
    }
  for (const { value, isFax } of data.phones) {
    const parsed = parsePhone(value, page.countries) ?? parseWithoutPlus(value, page.countries);
    if (parsed) add(parsed.phone, 'json-ld', { isFax, certainty: 0.9, at: null });
  }
  for (const { name, value } of source.properties) {
    if (!/telephone|phone_number|fax/i.test(name)) continue;
    const parsed = parsePhone(value, page.countries);
    if (parsed)
      add(parsed.phone, 'microdata', { isFax: /fax/i.test(name), certainty: 0.9, at: null });
  }
  for (const { phone, isFax, certainty, start } of findPhones(text, page.countries))
    add(phone, 'text', { isFax, certainty, at: start });
  return found;
}
