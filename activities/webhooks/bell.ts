/** Wakes a loop that waits for any of many tasks to end. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface Bell {
  /** Ends the wait; if nothing waits yet, the next wait returns at once. */
  ring: () => void;
  /** Resolves when it rings, or after `ms`. */
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
