/** Starts the crawler's threads, from built files or from sources. */
import { Worker, type ResourceLimits } from 'node:worker_threads';

export interface ThreadSettings {
  workerData?: unknown;
  resourceLimits: ResourceLimits;
}

/** `program` is a file of this folder, without its ending. */
export function openThread(program: string, settings: ThreadSettings): Worker {
  if (import.meta.url.endsWith('.js')) {
    return new Worker(new URL(`${program}.js`, import.meta.url), settings);
  }
  // In development a thread has to register the loader itself: it does not inherit it.
  const starter = new URL('from-source.mjs', import.meta.url);
  return new Worker(starter, { ...settings, argv: [`${program}.ts`] });
}
