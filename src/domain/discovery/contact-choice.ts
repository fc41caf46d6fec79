/** The preferred addresses of a website, each with the reason in plain words. */
import { parse } from 'tldts';
import type { ContactForm, FoundEmail, SiteContacts } from './contacts.ts';
import { isFreeMail } from '../email-validation/free-mail.ts';

export interface ChoiceOptions {
  /** The business's site, as a map or an ad shows it. */
  website: string;
  /** The maximum number; all when absent. */
  max?: number | undefined;
  /** Whether role addresses (`info@`) may be chosen. */
  includeGeneric: boolean;
  /** 0-100 by address, where addresses were validated. */
  validationScores?: ReadonlyMap<string, number> | undefined;
}

export interface ChosenContact extends FoundEmail {
  /** One sentence without full stop: "personal address on the business's own domain, found on /team". */
  reason: string;
}

/** The relation of the address's domain to the site's. */
type Relation = 'own' | 'related' | 'free' | 'other';

const RELATION_POINTS: Record<Relation, number> = { own: 40, related: 32, free: 20, other: 5 };
const RELATION_WORDS: Record<Relation, string> = {
  own: "on the business's own domain",
  related: 'on a domain of the same name',
  free: 'at a free mail provider',
  other: 'on another domain',
};

/** A `mailto:` link is meant for writing; so is a disguised address, for people. */
const FORM_POINTS: Record<ContactForm, number> = {
  mailto: 6,
  cloudflare: 6,
  'json-ld': 4,
  microdata: 4,
  text: 4,
  obfuscated: 4,
  link: 1,
  tel: 0,
};

/** Addresses that decision makers do not read. */
const SIDE_ROLES =
  /^(?:no-?reply|do-?not-?reply|webmaster|hostmaster|postmaster|abuse|privacy|datenschutz|dsb|dpo|gdpr|rgpd|jobs?|careers?|karriere|bewerbung(?:en)?|recruiting|recrutement|emploi|empleo|rrhh|hr|billing|invoices?|rechnung(?:en)?|faktura|laskutus|accounting|buchhaltung|newsletter|press|presse|unsubscribe)$/;
/** Addresses that are read first where a business has one mailbox. */
const MAIN_ROLES =
  /^(?:info|kontakt|contact|contacto|contato|contatti|hello|hallo|hola|office|buero|mail|post|biuro|iletisim|bilgi|welcome|team|praxis|kanzlei|studio|sales|ventas|vendas)$/;

/** Best first. Pure: the same contacts and options give the same answer. */
export function chooseContacts(contacts: SiteContacts, options: ChoiceOptions): ChosenContact[] {
  const { website, includeGeneric, validationScores, max = contacts.emails.length } = options;
  return contacts.emails
    .filter(({ kind }) => includeGeneric || kind === 'personal')
    .map((contact) => ({ contact, points: pointsOf(contact, website, validationScores) }))
    .toSorted((a, b) => b.points - a.points)
    .slice(0, max)
    .map(({ contact }) => ({ ...contact, reason: reasonOf(contact, website, validationScores) }));
}

/** The e-mail addresses, best first. */
export function rankEmails<Email extends FoundEmail>(emails: Email[], website: string): Email[] {
  return emails.toSorted((a, b) => pointsOf(b, website) - pointsOf(a, website));
}

function pointsOf(
  contact: FoundEmail,
  website: string,
  validationScores?: ReadonlyMap<string, number>,
): number {
  const local = contact.email.slice(0, contact.email.lastIndexOf('@'));
  let points = RELATION_POINTS[relationOf(contact.email, website)] + FORM_POINTS[contact.form];
  points += pagePoints(contact.page, website);
  if (contact.kind === 'personal') points += contact.name ? 18 : 12;
  else if (MAIN_ROLES.test(local)) points += 8;
  else if (SIDE_ROLES.test(local)) points -= 20;
  const validated = validationScores?.get(contact.email);
  // An address that does not exist is no contact, however good it looks.
  if (validated !== undefined) points += (validated - 50) * 0.8;
  return points;
}

/**
 * Whether the domain is the site's, has its name under another top-level domain, is free mail, or none of
 * these.
 */
export function relationOf(email: string, website: string): Relation {
  const domain = email.slice(email.lastIndexOf('@') + 1);
  const site = parse(website, { allowPrivateDomains: true });
  const mail = parse(domain, { allowPrivateDomains: true });
  if (site.domain !== null && site.domain === mail.domain) return 'own';
  if (isFreeMail(domain)) return 'free';
  return sharesName(site.domainWithoutSuffix ?? '', mail.domainWithoutSuffix ?? '')
    ? 'related'
    : 'other';
}

/** `hidromobile.com` and `hidromobile.cl`, `colegio-gandhi.mx` and `gandhi.mx`. */
function sharesName(a: string, b: string): boolean {
  const [left, right] = [a.replaceAll('-', ''), b.replaceAll('-', '')];
  if (left.length < 4 || right.length < 4) return left !== '' && left === right;
  return left.includes(right) || right.includes(left);
}

function pagePoints(page: string, website: string): number {
  const path = pathOf(page);
  if (/kontakt|conta[ct]|yhteys|kapcsolat|iletisim|контакт|toiawase/i.test(path)) return 6;
  if (/impressum|imprint|legal|aviso|mentions/i.test(path)) return 4;
  if (path === '/' || path === pathOf(website)) return 5;
  return /team|about|ueber|over|staff|nosotros|chi-siamo|o-nas/i.test(path) ? 4 : 0;
}

function pathOf(address: string): string {
  try {
    const { pathname } = new URL(address.includes('://') ? address : `http://${address}`);
    return decodeURI(pathname);
  } catch {
    return '/';
  }
}

function reasonOf(
  contact: FoundEmail,
  website: string,
  validationScores?: ReadonlyMap<string, number>,
): string {
  const { email, kind, name, page } = contact;
  const whose =
    kind === 'personal'
      ? name
        ? `personal address of ${name}`
        : 'personal address'
      : 'general address';
  const path = pathOf(page);
  const where = path === '/' || path === pathOf(website) ? 'the home page' : path;
  const score = validationScores?.get(email);
  const checked = score === undefined ? '' : `, validated with ${score} of 100`;
  return `${whose} ${RELATION_WORDS[relationOf(email, website)]}, found on ${where}${checked}`;
}
