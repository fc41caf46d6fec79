/** Loaded before a process of the bench `tracing`: the hooks of traces do nothing in it. */
import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

// The thread of the hooks loads this file, too.
if (isMainThread) register(import.meta.url);

const REPLACED = /\/src\/(tracing\/spans|temporal\/trace-calls)\.ts(\?|$)/;
const STAND_IN = new URL('no-tracing.ts', import.meta.url).href;

export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  return REPLACED.test(found.url) ? { ...found, url: STAND_IN } : found;
}
