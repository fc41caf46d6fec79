/**
 * Crawling on threads of its own: reading pages takes the processor and makes garbage, which here
 * delays no one else and has a bound; and a page that is made to take for ever can be stopped.
 */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { createCrawlThread, type CrawlThread } from './crawl-thread-handle.ts';
import { orAborted, WHOLE_SHARE, type WebsitesOptions } from './options.ts';
import type { SiteAnswer, SiteQuestion, Websites } from './port.ts';
import type { ThreadStart } from './thread-messages.ts';
import { siteOf, startingUrls } from './site-url.ts';
import { createTurns } from './turns.ts';

/** More would hold more memory than the visits need. */
const MAX_THREADS = 2;
/** Visits beyond this wait for one to end. */
const MAX_VISITS = 1_000;
/** Of JavaScript; pages on their way have a budget of their own. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 48, maxYoungGenerationSizeMb: 6 };

/** Visits of one site meet on one thread, where they wait for each other. */
export function createCrawlThreads(options: WebsitesOptions): Websites {
  const count = Math.min(MAX_THREADS, availableParallelism());
  const share = {
    memoryBytes: WHOLE_SHARE.memoryBytes / count,
    requestsPerAddress: WHOLE_SHARE.requestsPerAddress / count,
  };
  const { dns, ...rest } = options;
  const open = (reading: ThreadStart['reading']) =>
    openWorker({ options: rest, reading, ...share });
  const threads: CrawlThread[] = [];
  const visits = createTurns(MAX_VISITS);
  const threadFor = (question: SiteQuestion): CrawlThread => {
    const [url] = startingUrls(question.website);
    const at = url ? hashOf(siteOf(url)) % count : 0;
    return (threads[at] ??= createCrawlThread(dns, open));
  };
  return {
    async visit(question, signal) {
      signal?.throwIfAborted();
      const leave = await visits.take('all');
      try {
        return await visitOn(threadFor(question), question, signal);
      } finally {
        leave();
      }
    },
  };
}

function visitOn(
  thread: CrawlThread,
  question: SiteQuestion,
  signal: AbortSignal | undefined,
): Promise<SiteAnswer> {
  signal?.throwIfAborted();
  const { answer, cancel } = thread.visit(question);
  if (!signal) return answer;
  signal.addEventListener('abort', cancel, { once: true });
  return orAborted(answer, signal).finally(() => signal.removeEventListener('abort', cancel));
}

function hashOf(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at += 1) hash = (hash * 31 + text.charCodeAt(at)) >>> 0;
  return hash;
}

function openWorker(workerData: ThreadStart): Worker {
  const isBuilt = import.meta.url.endsWith('.js');
  // From its sources, as in development, a thread has to load the loader first.
  const program = isBuilt ? 'crawl-thread.js' : 'crawl-thread-source.mjs';
  const settings = { workerData, resourceLimits: RESOURCE_LIMITS };
  return new Worker(new URL(program, import.meta.url), settings);
}
