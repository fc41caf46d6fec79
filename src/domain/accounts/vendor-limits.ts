/**
 * What a vendor takes in a stretch of time, and what of it one task queue may let through.
 * docs/workflow-rules.md#workers-and-queues.
 */

/** Declared in the vendor's adapter. */
export interface VendorLimit {
  /** Requests that it takes each second, for ever. */
  requestsPerSecond: number;
  /** Requests that it takes at once besides: a bucket that fills again at that pace. */
  burst?: number;
  /** How many requests one activity makes, over all of them: an order makes several, a look one. */
  requestsPerActivity: number;
}

/** A queue has no bucket: a vendor's is spread over so long; what is left over then is waited for. */
const BURST_SECONDS = 600;

/**
 * Activities that all workers together may begin in a second. After a quiet time a queue lets a
 * second's worth through at once: half of what the vendor takes keeps any one second within it.
 */
export function activitiesPerSecond({
  requestsPerSecond,
  burst = 0,
  requestsPerActivity,
}: VendorLimit): number {
  const steady = (requestsPerSecond + burst / BURST_SECONDS) / requestsPerActivity;
  return steady <= 1 ? steady : Math.max(1, steady / 2);
}
