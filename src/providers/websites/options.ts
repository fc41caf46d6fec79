/** The crawler's options, in a file of their own so that the process need not load the crawler. */
import type { AddressResolver } from '../network.ts';

export interface WebsitesOptions {
  dns: AddressResolver;
  /** `socks5://host:port`; undefined dials directly. */
  outboundProxy: string | undefined;
  /** The address of a page about us, for the user agent. */
  contactUrl: string;
  /** Whether 198.18.0.0/15 counts as public: the development world uses it. Production refuses it. */
  allowBenchmarkRange: boolean;
  /** `benchmark`: only sites of the sandbox are visited. */
  reach?: 'benchmark' | undefined;
  /** PEM: the only authority that is trusted; Node's own where it is left out. */
  ca?: string | undefined;
}

/** Rejects at once when the caller aborts; the visit itself ends on its own. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
