/**
 * The limits of vendors: what one takes in a stretch of time, what of it one task queue may let through
 * (docs/workflow-rules.md#workers-and-queues), and a refusal that one call, not a workflow, waits out.
 * The API's own limits are in rate-limits.ts.
 */
import { ProviderError } from '../errors.ts';

/** Declared in the vendor's adapter. */
export interface VendorLimit {
  /** Requests per second that it accepts continuously. */
  requestsPerSecond: number;
  /** Additional requests that it accepts at once: a bucket that refills at that rate. */
  burst?: number;
  /** Requests per activity, averaged over all activities: an order makes several, a lookup one. */
  requestsPerActivity: number;
}

/** A queue has no bucket: the vendor's is spread over this time; requests beyond it wait. */
const BURST_SECONDS = 600;

/**
 * Activities that all workers together may start per second. After idle time a queue releases one second's
 * worth at once: half of the vendor's rate keeps every second within the limit.
 */
export function activitiesPerSecond({
  requestsPerSecond,
  burst = 0,
  requestsPerActivity,
}: VendorLimit): number {
  const steady = (requestsPerSecond + burst / BURST_SECONDS) / requestsPerActivity;
  return steady <= 1 ? steady : Math.max(1, steady / 2);
}

/** Where the vendor does not say when it takes the next request. */
const DEFAULT_WAIT_MS = 1_000;

export const isRateLimited = (error: unknown): error is ProviderError =>
  error instanceof ProviderError && error.kind === 'rate_limited';

/**
 * Repeats what a vendor refused for its rate, and so had no effect, when the vendor says; an error
 * is passed on once the next try would come after `deadline`, in milliseconds since 1970.
 */
export async function waitOutLimit<T>(ask: () => Promise<T>, deadline: number): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!isRateLimited(error)) throw error;
      const waitMs = error.facts.retryAfterMs ?? DEFAULT_WAIT_MS;
      if (Date.now() + waitMs > deadline) throw error;
      // Not node:timers/promises: what stands here is also for workflows, which have no Node.
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}
