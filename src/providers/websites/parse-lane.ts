/** Reading pages takes the processor: one at a time, with the network's turn between two. */

export interface ParseLane {
  /** `owner` is whose page it is, for the one who watches. */
  run<T>(owner: object, work: () => Promise<T>): Promise<T>;
}

/** `watch` is told whose page is being read, and undefined when it has been. */
export function createParseLane(watch: (owner: object | undefined) => void): ParseLane {
  const waiting: (() => Promise<void>)[] = [];
  let isRunning = false;
  const next = async (): Promise<void> => {
    await waiting.shift()?.();
    isRunning = waiting.length > 0;
    if (isRunning) setImmediate(() => void next());
  };
  return {
    run<T>(owner: object, work: () => Promise<T>) {
      return new Promise<T>((resolve, reject) => {
        waiting.push(async () => {
          watch(owner);
          await work().then(resolve, reject);
          watch(undefined);
        });
        if (isRunning) return;
        isRunning = true;
        setImmediate(() => void next());
      });
    },
  };
}
