/** A clock that only moves when everybody sleeps: weeks of sending in seconds. */

export interface VirtualTask {
  /** Longer than asked for, if `grain` is longer; ends early when the signal fires. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Nobody waits for this task any more; its sleeps never end. */
  leave(): void;
}

export interface VirtualTime {
  clock: { now(): Date };
  /** A task counts as awake until its first sleep. */
  enter(name: string): VirtualTask;
  /** Nobody wakes any more: what is left of a simulation that has failed lies still. */
  stop(): void;
  /** For a person who wonders why time stands still. */
  describe(): string;
}

interface Sleeper {
  at: number;
  wake(): void;
}

/**
 * `settled` resolves when work that nobody waits for in a sleep (messages under way, their rows) is
 * done; only then time moves. Where it fails, `failed` hears of it. `grainMs` is the shortest sleep.
 */
export function createVirtualTime(options: {
  start: Date;
  grainMs: number;
  settled: () => Promise<void>;
  failed: (error: unknown) => void;
}): VirtualTime {
  let now = options.start.getTime();
  const awake = new Map<object, string>();
  let isMoving = false;
  let isSettling = false;
  let isStopped = false;
  const sleepers = new Set<Sleeper>();

  const move = async (): Promise<void> => {
    if (isMoving) return;
    isMoving = true;
    try {
      while (awake.size === 0 && sleepers.size > 0 && !isStopped) {
        isSettling = true;
        await options.settled();
        isSettling = false;
        if (awake.size > 0 || sleepers.size === 0) return;
        const next = [...sleepers].reduce((a, b) => (b.at < a.at ? b : a));
        now = Math.max(now, next.at);
        next.wake();
        // Whoever was woken counts as awake from here on.
      }
    } catch (error) {
      options.failed(error);
    } finally {
      isMoving = false;
    }
  };

  return {
    clock: { now: () => new Date(now) },
    stop() {
      isStopped = true;
      sleepers.clear();
    },
    describe: () =>
      `${new Date(now).toISOString()}, ${isSettling ? 'messages under way' : 'awake'}: ` +
      `${[...awake.values()].join(', ') || 'nobody'}; ${sleepers.size} asleep`,
    enter(name) {
      let hasLeft = false;
      let asleep: Sleeper | undefined;
      const self = {};
      awake.set(self, name);
      return {
        sleep(ms, signal) {
          if (hasLeft || isStopped) return new Promise(() => undefined);
          return new Promise((resolve) => {
            const sleeper: Sleeper = {
              at: now + Math.max(ms, options.grainMs),
              wake() {
                if (!sleepers.delete(sleeper)) return;
                asleep = undefined;
                awake.set(self, name);
                resolve();
              },
            };
            if (signal?.aborted) return resolve();
            sleepers.add(sleeper);
            asleep = sleeper;
            awake.delete(self);
            signal?.addEventListener('abort', () => sleeper.wake(), { once: true });
            void move();
          });
        },
        leave() {
          if (hasLeft) return;
          hasLeft = true;
          // Whoever has left is not woken any more.
          if (asleep) sleepers.delete(asleep);
          else awake.delete(self);
          void move();
        },
      };
    },
  };
}

/** Real time: long for a busy machine, too. */
const STANDSTILL_MS = 60_000;

/** A simulation never hangs: time that stands still on a wall clock ends it. */
export function watchTime(time: VirtualTime, failed: (error: Error) => void): NodeJS.Timeout {
  let last = -1;
  return setInterval(() => {
    const now = time.clock.now().getTime();
    if (now === last) failed(new Error(`time stands still: ${time.describe()}`));
    last = now;
  }, STANDSTILL_MS);
}

/**
 * A line of the log that tells of an error ends the simulation: the rounds' own waits for a database
 * that fails would be waits for time that does not move.
 */
export function failOnError(line: string, failed: (error: Error) => void): void {
  const { msg, err } = JSON.parse(line) as { msg: string; err?: { stack: string } };
  if (err) failed(new Error(`${msg}: ${err.stack}`));
}
