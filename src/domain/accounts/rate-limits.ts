/** Rate limits for which a single call waits, not a workflow. */
import { ProviderError } from '../errors.ts';

/** The wait where the vendor does not state one. */
const DEFAULT_WAIT_MS = 1_000;

export const isRateLimited = (error: unknown): error is ProviderError =>
  error instanceof ProviderError && error.kind === 'rate_limited';

/**
 * Retries a call that a vendor refused for its rate limit, and so had no effect, after the stated time; the
 * error is rethrown once the next try would be after `deadline`, in milliseconds since 1970.
 */
export async function waitOutLimit<T>(ask: () => Promise<T>, deadline: number): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!isRateLimited(error)) throw error;
      const waitMs = error.facts.retryAfterMs ?? DEFAULT_WAIT_MS;
      if (Date.now() + waitMs > deadline) throw error;
      // Not node:timers/promises: this module also runs in workflows, which have no Node.
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}
