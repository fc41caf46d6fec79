/** How quickly bodies are unpacked, all of them together: bombs shall not wear out everybody's machine. */

/** What a request unpacks to before it has to wait: more than honest ones have. */
export const UNPACKED_AT_ONCE = 65_536;

export interface Pace {
  bytesPerSecond: number;
  /** So much passes at once after a pause. */
  burstBytes: number;
  /** Longer than this nobody waits for his next part: about 25 bodies are unpacked at a time. */
  longestMs: number;
}

/** Each byte unpacked is garbage beyond V8's heap; at full speed bombs make it mark the heap all the time. */
const PACE: Pace = {
  bytesPerSecond: 4 * 1_048_576,
  burstBytes: 2 * 1_048_576,
  longestMs: 100,
};

/**
 * Answers how many milliseconds whoever has just unpacked so many bytes has to wait; null where that is
 * too long, since too many do the same: then nothing was counted, and the body is to be given up.
 */
export function createUnpackingPace(
  { bytesPerSecond, burstBytes, longestMs }: Pace = PACE,
  now: () => number = () => performance.now(),
): (bytes: number) => number | null {
  const msOf = (bytes: number) => (bytes * 1_000) / bytesPerSecond;
  /** When all that was unpacked would have been at this pace. */
  let paidUntil = -Infinity;
  return (bytes) => {
    const at = now();
    const until = Math.max(paidUntil, at - msOf(burstBytes)) + msOf(bytes);
    if (until - at > longestMs) return null;
    paidUntil = until;
    return Math.max(0, until - at);
  };
}
