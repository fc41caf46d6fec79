/** Turns at something that several visits share: so many at once, with a pause between two. */

export interface Turns {
  /** Waits for a turn at `key`. The answer gives it back; nobody gets the next one for `pauseMs`. */
  take(key: string): Promise<Leave>;
  /** The same, undefined when the turn did not come within `limitMs`. */
  takeWithin(key: string, limitMs: number): Promise<Leave | undefined>;
}

export type Leave = (pauseMs?: number) => void;

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
  /** For somebody whose turn it is. */
  const begin = async (queue: Queue): Promise<Leave> => {
    const waitMs = queue.closedUntil - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    return (pauseMs = 0) => {
      queue.closedUntil = Math.max(queue.closedUntil, performance.now() + pauseMs);
      const next = queue.waiting.shift();
      if (next) next();
      else queue.active -= 1;
    };
  };
  const takeWithin = async (key: string, limitMs: number): Promise<Leave | undefined> => {
    const queue = queueOf(key);
    if (queue.active < atOnce) queue.active += 1;
    else if (!(await isCalled(queue, limitMs))) return undefined;
    return begin(queue);
  };
  return {
    take: async (key) => (await takeWithin(key, Infinity))!,
    takeWithin,
  };
}

/** Waits in the queue; false when that takes too long. */
function isCalled({ waiting }: Queue, limitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const giveUp = () => {
      waiting.splice(waiting.indexOf(call), 1);
      resolve(false);
    };
    const timer = Number.isFinite(limitMs) ? setTimeout(giveUp, limitMs) : undefined;
    const call = () => {
      clearTimeout(timer);
      resolve(true);
    };
    waiting.push(call);
  });
}

function forgetIdle(queues: Map<string, Queue>): void {
  const now = performance.now();
  for (const [key, queue] of queues) {
    if (queue.active === 0 && queue.closedUntil < now) queues.delete(key);
  }
}
