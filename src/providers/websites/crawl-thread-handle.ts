/** A crawling thread as the process sees it: started when needed, watched, replaced when it dies. */
import type { Worker } from 'node:worker_threads';
import type { AddressResolver } from '../network.ts';
import type { SiteAnswer, SiteQuestion } from './port.ts';
import type { Order, Report, ThreadStart } from './thread-messages.ts';

export interface CrawlThread {
  /** Rejects only when no thread can be started, or by `cancel`. */
  visit(question: SiteQuestion): { answer: Promise<SiteAnswer>; cancel: () => void };
}

/** The longest page takes some 0.1 s. */
const STUCK_MS = 10_000;
const LOOK_EVERY_MS = 2_000;
/** How often a visit is begun anew because its thread died of another's page. */
const MAX_STARTS = 3;

interface Visit {
  question: SiteQuestion;
  resolve: (answer: SiteAnswer) => void;
  reject: (error: Error) => void;
  starts: number;
}

interface Running {
  worker: Worker;
  reading: Int32Array<SharedArrayBuffer>;
  isReady: boolean;
  failure: Error | undefined;
  watching: NodeJS.Timeout;
}

/** `open` starts a thread that speaks as thread-messages.ts says. */
export function createCrawlThread(
  dns: AddressResolver,
  open: (reading: ThreadStart['reading']) => Worker,
): CrawlThread {
  const visits = new Map<number, Visit>();
  let running: Running | undefined;
  let lastId = 0;

  const tell = (order: Order): void => running?.worker.postMessage(order);
  const send = (id: number, visit: Visit): void => {
    running ??= start();
    running.worker.ref();
    visit.starts += 1;
    tell({ kind: 'visit', id, question: visit.question });
  };
  const settle = (id: number, by: (visit: Visit) => void): void => {
    const visit = visits.get(id);
    visits.delete(id);
    if (visit) by(visit);
    // A process with nothing else to do may end.
    if (visits.size === 0) running?.worker.unref();
  };
  const start = (): Running => {
    const reading = new Int32Array(new SharedArrayBuffer(8));
    const worker = open(reading);
    const watching = watch(worker, reading);
    const thread: Running = { worker, reading, watching, isReady: false, failure: undefined };
    worker.on('message', (report: Report) => hear(thread, report));
    worker.on('error', (error) => (thread.failure = error));
    worker.on('exit', () => replace(thread));
    return thread;
  };
  const hear = (thread: Running, report: Report): void => {
    if (report.kind === 'ready') thread.isReady = true;
    else if (report.kind === 'answer') settle(report.id, ({ resolve }) => resolve(report.answer));
    else if (report.kind === 'failure') settle(report.id, ({ reject }) => reject(report.error));
    else void lookUp(report.id, report.name);
  };
  const lookUp = async (id: number, name: string): Promise<void> => {
    try {
      tell({ kind: 'resolved', id, addresses: await dns.resolveA(name) });
    } catch {
      tell({ kind: 'unresolved', id });
    }
  };
  /** The visit whose page was being read has been the end of the thread; the others begin anew. */
  const replace = ({ isReady, reading, failure, watching }: Running): void => {
    clearInterval(watching);
    running = undefined;
    const culprit = Atomics.load(reading, 0);
    for (const [id, visit] of visits) {
      if (!isReady) settle(id, ({ reject }) => reject(failure ?? new Error('no thread')));
      else if (id === culprit || visit.starts >= MAX_STARTS) {
        settle(id, ({ resolve }) => resolve(UNREADABLE));
      } else send(id, visit);
    }
  };
  return {
    visit(question) {
      lastId += 1;
      const id = lastId;
      const answer = new Promise<SiteAnswer>((resolve, reject) => {
        const visit = { question, resolve, reject, starts: 0 };
        visits.set(id, visit);
        send(id, visit);
      });
      return { answer, cancel: () => tell({ kind: 'cancel', id }) };
    },
  };
}

const UNREADABLE: SiteAnswer = {
  state: 'refused',
  reason: 'Its pages cannot be read within bounds.',
  contacts: { emails: [], phones: [], profiles: [], contactPages: [] },
  pages: [],
};

/** Ends a thread that has been at one page for too long. */
function watch(worker: Worker, reading: Int32Array<SharedArrayBuffer>): NodeJS.Timeout {
  let since = performance.now();
  let pages = -1;
  const look = (): void => {
    const now = Atomics.load(reading, 1);
    if (Atomics.load(reading, 0) === 0 || now !== pages) since = performance.now();
    pages = now;
    if (performance.now() - since > STUCK_MS) void worker.terminate();
  };
  return setInterval(look, LOOK_EVERY_MS).unref();
}
