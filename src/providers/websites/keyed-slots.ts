/** Slots at a resource that several visits share: a limited number at once, with a pause after each. */
import { setTimeout as sleep } from 'node:timers/promises';
import PQueue from 'p-queue';

export interface KeyedSlots {
  /**
   * Waits for a slot at `key`; undefined when none was free within `limitMs`. Calling the answer frees
   * the slot, after a pause of `pauseMs`.
   */
  takeWithin(key: string, limitMs: number): Promise<ReleaseSlot | undefined>;
}

export type ReleaseSlot = (pauseMs?: number) => void;

export function createKeyedSlots(atOnce: number): KeyedSlots {
  const queues = new Map<string, PQueue>();
  const queueOf = (key: string): PQueue => {
    const known = queues.get(key);
    if (known) return known;
    const queue = new PQueue({ concurrency: atOnce });
    queues.set(key, queue);
    queue.on('idle', () => queues.delete(key));
    return queue;
  };
  return {
    takeWithin: (key, limitMs) =>
      new Promise((resolve) => {
        const limit = new AbortController();
        const timer = setTimeout(() => limit.abort(), limitMs);
        const hold = async (): Promise<void> => {
          clearTimeout(timer);
          const pauseMs = await new Promise<number>((leave) => {
            resolve((ms = 0) => leave(ms));
          });
          if (pauseMs > 0) await sleep(pauseMs);
        };
        queueOf(key)
          .add(hold, { signal: limit.signal })
          .catch(() => resolve(undefined));
      }),
  };
}
