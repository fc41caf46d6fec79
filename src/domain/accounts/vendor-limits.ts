/**
 * The rate limit of a vendor, and the part of it that one task queue may use.
 * docs/workflow-rules.md#workers-and-queues.
 */

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
