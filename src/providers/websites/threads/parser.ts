/**
 * Parses pages on separate threads: it takes CPU and produces garbage, and a page made to run for ever,
 * or to fill the memory, ends its thread and nothing else. Our own because in a pool of piscina's a
 * page costs 1.3 to 1.4 times the CPU and 1.5 times the time; its time limit does not start with the
 * task, so none could be queued in a thread (docs/benchmarks.md).
 */
import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import type { PageBytes, ParsedPage } from '../parse-page.ts';
import { openThread } from './open.ts';

export interface Parser {
  /** Rejects only when no thread can be started, whatever the page is. */
  parse(page: PageBytes): Promise<ParsedPage>;
}

/** Parsing the longest page takes some 0.1 s. */
const PAGE_TIMEOUT_MS = 10_000;
/** Crawling takes a third of the CPU of parsing: a second thread fills two cores. */
const THREADS = Math.min(2, availableParallelism());
/** Pages in a thread at once: the one being parsed and those queued, so that it never idles. */
const PAGES_AHEAD = 3;
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 24, maxYoungGenerationSizeMb: 3 };

/** A thread's first message; all others are a page as JSON, cheaper to transfer than objects. */
export const READY = 'ready';

const GIVEN_UP: ParsedPage = { why: 'cannot be read' };

interface Task {
  page: PageBytes;
  resolve: (parsed: ParsedPage) => void;
  reject: (error: Error) => void;
}

interface Thread {
  worker: Worker;
  /** Oldest first: the first one is being parsed. */
  tasks: Task[];
  timer: NodeJS.Timeout | undefined;
  /** Starting does not count as parsing time. */
  isReady: boolean;
  failure: Error | undefined;
}

const openParseThread = (): Worker =>
  openThread('parse-thread', { resourceLimits: RESOURCE_LIMITS });

/** Starts another thread when those that run have enough to do. */
export function createParser(open = openParseThread, most = THREADS): Parser {
  const waiting: Task[] = [];
  const threads: Thread[] = [];

  /** The least busy thread with room; undefined when all are full. */
  const freeThread = (): Thread | undefined => {
    const idlest = threads.reduce<Thread | undefined>(
      (best, thread) => (best && best.tasks.length <= thread.tasks.length ? best : thread),
      undefined,
    );
    const isFree = idlest !== undefined && idlest.tasks.length < PAGES_AHEAD;
    return isFree ? idlest : threads.length < most ? start() : undefined;
  };
  const assign = (): void => {
    while (waiting.length > 0) {
      const thread = freeThread();
      if (!thread) return;
      const task = waiting.shift()!;
      thread.tasks.push(task);
      thread.worker.postMessage(task.page);
      if (thread.tasks.length === 1) watch(thread);
    }
  };
  const start = (): Thread => {
    const worker = open();
    const started: Thread = {
      worker,
      tasks: [],
      timer: undefined,
      isReady: false,
      failure: undefined,
    };
    threads.push(started);
    worker.on('message', (message: string) => {
      if (message === READY) started.isReady = true;
      else started.tasks.shift()?.resolve(JSON.parse(message) as ParsedPage);
      watch(started);
      assign();
    });
    worker.on('error', (error) => (started.failure = error));
    worker.on('exit', () => lose(started));
    return started;
  };
  /** A thread that dies loses the page it was parsing; the queued ones go to another thread. */
  const lose = (thread: Thread): void => {
    clearTimeout(thread.timer);
    threads.splice(threads.indexOf(thread), 1);
    const [read, ...next] = thread.tasks;
    if (thread.isReady) read?.resolve(GIVEN_UP);
    else read?.reject(thread.failure ?? new Error('a parsing thread ended as it began'));
    waiting.unshift(...next);
    assign();
  };
  return {
    parse: (page) =>
      new Promise((resolve, reject) => {
        waiting.push({ page, resolve, reject });
        assign();
      }),
  };
}

/** Keeps the process alive while there is work, and stops a page that takes too long. */
function watch(thread: Thread): void {
  clearTimeout(thread.timer);
  thread.timer = undefined;
  if (thread.tasks.length === 0) return thread.worker.unref();
  thread.worker.ref();
  if (!thread.isReady) return;
  thread.timer = setTimeout(() => void thread.worker.terminate(), PAGE_TIMEOUT_MS);
}
