/** A clock that moves only when all tasks sleep: weeks of sending in seconds. */

export interface VirtualTask {
  /** Longer than asked for, if `grain` is longer; ends early when the signal fires. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Ends the task; its sleeps never end. */
  leave(): void;
}

export interface VirtualTime {
  clock: { now(): Date };
  /** A task counts as awake until its first sleep. */
  enter(name: string): VirtualTask;
  /** Stops the clock: tasks of a failed simulation sleep for ever. */
  stop(): void;
  /** The tasks and their states, for debugging a standstill. */
  describe(): string;
}

interface Sleeper {
  at: number;
  wake(): void;
}

/**
 * `settled` resolves when work outside the tasks (messages being sent, their rows) is done; only then
 * time moves. When it fails, `failed` is called. `grainMs` is the shortest sleep.
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
        // A task that was woken counts as awake from here on.
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
          // A task that has left is not woken any more.
          if (asleep) sleepers.delete(asleep);
          else awake.delete(self);
          void move();
        },
      };
    },
  };
}

/** Real time: long enough for a busy machine. */
const STANDSTILL_MS = 60_000;

/** A simulation never hangs: when virtual time stands still for too long, it ends. */
export function watchTime(time: VirtualTime, failed: (error: Error) => void): NodeJS.Timeout {
  let last = -1;
  return setInterval(() => {
    const now = time.clock.now().getTime();
    if (now === last) failed(new Error(`time stands still: ${time.describe()}`));
    last = now;
  }, STANDSTILL_MS);
}

/**
 * An error in the log ends the simulation: a round that waits for a failing database would wait for
 * time that does not move.
 */
export function failOnError(line: string, failed: (error: Error) => void): void {
  const { msg, err } = JSON.parse(line) as { msg: string; err?: { stack: string } };
  if (err) failed(new Error(`${msg}: ${err.stack}`));
}
