/** Website enrichment: our own crawler and what it reads from pages. */
import { version } from '../../version.ts';
import type { AddressResolver } from '../network.ts';
import { createMemoryBudget } from './memory-budget.ts';
import { createParseLane } from './parse-lane.ts';
import type { Websites } from './port.ts';
import { createRobotsCache, PRODUCT_TOKEN } from './robots.ts';
import type { Shared } from './session.ts';
import { createTurns } from './turns.ts';
import { visitSite } from './visit.ts';

export interface WebsitesOptions {
  dns: AddressResolver;
  /** `socks5://host:port`; undefined dials directly. */
  outboundProxy: string | undefined;
  /** Who we are, with a page about us: stands in the user agent. */
  contactUrl: string;
  /** 198.18.0.0/15 counts as public: the world in a box lives there. Production refuses it. */
  allowBenchmarkRange: boolean;
}

/** Pages of all visits while they arrive and wait to be read. */
const MEMORY_BYTES = 24 * 1024 * 1024;
/** Visits beyond this wait for one to end. */
const MAX_VISITS = 1_000;
/** Requests at once to one address, where a hoster has many sites. */
const REQUESTS_PER_ADDRESS = 4;

/** Visits share their manners (turns, robots.txt) and their bounds (memory, processor). */
export function createWebsites(options: WebsitesOptions): Websites {
  const { contactUrl, ...network } = options;
  const shared: Shared = {
    network,
    userAgent: `${PRODUCT_TOKEN}/${version} (+${contactUrl})`,
    siteTurns: createTurns(1),
    addressTurns: createTurns(REQUESTS_PER_ADDRESS),
    memory: createMemoryBudget(MEMORY_BYTES),
    lane: createParseLane(),
    robots: createRobotsCache(),
  };
  const visits = createTurns(MAX_VISITS);
  return {
    async visit(question, signal) {
      signal?.throwIfAborted();
      const leave = await visits.take('all');
      const visiting = visitSite(shared, question, signal).finally(() => leave());
      return signal ? orAborted(visiting, signal) : visiting;
    },
  };
}

/** Answers at once when the caller gives up; the visit itself ends on its own. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
