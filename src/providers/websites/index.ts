/** Website enrichment: our own crawler and what it reads from pages. */
import type { WebsitesOptions } from './options.ts';
import type { Websites } from './port.ts';
import { createCrawlHandle } from './threads/crawl-handle.ts';
import { createTurns } from './turns.ts';

export type { WebsitesOptions } from './options.ts';

/** Visits beyond this wait for one to end. */
const MAX_VISITS = 1_000;

/** Starts no thread before the first visit, and keeps no process alive without one. */
export function createWebsites(options: WebsitesOptions): Websites {
  const crawler = createCrawlHandle(options);
  const visits = createTurns(MAX_VISITS);
  return {
    async visit(question, signal) {
      signal?.throwIfAborted();
      const leave = await visits.take('all');
      try {
        return await crawler.visit(question, signal);
      } finally {
        leave();
      }
    },
  };
}
