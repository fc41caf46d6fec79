/** The crawler of one thread: its visits share their manners and their bounds. */
import { version } from '../../version.ts';
import { createMemoryBudget } from './memory-budget.ts';
import { createParseLane } from './parse-lane.ts';
import { orAborted, WHOLE_SHARE, type WebsitesOptions } from './options.ts';
import type { SiteQuestion, Websites } from './port.ts';
import { createRobotsCache, PRODUCT_TOKEN } from './robots.ts';
import type { Shared } from './session.ts';
import { createTurns } from './turns.ts';
import { visitSite } from './visit.ts';

/** Visits on the caller's own thread. See `Websites` for what they promise. */
export function createCrawler(options: WebsitesOptions, share = WHOLE_SHARE): Websites {
  const { contactUrl, ...network } = options;
  const shared: Shared = {
    network,
    userAgent: `${PRODUCT_TOKEN}/${version} (+${contactUrl})`,
    siteTurns: createTurns(1),
    addressTurns: createTurns(share.requestsPerAddress),
    memory: createMemoryBudget(share.memoryBytes),
    lane: createParseLane((owner) => share.watch(owner as SiteQuestion | undefined)),
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
