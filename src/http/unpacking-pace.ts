/** Limits how fast bodies are decompressed in total, so that bombs cannot exhaust the process. */

/** Bytes that a request may decompress before it has to wait: more than normal requests need. */
export const UNPACKED_AT_ONCE = 65_536;

export interface Pace {
  bytesPerSecond: number;
  /** How many bytes pass at once after a pause. */
  burstBytes: number;
  /** The longest wait for the next part; with it, about 25 bodies are decompressed at a time. */
  longestMs: number;
}

/** Each decompressed byte is garbage outside V8's heap; at full speed, bombs cause constant heap marking. */
const PACE: Pace = {
  bytesPerSecond: 4 * 1_048_576,
  burstBytes: 2 * 1_048_576,
  longestMs: 100,
};

/**
 * Returns how many milliseconds to wait after decompressing this many bytes; null where that is too
 * long, because too many bodies compete: then nothing was counted, and the body has to be given up.
 */
export function createUnpackingPace(
  { bytesPerSecond, burstBytes, longestMs }: Pace = PACE,
  now: () => number = () => performance.now(),
): (bytes: number) => number | null {
  const msOf = (bytes: number) => (bytes * 1_000) / bytesPerSecond;
  /** When everything decompressed so far would be done at this pace. */
  let paidUntil = -Infinity;
  return (bytes) => {
    const at = now();
    const until = Math.max(paidUntil, at - msOf(burstBytes)) + msOf(bytes);
    if (until - at > longestMs) return null;
    paidUntil = until;
    return Math.max(0, until - at);
  };
}
