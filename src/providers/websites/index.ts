/** Website enrichment: our own crawler and what it reads from pages. */
import type { AddressResolver } from '../network.ts';
import type { Websites } from './port.ts';

export interface WebsitesOptions {
  dns: AddressResolver;
  /** `socks5://host:port`; undefined dials directly. */
  outboundProxy: string | undefined;
  /** Who we are, with a page about us: stands in the user agent. */
  contactUrl: string;
  /** 198.18.0.0/15 counts as public: the world in a box lives there. Production refuses it. */
  allowBenchmarkRange: boolean;
}

export function createWebsites(_options: WebsitesOptions): Websites {
  return { visit: () => Promise.reject(new Error('not built yet')) };
}
