/** Requests under way in this process, so that none is made twice at the same time. */

export interface Underway<T> {
  /** The result that another caller is fetching, if any; it resolves to undefined when given up. */
  join(key: string): Promise<T | undefined> | undefined;
  claim(keys: readonly string[]): Claim<T>;
}

/** Keys that one caller will answer. */
export interface Claim<T> {
  /** Whoever joins the key gets it at once, until the release: by then it MUST be kept elsewhere. */
  resolve(key: string, answer: T): void;
  /** MUST be called: callers that joined a key without a result then fetch it themselves. */
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
      return {
        resolve: (key, answer) => settle.get(key)?.(answer),
        release: () => {
          for (const [key, end] of settle) {
            end(undefined);
            answers.delete(key);
          }
        },
      };
    },
  };
}
