/** What a crawler needs and may use; the process knows it without loading a crawler. */
import type { AddressResolver } from '../network.ts';
import type { SiteQuestion } from './port.ts';

export interface WebsitesOptions {
  dns: AddressResolver;
  /** `socks5://host:port`; undefined dials directly. */
  outboundProxy: string | undefined;
  /** Who we are, with a page about us: stands in the user agent. */
  contactUrl: string;
  /** 198.18.0.0/15 counts as public: the world in a box lives there. Production refuses it. */
  allowBenchmarkRange: boolean;
}

/** What a crawler may use of what all crawlers of the process share. */
export interface CrawlerShare {
  /** Pages of all its visits while they arrive and wait to be read. */
  memoryBytes: number;
  /** Requests at once to one address, where a hoster has many sites. */
  requestsPerAddress: number;
  /** Told whose page is being read, and undefined when it has been. */
  watch: (question: SiteQuestion | undefined) => void;
}

/** What all crawlers of a process may use together. */
export const WHOLE_SHARE: CrawlerShare = {
  memoryBytes: 8 * 1024 * 1024,
  requestsPerAddress: 4,
  watch: () => undefined,
};

/** Answers at once when the caller gives up; the visit itself ends on its own. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
