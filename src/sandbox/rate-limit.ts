/** How many calls a vendor accepts within a time, as a sliding window. */

export interface RateLimit {
  /** Counts the call and answers true, or false when it is one too many. */
  admits(key?: string): boolean;
  /** Calls counted in the current window. */
  used(key?: string): number;
}

/** Kept in memory: a vendor's restart begins a new window too. Each key has its own count. */
export function createRateLimit({ calls, perMs }: { calls: number; perMs: number }): RateLimit {
  const recent = new Map<string, number[]>();
  const current = (key: string): number[] => {
    const since = Date.now() - perMs;
    const kept = (recent.get(key) ?? []).filter((at) => at > since);
    recent.set(key, kept);
    return kept;
  };
  return {
    admits(key = '') {
      const kept = current(key);
      if (kept.length >= calls) return false;
      kept.push(Date.now());
      return true;
    },
    used: (key = '') => current(key).length,
  };
}
