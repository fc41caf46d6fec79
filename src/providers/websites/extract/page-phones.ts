/** All telephone and fax numbers of a page. */
import type { ContactForm } from '../../../domain/contacts.ts';
import { ownerAt } from './owners.ts';
import { phonesOfLink } from './phone-links.ts';
import { parsePhone, parseWithoutPlus } from './phone-number.ts';
import { isFaxAt } from './phone-text.ts';
import type { PageScan } from './page-scan.ts';
import type { PagePhone } from './types.ts';

const MAX_PHONES = 60;

/** In the order of the page, each number once per way it is written. */
export function phonesOfPage(page: PageScan): PagePhone[] {
  const found: PagePhone[] = [];
  const { source, data } = page;
  const { text } = source;
  const add = (
    phone: string,
    form: ContactForm,
    more: { isFax: boolean; certainty: number; at: number | null },
  ): void => {
    if (found.length >= MAX_PHONES) return;
    const { isFax, certainty, at } = more;
    const owner = at === null ? null : ownerAt(text, at, page);
    found.push({ phone, page: page.url, form, isFax, owner, certainty });
  };
  for (const { href, start } of source.links)
    for (const { phone, isFax, isMessenger } of phonesOfLink(href, page.countries)) {
      if (isMessenger) add(phone, 'link', { isFax: false, certainty: 0.4, at: start });
      else add(phone, 'tel', { isFax: isFax || isFaxAt(text, start), certainty: 1, at: start });
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
  for (const { phone, isFax, certainty, start } of page.phones)
    add(phone, 'text', { isFax, certainty, at: start });
  return found;
}
