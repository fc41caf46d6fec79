/** Turns at something that several visits share: so many at once, with a pause between two. */

export interface Turns {
  /** Waits for a turn at `key`. The answer gives it back; nobody gets the next one for `pauseMs`. */
  take(key: string): Promise<(pauseMs?: number) => void>;
}

interface Queue {
  active: number;
  waiting: (() => void)[];
  /** Nobody starts before, by `performance.now()`. */
  closedUntil: number;
}

/** Idle keys are forgotten when so many are known. */
const SWEEP_AT = 4_096;

export function createTurns(atOnce: number): Turns {
  const queues = new Map<string, Queue>();
  const queueOf = (key: string): Queue => {
    const known = queues.get(key);
    if (known) return known;
    if (queues.size >= SWEEP_AT) forgetIdle(queues);
    const queue = { active: 0, waiting: [], closedUntil: 0 };
    queues.set(key, queue);
    return queue;
  };
  return {
    async take(key) {
      const queue = queueOf(key);
      if (queue.active < atOnce) queue.active += 1;
      else await new Promise<void>((resolve) => queue.waiting.push(resolve));
      const waitMs = queue.closedUntil - performance.now();
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      return (pauseMs = 0) => {
        queue.closedUntil = Math.max(queue.closedUntil, performance.now() + pauseMs);
        const next = queue.waiting.shift();
        if (next) next();
        else queue.active -= 1;
      };
    },
  };
}

function forgetIdle(queues: Map<string, Queue>): void {
  const now = performance.now();
  for (const [key, queue] of queues) {
    if (queue.active === 0 && queue.closedUntil < now) queues.delete(key);
  }
}
