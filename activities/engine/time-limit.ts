/** A limit for work whose end may never come: what waits for it goes on without it. */

/** Longer than any statement may take, and a call to a relay. */
export const STEP_MS = 60_000;

/** Rejects when `work` has not settled within `ms`; its own end is then of no use to anybody. */
export function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No end within ${ms / 1_000} s`)), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
