/** How quickly bodies are unpacked, all of them together: bombs shall not wear out everybody's machine. */

/** What a request unpacks to before it has to wait: more than honest ones have. */
export const UNPACKED_AT_ONCE = 131_072;

export interface Pace {
  bytesPerSecond: number;
  /** So much passes at once after a pause. */
  burstBytes: number;
}

/** Each byte unpacked is garbage beyond V8's heap; at full speed bombs make it mark the heap all the time. */
const PACE: Pace = { bytesPerSecond: 4 * 1_048_576, burstBytes: 2 * 1_048_576 };

/** Answers how many milliseconds whoever has just unpacked so many bytes has to wait. */
export function createUnpackingPace(
  { bytesPerSecond, burstBytes }: Pace = PACE,
  now: () => number = () => performance.now(),
): (bytes: number) => number {
  const msOf = (bytes: number) => (bytes * 1_000) / bytesPerSecond;
  /** When all that was unpacked would have been at this pace. */
  let paidUntil = -Infinity;
  return (bytes) => {
    const at = now();
    paidUntil = Math.max(paidUntil, at - msOf(burstBytes)) + msOf(bytes);
    return Math.max(0, paidUntil - at);
  };
}
