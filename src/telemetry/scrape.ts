/** Limits the duration of a scrape: Prometheus gives up after 10 s, and then has no metric at all. */
import pTimeout from 'p-timeout';

/** A part of a scrape that takes longer is left out. */
export const SCRAPE_MS = 2_500;

/** Several gauges come from one statement; scrapes within this time share it. */
const FRESH_MS = 1_000;

/**
 * One read for all gauges of a scrape; undefined, after a call of `missed`, where it fails or is late. While
 * a read is unanswered no second one starts: otherwise each scrape would take one more connection of the
 * pool.
 */
export function scrapeRead<T>(
  read: () => Promise<T>,
  missed: (error: unknown) => void = () => undefined,
): () => Promise<T | undefined> {
  let pending: Promise<T> | undefined;
  let last: { at: number; value: Promise<T | undefined> } | undefined;
  const ask = async () => {
    pending ??= read().finally(() => {
      pending = undefined;
    });
    try {
      const message = `no answer within ${SCRAPE_MS} ms`;
      return await pTimeout(pending, { milliseconds: SCRAPE_MS, message });
    } catch (error) {
      missed(error);
      return undefined;
    }
  };
  return () => {
    const now = performance.now();
    if (!last || now - last.at > FRESH_MS) last = { at: now, value: ask() };
    return last.value;
  };
}
