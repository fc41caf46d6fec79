/** Website enrichment: our own crawler and what it reads from pages. */
import PQueue from 'p-queue';
import type { WebsitesOptions } from './options.ts';
import type { Websites } from './port.ts';
import { createCrawlHandle } from './threads/crawl-handle.ts';

export type { WebsitesOptions } from './options.ts';

/** Visits beyond this wait for one to end. */
const MAX_VISITS = 1_000;

/** Starts no thread before the first visit, and keeps no process alive without one. */
export function createWebsites(options: WebsitesOptions): Websites {
  const crawler = createCrawlHandle(options);
  const visits = new PQueue({ concurrency: MAX_VISITS });
  return {
    async visit(question, signal) {
      signal?.throwIfAborted();
      return visits.add(() => crawler.visit(question, signal));
    },
  };
}
