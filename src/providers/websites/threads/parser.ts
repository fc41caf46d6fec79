/**
 * Reading pages on a thread of its own: it takes the processor and makes garbage, and a page that
 * is made to take for ever, or to fill the memory, ends that thread and nothing else.
 */
import type { Worker } from 'node:worker_threads';
import type { PageBytes, ParsedPage } from '../parse-page.ts';
import { openThread } from './open.ts';

export interface Parser {
  /** Rejects only when no thread can be started, whatever the page is. */
  parse(page: PageBytes): Promise<ParsedPage>;
}

/** The longest page takes some 0.1 s. */
const PAGE_TIMEOUT_MS = 10_000;
/** The one that is read and those that wait there, so that the thread never does. */
const PAGES_AHEAD = 3;
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 12 };

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

export function createParser(open = openParseThread): Parser {
  const waiting: Task[] = [];
  let thread: Thread | undefined;

  const assign = (): void => {
    if (waiting.length === 0) return;
    thread ??= start();
    while (waiting.length > 0 && thread.tasks.length < PAGES_AHEAD) {
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
    worker.on('message', (message: ParsedPage | 'ready') => {
      if (message === 'ready') started.isReady = true;
      else started.tasks.shift()?.resolve(message);
      watch(started);
      assign();
    });
    worker.on('error', (error) => (started.failure = error));
    worker.on('exit', () => lose(started));
    return started;
  };
  /** With the thread goes the page it was reading; the next one is read by another. */
  const lose = ({ timer, tasks, isReady, failure }: Thread): void => {
    clearTimeout(timer);
    thread = undefined;
    const [read, ...next] = tasks;
    if (isReady) read?.resolve(GIVEN_UP);
    else read?.reject(failure ?? new Error('a parsing thread ended as it began'));
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
