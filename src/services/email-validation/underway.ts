/** Questions that are being asked in this process, so that none is asked twice at the same time. */

export interface Underway<T> {
  /** The answer that somebody waits for already: undefined inside when it was given up. */
  join(key: string): Promise<T | undefined> | undefined;
  claim(keys: readonly string[]): Claim<T>;
}

/** Keys that one caller answers. */
export interface Claim<T> {
  resolve(key: string, answer: T): void;
  /** MUST be called: whoever joined a key that got no answer asks by himself. */
  release(): void;
}

export function createUnderway<T>(): Underway<T> {
  const answers = new Map<string, Promise<T | undefined>>();
  return {
    join: (key) => answers.get(key),
    claim(keys) {
      const settle = new Map<string, (answer: T | undefined) => void>();
      for (const key of keys) {
        const answer = new Promise<T | undefined>((resolve) => settle.set(key, resolve));
        answers.set(key, answer);
      }
      const end = (key: string, answer: T | undefined) => {
        settle.get(key)?.(answer);
        if (settle.delete(key)) answers.delete(key);
      };
      return {
        resolve: end,
        release: () => {
          for (const key of settle.keys()) end(key, undefined);
        },
      };
    },
  };
}
