/** Website enrichment: our own crawler and what it reads from pages. */
import { createCrawlThreads } from './crawl-threads.ts';
import type { WebsitesOptions } from './options.ts';
import type { Websites } from './port.ts';

export type { WebsitesOptions } from './options.ts';

/** Starts no thread before the first visit, and keeps no process alive without one. */
export const createWebsites = (options: WebsitesOptions): Websites => createCrawlThreads(options);
