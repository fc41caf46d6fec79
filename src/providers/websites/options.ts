/** What the crawler needs; the process knows it without loading a crawler. */
import type { AddressResolver } from '../network.ts';

export interface WebsitesOptions {
  dns: AddressResolver;
  /** `socks5://host:port`; undefined dials directly. */
  outboundProxy: string | undefined;
  /** Who we are, with a page about us: stands in the user agent. */
  contactUrl: string;
  /** 198.18.0.0/15 counts as public: the world in a box lives there. Production refuses it. */
  allowBenchmarkRange: boolean;
}

/** Answers at once when the caller gives up; the visit itself ends on its own. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
