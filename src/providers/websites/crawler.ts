/** The crawler: its visits share politeness (slots, robots.txt) and a bound on memory. */
import { version } from '../../domain/version.ts';
import { createMemoryBudget } from './memory-budget.ts';
import { orAborted, type WebsitesOptions } from './options.ts';
import type { Websites } from './port.ts';
import { createRobotsCache, PRODUCT_TOKEN } from './robots.ts';
import type { Shared } from './session.ts';
import { createParser, type Parser } from './threads/parser.ts';
import { createKeyedSlots } from './keyed-slots.ts';
import { visitSite } from './visit.ts';

/** Bytes of all visits' pages that are arriving or wait to be read. */
const MEMORY_BYTES = 8 * 1024 * 1024;
/** Requests at once to one address, where a hoster has many sites. */
const REQUESTS_PER_ADDRESS = 4;

/** One for the process: threads are expensive. */
let parser: Parser | undefined;

/** Visits on the caller's own thread. See `Websites` for what they promise. */
export function createCrawler(options: WebsitesOptions): Websites {
  const { contactUrl, ...network } = options;
  const shared: Shared = {
    network,
    userAgent: `${PRODUCT_TOKEN}/${version} (+${contactUrl})`,
    siteSlots: createKeyedSlots(1),
    addressSlots: createKeyedSlots(REQUESTS_PER_ADDRESS),
    memory: createMemoryBudget(MEMORY_BYTES),
    parser: (parser ??= createParser()),
    robots: createRobotsCache(),
  };
  return {
    async visit(question, signal) {
      signal?.throwIfAborted();
      const visiting = visitSite(shared, question, signal);
      return signal ? orAborted(visiting, signal) : visiting;
    },
  };
}
