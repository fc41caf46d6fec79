/**
 * A time-out that pauses while we ourselves cause the wait. Our own because timers of Node,
 * AbortSignal.timeout and p-timeout cannot pause.
 */

export interface Stopwatch {
  pause(): void;
  resume(): void;
  /** Ends it; answers the milliseconds that counted. */
  stop(): number;
}

/** Calls `onEnd` once `limitMs` of running time are over. */
export function startStopwatch(limitMs: number, onEnd: () => void): Stopwatch {
  let counted = 0;
  let startedAt = performance.now();
  let timer: NodeJS.Timeout | undefined = setTimeout(onEnd, limitMs);
  const halt = (): void => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    counted += performance.now() - startedAt;
  };
  return {
    pause: halt,
    resume() {
      if (timer !== undefined) return;
      startedAt = performance.now();
      timer = setTimeout(onEnd, Math.max(1, limitMs - counted));
    },
    stop() {
      halt();
      return counted;
    },
  };
}
