/** The crawling thread as the process sees it: started when needed, replaced when it dies. */
import type { Worker } from 'node:worker_threads';
import { orAborted, type WebsitesOptions } from '../options.ts';
import type { SiteAnswer, SiteQuestion, Websites } from '../port.ts';
import type { Order, Report, ThreadStart } from './messages.ts';
import { openThread } from './open.ts';

/**
 * Limits of JavaScript's memory: a thousand visits that all wait take up to 50 MB. Page bodies have their own budget.
 */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 56, maxYoungGenerationSizeMb: 3 };
/** How often a visit is started when the thread dies. */
const MAX_STARTS = 2;

interface Visit {
  question: SiteQuestion;
  resolve: (answer: SiteAnswer) => void;
  reject: (error: Error) => void;
  starts: number;
}

interface Thread {
  worker: Worker;
  isReady: boolean;
  failure: Error | undefined;
}

const openCrawlThread = (workerData: ThreadStart): Worker =>
  openThread('crawl-thread', { workerData, resourceLimits: RESOURCE_LIMITS });

/** Visits run on their own thread, so they do not block the event loop of the process. */
export function createCrawlHandle(options: WebsitesOptions, open = openCrawlThread): Websites {
  const { dns, ...start } = options;
  const visits = new Map<number, Visit>();
  let thread: Thread | undefined;
  let lastId = 0;

  const tell = (order: Order): void => thread?.worker.postMessage(order);
  const send = (id: number, visit: Visit): void => {
    thread ??= startThread();
    thread.worker.ref();
    visit.starts += 1;
    tell({ kind: 'visit', id, question: visit.question });
  };
  const settle = (id: number, by: (visit: Visit) => void): void => {
    const visit = visits.get(id);
    visits.delete(id);
    if (visit) by(visit);
    // A process with nothing else to do may end.
    if (visits.size === 0) thread?.worker.unref();
  };
  const startThread = (): Thread => {
    const worker = open(start);
    const started: Thread = { worker, isReady: false, failure: undefined };
    worker.on('message', (report: Report) => {
      if (report.kind === 'ready') started.isReady = true;
      else if (report.kind === 'answer') settle(report.id, (visit) => visit.resolve(report.answer));
      else if (report.kind === 'failure') settle(report.id, (visit) => visit.reject(report.error));
      else void lookUp(worker, report);
    });
    worker.on('error', (error) => (started.failure = error));
    worker.on('exit', () => replace(started));
    return started;
  };
  /** Answers the thread that asked, not its successor. */
  const lookUp = async (worker: Worker, { id, name }: { id: number; name: string }) => {
    const answer = (order: Order) => worker.postMessage(order);
    try {
      answer({ kind: 'resolved', id, addresses: await dns.resolveA(name) });
    } catch {
      answer({ kind: 'unresolved', id });
    }
  };
  /** Its visits start again on another thread; a thread that cannot even start fails them. */
  const replace = ({ isReady, failure }: Thread): void => {
    thread = undefined;
    const error = failure ?? new Error('a crawling thread ended');
    for (const [id, visit] of visits) {
      if (isReady && visit.starts < MAX_STARTS) send(id, visit);
      else settle(id, ({ reject }) => reject(error));
    }
  };
  return {
    async visit(question, signal) {
      signal?.throwIfAborted();
      lastId += 1;
      const id = lastId;
      const answer = new Promise<SiteAnswer>((resolve, reject) => {
        const visit = { question, resolve, reject, starts: 0 };
        visits.set(id, visit);
        send(id, visit);
      });
      if (!signal) return answer;
      const cancel = () => tell({ kind: 'cancel', id });
      signal.addEventListener('abort', cancel, { once: true });
      return orAborted(answer, signal).finally(() => signal.removeEventListener('abort', cancel));
    },
  };
}
