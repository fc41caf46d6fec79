/** Wakes who waits for something to end, however many things are under way. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface Bell {
  /** Ends the wait; one that is not waiting yet will not wait. */
  ring: () => void;
  /** Until it rings, or so long. */
  wait: (ms: number) => Promise<void>;
}

export function createBell(): Bell {
  let rung = new AbortController();
  return {
    ring: () => rung.abort(),
    async wait(ms) {
      await sleep(ms, undefined, { signal: rung.signal }).catch(() => undefined);
      rung = new AbortController();
    },
  };
}
