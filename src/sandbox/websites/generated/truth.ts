/** The contact data that are really on the generated sites, page by page, to check results against. */
import type { Business } from './businesses.ts';
import { decoysOf } from './decoys.ts';

/** What a visitor can and cannot learn about a business from its site. */
export interface SiteTruth {
  host: string;
  /** What the map and the ads show. */
  website: string;
  name: string;
  trade: string;
  language: string;
  city: string;
  countryCode: string;
  /** How the general address is written. */
  writing: string;
  quirk: string | null;
  /** `refused`: robots.txt; `unreachable`: nobody answers; the rest below is then empty. */
  state: 'found' | 'refused' | 'unreachable';
  emails: { email: string; kind: 'generic' | 'personal'; name: string | null; pages: string[] }[];
  phones: { phone: string; isFax: boolean; pages: string[] }[];
  profiles: { url: string; pages: string[] }[];
  decoys: { emails: string[]; phones: string[]; profiles: string[] };
}

export function truthOf(business: Business): SiteTruth {
  const { host, quirk, city } = business;
  const { emails, phones, profiles } = decoysOf(business);
  const state =
    quirk === 'down' ? 'unreachable' : quirk === 'robots' ? 'refused' : ('found' as const);
  return {
    host,
    website: websiteOf(business),
    name: business.name,
    trade: business.trade,
    language: business.languageCode,
    city: city.name,
    countryCode: city.countryCode,
    writing: business.writing.name,
    quirk: quirk ?? null,
    state,
    ...(state === 'found' ? finds(business) : { emails: [], phones: [], profiles: [] }),
    decoys: { emails, phones, profiles },
  };
}

export const websiteOf = ({ host }: Business): string => `https://${host}/`;

function finds(business: Business): Pick<SiteTruth, 'emails' | 'phones' | 'profiles'> {
  const { host, language, owner, email, phone, fax, profiles, quirk } = business;
  const { contact, about, legal } = language.paths;
  const base = `https://${quirk === 'www' ? 'www.' : ''}${host}`;
  const all = ['/', contact, about, ...(legal === undefined ? [] : [legal.path])];
  const at = (...paths: string[]) => paths.map((path) => base + path);
  const isEverywhere = business.writing.name === 'json-ld';
  const onContact = [contact, ...(legal === undefined ? [] : [legal.path])];
  const generic = {
    email,
    kind: 'generic' as const,
    name: null,
    pages: at(...(isEverywhere ? all : onContact)),
  };
  const personal = {
    email: business.ownerEmail,
    kind: 'personal' as const,
    name: `${owner.firstName} ${owner.lastName}`,
    pages: at(about),
  };
  const calls = isEverywhere ? all : ['/', contact];
  return {
    emails: [generic, ...(business.showsOwnerEmail ? [personal] : [])],
    phones: [
      { phone: phone.e164, isFax: false, pages: at(...calls) },
      ...(fax === null ? [] : [{ phone: fax.e164, isFax: true, pages: at(contact) }]),
    ],
    profiles: profiles.map((url) => ({ url, pages: at(...all) })),
  };
}
