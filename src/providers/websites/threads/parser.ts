/**
 * Reading pages on threads of their own: it takes the processor and makes garbage, and a page that
 * is made to take for ever, or to fill the memory, ends its thread and nothing else.
 *
 * Ours because a page costs 1.3 to 1.4 times the CPU and 1.5 the time in a pool of piscina's, which
 * knows no limit that begins with the task, so that none may wait in a thread (docs/benchmarks.md).
 */
import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import type { PageBytes, ParsedPage } from '../parse-page.ts';
import { openThread } from './open.ts';

export interface Parser {
  /** Rejects only when no thread can be started, whatever the page is. */
  parse(page: PageBytes): Promise<ParsedPage>;
}

/** The longest page takes some 0.1 s. */
const PAGE_TIMEOUT_MS = 10_000;
/** Crawling takes a third of what reading takes: a second one fills two processors. */
const THREADS = Math.min(2, availableParallelism());
/** The one that is read and those that wait there, so that the thread never does. */
const PAGES_AHEAD = 3;
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 24, maxYoungGenerationSizeMb: 3 };

/** What a thread says first; all else is a page as JSON, cheaper to hand over than objects. */
export const READY = 'ready';

const GIVEN_UP: ParsedPage = { why: 'cannot be read' };

interface Task {
  page: PageBytes;
  resolve: (parsed: ParsedPage) => void;
  reject: (error: Error) => void;
}

interface Thread {
  worker: Worker;
  /** Oldest first: that is the one being read. */
  tasks: Task[];
  timer: NodeJS.Timeout | undefined;
  /** Its start does not count as reading. */
  isReady: boolean;
  failure: Error | undefined;
}

const openParseThread = (): Worker =>
  openThread('parse-thread', { resourceLimits: RESOURCE_LIMITS });

/** Starts a thread when those that run have enough to do. */
export function createParser(open = openParseThread, most = THREADS): Parser {
  const waiting: Task[] = [];
  const threads: Thread[] = [];

  /** One with room, the idlest first; undefined when all are busy. */
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
  /** With the thread goes the page it was reading; the next one is read by another. */
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

/** Holds the process while there is work, and stops a page that takes too long. */
function watch(thread: Thread): void {
  clearTimeout(thread.timer);
  thread.timer = undefined;
  if (thread.tasks.length === 0) return thread.worker.unref();
  thread.worker.ref();
  if (!thread.isReady) return;
  thread.timer = setTimeout(() => void thread.worker.terminate(), PAGE_TIMEOUT_MS);
}
