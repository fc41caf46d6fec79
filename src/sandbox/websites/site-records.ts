/** The business websites of the world: their hosts, addresses and pages. */
import { domainToASCII } from 'node:url';
import type { SandboxCore } from '../core.ts';
import type { ZoneRecord, ZoneSource } from '../zone.ts';

/** One answer. The body is a string (sent as UTF-8) or, for other bytes, base64. */
export interface Page {
  body?: string | undefined;
  bodyBase64?: string | undefined;
  /** null: the answer has no Content-Type. */
  contentType?: string | null | undefined;
  status?: number | undefined;
  headers?: Record<string, string | string[]> | undefined;
  /** Real time before the answer begins. */
  delayMs?: number | undefined;
}

export interface Site {
  host: string;
  /** By path with query, as `pageKey` writes it. */
  pages: Record<string, Page>;
  /** The DNS has its address, but nothing answers there. */
  down?: boolean | undefined;
}

export interface SiteRecords {
  /** A site from the control API, else one of the world's own. */
  site(host: string): Site | undefined;
  /** Hosts from the control API, in order. */
  put(): Site[];
  generated(): Site[];
  save(sites: Site[]): void;
  /** Removes the control API's sites at these hosts. */
  forget(hosts: string[]): void;
  addressOf(host: string): string;
  /**
   * Whether a name is that of a website, or of its domain without `www.`: such names have mail
   * exchangers.
   */
  receivesMail: (name: string) => boolean;
}

const SITES = 'sites';
const ADDRESSES = 'sites:addresses';

/** `generated` sites always exist; one from the control API at the same host hides it. */
export function openSiteRecords(core: SandboxCore, generated: Site[]): SiteRecords {
  const { store } = core;
  const builtIn = new Map(generated.map((site) => [site.host, site]));
  const site = (host: string) => store.get<Site>(SITES, host) ?? builtIn.get(host);
  return {
    site,
    put: () => store.list<Site>(SITES),
    generated: () => generated.filter(({ host }) => store.get(SITES, host) === undefined),
    save: (sites) =>
      store.batch(() => {
        for (const each of sites) store.put(SITES, each.host, each);
      }),
    forget: (hosts) =>
      store.batch(() => {
        for (const host of hosts) store.delete(SITES, host);
      }),
    addressOf(host) {
      const known = store.get<{ ipv4: string }>(ADDRESSES, host)?.ipv4;
      if (known !== undefined) return known;
      const ipv4 = core.hosts.allocateAddress();
      store.put(ADDRESSES, host, { ipv4 });
      return ipv4;
    },
    receivesMail: (name) => site(name) !== undefined || site(`www.${name}`) !== undefined,
  };
}

/** An A record for each host. */
export function siteZone(siteRecords: SiteRecords): ZoneSource {
  return {
    hasName: (name) => siteRecords.site(name) !== undefined,
    records(name): ZoneRecord[] {
      if (siteRecords.site(name) === undefined) return [];
      return [{ name, type: 'A', value: siteRecords.addressOf(name), ttlSeconds: 300 }];
    },
  };
}

/** A host name in lower case and punycode, or undefined when it is none. */
export function hostName(text: string): string | undefined {
  const ascii = domainToASCII(text.trim().replace(/\.$/, '')).toLowerCase();
  const isName = /^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9-]{2,63}$/;
  return isName.test(ascii) ? ascii : undefined;
}

/** A path with its query as browsers send it: `/über uns?a=b` -> `/%C3%BCber%20uns?a=b`. */
export function pageKey(path: string): string {
  try {
    const { pathname, search } = new URL(`http://site.test/${path.replace(/^\//, '')}`);
    return pathname + search;
  } catch {
    return path;
  }
}

/** The page of a request; a query that no page names is ignored, as most servers do. */
export function pageAt(site: Site, path: string): Page | undefined {
  const key = pageKey(path);
  return site.pages[key] ?? site.pages[key.split('?')[0]!];
}
