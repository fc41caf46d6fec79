/** Which visits to websites are identical, and which go to one site. */
import { getDomain } from 'tldts';
import { parseUrl } from '../url.ts';

export interface VisitQuestion {
  /** As a map or an ad shows it. */
  website: string;
  /** The country for parsing national phone numbers. */
  countryCode: string | null;
}

/** One visit, for all requests for the same address in the same country. */
export interface PlannedVisit<T extends VisitQuestion> {
  question: VisitQuestion;
  items: T[];
}

/**
 * Visits by site (a registrable domain), in the order of their first item. A site is visited by one request
 * at a time: more would only wait for each other.
 */
export function planVisits<T extends VisitQuestion>(items: readonly T[]): PlannedVisit<T>[][] {
  const sites = new Map<string, Map<string, PlannedVisit<T>>>();
  for (const item of items) {
    const { website, countryCode } = item;
    const url = urlOf(website);
    const site = siteKey(url, website);
    const visits = sites.get(site) ?? new Map<string, PlannedVisit<T>>();
    sites.set(site, visits);
    const key = `${countryCode ?? ''} ${url ? addressKey(url) : website}`;
    const visit = visits.get(key);
    if (visit) visit.items.push(item);
    else visits.set(key, { question: { website, countryCode }, items: [item] });
  }
  return [...sites.values()].map((visits) => [...visits.values()]);
}

function urlOf(website: string): URL | undefined {
  const text = website.trim();
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  return parseUrl(address);
}

const siteKey = (url: URL | undefined, website: string): string =>
  url ? (getDomain(url.hostname, { allowPrivateDomains: true }) ?? url.hostname) : website;

/** Protocol, `www.`, fragment and a trailing slash do not change the page. */
const addressKey = ({ host, pathname, search }: URL): string =>
  host.replace(/^www\./, '') + pathname.replace(/\/$/, '') + search;
