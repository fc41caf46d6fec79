/** Bounded visits to websites: none takes longer than an activity can wait. */
import { setMaxListeners } from 'node:events';
import type { SiteAnswer, SiteQuestion, Websites } from '../../src/providers/websites/port.ts';

/** Well above what a visit takes: 30 s of requests, and the waits at a rate-limited site. */
export const VISIT_LIMIT_MS = 4 * 60_000;

/** Throws only when `signal` aborts. A visit beyond the limit is given up: the site is too slow. */
export async function visitWithin(
  websites: Websites,
  question: SiteQuestion,
  { signal, limitMs = VISIT_LIMIT_MS }: { signal: AbortSignal; limitMs?: number },
): Promise<SiteAnswer> {
  // Every site in flight adds a listener.
  setMaxListeners(0, signal);
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), limitMs);
  try {
    return await websites.visit(question, AbortSignal.any([signal, limit.signal]));
  } catch (error) {
    if (signal.aborted || !limit.signal.aborted) throw error;
    return TOO_SLOW;
  } finally {
    clearTimeout(timer);
  }
}

const TOO_SLOW: SiteAnswer = {
  state: 'unreachable',
  reason: 'The website is slow or busy: the visit was given up.',
  contacts: { emails: [], phones: [], profiles: [], contactPages: [] },
  pages: [],
};
