/** Reading pages takes the processor: one at a time, with the network's turn between two. */

export interface ParseLane {
  run<T>(work: () => T): Promise<T>;
}

export function createParseLane(): ParseLane {
  const waiting: (() => void)[] = [];
  const next = (): void => {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(next);
  };
  return {
    run<T>(work: () => T) {
      return new Promise<T>((resolve, reject) => {
        waiting.push(() => {
          try {
            resolve(work());
          } catch (error) {
            reject(error as Error);
          }
        });
        if (waiting.length === 1) setImmediate(next);
      });
    },
  };
}
