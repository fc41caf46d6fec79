/** Links of a page as addresses, and which of them are the same page or of the same site. */
import { registrableDomain } from '../address.ts';

/** Addresses of files, which are no pages. */
export const FILES =
  /\.(?:pdf|jpe?g|png|gif|svg|webp|zip|docx?|xlsx?|pptx?|mp[34]|avi|mov|css|js|json|xml|ics|vcf|rss|txt|apk|exe)$/i;

/** What links, frames and redirects are resolved against. */
export function baseOf(url: string, base: string | null): URL | null {
  try {
    const page = new URL(url);
    if (!base) return page;
    const resolved = new URL(base, page);
    return /^https?:$/.test(resolved.protocol) ? resolved : page;
  } catch {
    return null;
  }
}

/** An absolute http address without fragment; null for anything else. */
export function resolve(href: string, base: URL): URL | null {
  const text = href.trim();
  if (text === '' || text.startsWith('#') || text.length > 2_000) return null;
  try {
    const url = new URL(text, base);
    if (!/^https?:$/.test(url.protocol)) return null;
    url.hash = '';
    return url;
  } catch {
    return null;
  }
}

/** Hosts of one business: `www.acme.de`, `shop.acme.de`; two users of github.io are two sites. */
export function isSameSite(a: string, b: string): boolean {
  if (a === b) return true;
  const site = registrableDomain(a);
  return site !== null && site === registrableDomain(b);
}

/** A key that is equal for all addresses of a page: for comparing, not for requests. */
export function pageKey(url: Pick<URL, 'hostname' | 'pathname' | 'search'>): string {
  const { hostname, pathname, search } = url;
  const host = hostname.startsWith('www.') ? hostname.slice(4) : hostname;
  const page = /index|default/i.test(pathname)
    ? pathname.replace(/(?:index|default)\.\w{3,5}$/i, '')
    : pathname;
  return host + (page.endsWith('/') ? page.slice(0, -1) : page) + search;
}
