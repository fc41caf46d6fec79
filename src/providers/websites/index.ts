/** Website enrichment: our own crawler and what it reads from pages. */
import PQueue from 'p-queue';
import type { WebsitesOptions } from './options.ts';
import type { Websites } from './port.ts';
import { createCrawlHandle } from './threads/crawl-handle.ts';

export type { WebsitesOptions } from './options.ts';

/** Further visits wait for one to end. */
const MAX_VISITS = 1_000;

/** Starts no thread before the first visit; without visits it does not keep the process alive. */
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
