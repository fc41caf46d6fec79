/** The number of concurrent requests to an endpoint, by its response time. Choice 45. */

/** Concurrent requests with quick answers, over all endpoints and to one of them. */
const QUICK_PLACES = 64;
const PLACES_PER_ENDPOINT = 8;

/** A request that has waited longer is slow, whatever its endpoint's earlier response time. */
const QUICK_MS = 1_000;

/**
 * Slow requests have slots of their own, separate from quick ones. An account has enough for one per
 * endpoint.
 */
const SLOW_PLACES = 320;
const SLOW_PLACES_PER_ACCOUNT = 20;

/** A request in progress. */
export interface Flight {
  webhookId: number;
  userId: string;
  begunAt: number;
  /** Slow from its start, by its endpoint's known response time. */
  isSlow: boolean;
}

/** An endpoint that has something due; `answerMs` is null until it was first asked. */
export interface DueEndpoint {
  id: number;
  userId: string;
  answerMs: number | null;
  /** Many attempts in a row have failed: it gets one request at a time. */
  isFailing: boolean;
}

interface Count {
  quick: number;
  slow: number;
}

/** Counts of requests in progress; `take` keeps them up to date. */
export interface Tally {
  all: Count;
  ofAccount: Map<string, Count>;
  ofEndpoint: Map<number, { count: number; longestMs: number }>;
}

export function tallyOf(flights: Iterable<Flight>, now: number): Tally {
  const tally: Tally = { all: { quick: 0, slow: 0 }, ofAccount: new Map(), ofEndpoint: new Map() };
  for (const { webhookId, userId, begunAt, isSlow } of flights) {
    const ms = now - begunAt;
    take(tally, { id: webhookId, userId }, { count: 1, isSlow: isSlow || ms > QUICK_MS });
    const own = tally.ofEndpoint.get(webhookId)!;
    own.longestMs = Math.max(own.longestMs, ms);
  }
  return tally;
}

export function take(
  { all, ofAccount, ofEndpoint }: Tally,
  { id, userId }: Pick<DueEndpoint, 'id' | 'userId'>,
  { count, isSlow }: { count: number; isSlow: boolean },
): void {
  const account = ofAccount.get(userId) ?? { quick: 0, slow: 0 };
  const own = ofEndpoint.get(id) ?? { count: 0, longestMs: 0 };
  ofAccount.set(userId, account);
  ofEndpoint.set(id, own);
  const speed = isSlow ? 'slow' : 'quick';
  all[speed] += count;
  account[speed] += count;
  own.count += count;
}

/** How many more requests it may have now, as one of `accounts` that have some due. */
export function placesFor(
  { id, userId, answerMs, isFailing }: DueEndpoint,
  tally: Tally,
  accounts: number,
): { places: number; isSlow: boolean } {
  const own = tally.ofEndpoint.get(id) ?? { count: 0, longestMs: 0 };
  const account = tally.ofAccount.get(userId) ?? { quick: 0, slow: 0 };
  const isWaiting = own.longestMs > QUICK_MS;
  const knownMs = answerMs === null && !isWaiting ? null : Math.max(answerMs ?? 0, own.longestMs);
  const isSlow = knownMs !== null && knownMs > QUICK_MS;
  const room = (isFailing ? 1 : placesAt(knownMs)) - own.count;
  const roomOfSlow = SLOW_PLACES_PER_ACCOUNT - account.slow;
  if (isSlow) return { places: least(room, SLOW_PLACES - tally.all.slow, roomOfSlow), isSlow };
  const share = Math.max(PLACES_PER_ENDPOINT, Math.floor(QUICK_PLACES / accounts));
  const places = least(room, QUICK_PLACES - tally.all.quick, share - account.quick);
  // Its response time is unknown: it may be another slow one.
  return { places: knownMs === null ? least(places, roomOfSlow) : places, isSlow };
}

/** The slower, the fewer: the throughput of eight requests of a second. One while the time is unknown. */
const placesAt = (answerMs: number | null): number =>
  answerMs === null
    ? 1
    : Math.max(1, Math.floor((PLACES_PER_ENDPOINT * QUICK_MS) / Math.max(answerMs, QUICK_MS)));

const least = (...counts: number[]): number => Math.max(0, Math.min(...counts));

/** A moving average: half the known time, half the observed one. */
export const answerMsAfter = (before: number | null, seenMs: number): number =>
  Math.round(before === null ? seenMs : (before + seenMs) / 2);

/** Whether the change is worth a write: a difference within half of it is not. */
export const isOtherSpeed = (noted: number | null, ms: number): boolean =>
  noted === null || ms > 1.5 * noted + 50 || noted > 1.5 * ms + 50;
