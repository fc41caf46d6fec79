/** Web addresses as strangers write them: which of them we visit, and which belong to one site. */
import { isIP } from 'node:net';
import { getDomain } from 'tldts';
import { refused, type Trouble } from './outcome.ts';
import { parseUrl } from '../../domain/url.ts';

/** Longer ones are traps or data. */
export const MAX_URL_LENGTH = 2_048;

/** The web's ports, and two that small servers use. */
const PORTS = new Set(['', '80', '443', '8080', '8443']);

/**
 * Names that lead inside a network or nowhere (RFC 6761, RFC 7686, RFC 8375, RFC 9476 and common use).
 */
const INNER_SUFFIX =
  /(^|\.)(localhost|localdomain|local|internal|intranet|lan|home|corp|private|onion|arpa|alt|invalid)$/;

/**
 * The addresses to try for a website as a map or an ad shows it, best first; none when it is no
 * web address. A missing protocol is tried as https, then http.
 */
export function startingUrls(website: string): URL[] {
  const text = website.trim();
  const scheme = /^([a-z][a-z0-9+.-]*):(?!\d+(?:[/?#]|$))/i.exec(text)?.[1]?.toLowerCase();
  if (text === '' || text.length > MAX_URL_LENGTH) return [];
  if (scheme === 'http' || scheme === 'https') return parsed(text);
  if (scheme !== undefined) return [];
  const rest = text.replace(/^\/\//, '');
  return [...parsed(`https://${rest}`), ...parsed(`http://${rest}`)];
}

function parsed(text: string): URL[] {
  const url = webUrl(text);
  return url ? [url] : [];
}

/** The URL of a link or a redirect as we dial it, without fragment; undefined for what is no web address. */
export function webUrl(text: string, base?: URL): URL | undefined {
  const url = text.length > MAX_URL_LENGTH ? undefined : parseUrl(text, base);
  if (!url) return undefined;
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  url.hash = '';
  // `example.com.` is the same host, but neither its certificates nor its virtual hosts say so.
  const host = url.hostname.replace(/\.$/, '');
  if (host !== url.hostname) url.hostname = host;
  return url.href.length > MAX_URL_LENGTH ? undefined : url;
}

/** Why we do not visit it, by the address alone; undefined when we do. */
export function forbiddenUrl(url: URL): Trouble | undefined {
  if (url.username !== '' || url.password !== '') {
    return refused('The address contains a user name or a password.');
  }
  if (!PORTS.has(url.port)) return refused(`Port ${url.port} is not one of a website.`);
  const host = bareHost(url);
  if (isIP(host) > 0) return undefined;
  const isPublicName = host.includes('.') && !host.split('.').includes('');
  if (!isPublicName || host.length > 253 || INNER_SUFFIX.test(host)) {
    return refused(`${host} is not a public name.`);
  }
  return undefined;
}

/** `[2001:db8::1]` as `2001:db8::1`, names as they are. */
export const bareHost = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

/** The unit of a site: a registrable domain (`shop.github.io` is one), or an IP address. */
export function siteOf(url: URL): string {
  return getDomain(url.hostname, { allowPrivateDomains: true }) ?? url.hostname;
}

/** Equal for addresses that show the same page: protocol, www. and index files make no difference. */
export function pageKey(url: URL): string {
  const path = url.pathname.replace(/\/(index|default)\.(html?|php|aspx?)$/i, '/');
  return url.host.replace(/^www\./, '') + path.replace(/(.)\/$/, '$1') + url.search;
}

/** The same site under its other name: `www.` put before it or taken away; undefined for addresses. */
export function otherName(url: URL): URL | undefined {
  if (isIP(bareHost(url)) > 0) return undefined;
  const other = new URL(url);
  if (url.hostname.startsWith('www.')) other.hostname = url.hostname.slice(4);
  else if (url.hostname === siteOf(url)) other.hostname = `www.${url.hostname}`;
  else return undefined;
  return other;
}
