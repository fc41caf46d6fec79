/** Rate limits that one call, not a workflow, waits out. */
import { ProviderError } from '../errors.ts';

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
