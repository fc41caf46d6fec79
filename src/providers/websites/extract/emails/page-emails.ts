/** All e-mail addresses of a page, each with how it was written and to whom it seems to belong. */
import { relationOf } from '../../../../domain/discovery/contact-choice.ts';
import type { ContactForm } from '../../../../domain/discovery/contacts.ts';
import { isForeignReserved } from '../address.ts';
import { decodeCloudflare, decodeParts } from './email-decoders.ts';
import { isDecoyEmail } from './email-decoys.ts';
import { isFallback } from '../fallbacks.ts';
import { emailsOfLink } from './email-links.ts';
import { emailsOfScript } from './email-scripts.ts';
import { findEmails } from './email-text.ts';
import { ownerAt } from '../owners.ts';
import { nameNear } from '../person-names.ts';
import type { PageScan } from '../html/page-scan.ts';
import { isSetOutForRobots, isTrapAddress } from '../traps.ts';
import { bearsName, businessNames, isRole } from '../roles.ts';
import type { PageEmail } from '../types.ts';
import { parseUrl } from '../../../../domain/url.ts';

const MAX_EMAILS = 100;

/** How explicit a form is as a contact; the best form of an address is kept. */
const PLAINNESS: Record<ContactForm, number> = {
  mailto: 6,
  cloudflare: 5,
  'json-ld': 4,
  microdata: 4,
  text: 3,
  obfuscated: 2,
  tel: 0,
  link: 1,
};

/** In the order of the page, each address once. */
export function emailsOfPage(page: PageScan): PageEmail[] {
  const { source, data } = page;
  const found = new Map<string, PageEmail>();
  const shown = new Set<string>();
  const siteHost = parseUrl(page.url)?.hostname ?? '';
  const names = businessNames(siteHost, source.title);
  const isGeneric = (email: string): boolean => {
    const local = email.slice(0, email.lastIndexOf('@'));
    return isRole(local) || bearsName(local, names);
  };
  const add = (email: string, form: ContactForm, at: number | null, name?: string): void => {
    if (found.size >= MAX_EMAILS || isNobodys(email, siteHost)) return;
    if (at !== null && isSetOutForRobots(source.text, at)) return;
    if (!isFallback(source, at)) shown.add(email);
    const owner = at === null ? null : ownerAt(source.text, at, page);
    const kind = isGeneric(email) ? 'generic' : 'personal';
    const before = found.get(email);
    if (!before) {
      const named = kind === 'personal' ? name : undefined;
      found.set(email, { email, kind, page: page.url, form, owner, name: named });
      return;
    }
    if (PLAINNESS[form] > PLAINNESS[before.form]) before.form = form;
    // One mention as the business's own outweighs all others.
    if (before.owner === 'third-party') before.owner = owner;
    if (kind === 'personal') before.name ??= name;
  };
  const { text } = source;
  for (const { href, start, text: shown } of source.links) {
    const { emails, isCloudflare } = emailsOfLink(href);
    const form = isCloudflare ? 'cloudflare' : /^\s*mail/i.test(href) ? 'mailto' : 'link';
    for (const email of emails)
      if (!isLeftover(email, shown, page.url))
        add(email, form, start, nameNear(text, start, email));
  }
  for (const { value, at } of source.protected)
    for (const { email } of findEmails(decodeCloudflare(value) ?? ''))
      add(email, 'cloudflare', at, nameNear(text, at, email));
  for (const { email, start, isObfuscated } of page.emails)
    add(email, isObfuscated ? 'obfuscated' : 'text', start, nameNear(text, start, email));
  for (const { value, name } of data.emails)
    for (const { email } of findEmails(value.replace(/^mailto:/i, '')))
      add(email, 'json-ld', null, name);
  for (const { name, value } of source.properties)
    if (/email/i.test(name))
      for (const { email } of findEmails(value)) add(email, 'microdata', null);
  for (const { value, at } of source.attributes)
    for (const { email, isObfuscated } of findEmails(value))
      add(email, isObfuscated ? 'obfuscated' : 'text', at);
  for (const attributes of source.parts)
    for (const email of decodeParts(attributes)) add(email, 'obfuscated', null);
  for (const code of source.scripts)
    for (const email of emailsOfScript(code)) add(email, 'obfuscated', null);
  const all = [...found.values()];
  return shown.size > 0 ? all.filter(({ email }) => shown.has(email)) : all;
}

/** Examples, vendors and traps, wherever they are. */
const isNobodys = (email: string, siteHost: string): boolean =>
  isDecoyEmail(email) ||
  isTrapAddress(email) ||
  isForeignReserved(email.slice(email.lastIndexOf('@') + 1), siteHost);

/**
 * Whether a link shows another address than it leads to, and leads to none of the site's own: it was
 * copied from a template or another site, and the owner corrected only the visible text.
 */
function isLeftover(email: string, shown: string, url: string): boolean {
  if (!shown.includes('@')) return false;
  const relation = relationOf(email, url);
  if (relation === 'own' || relation === 'related') return false;
  const written = findEmails(shown);
  return written.length === 1 && written[0]!.email !== email;
}
