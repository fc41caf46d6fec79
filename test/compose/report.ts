/** What a run says: a line for each step, with how long it took. */

export interface Report {
  /** Runs one step; it answers a value and a sentence about what was seen. */
  step: <Value>(title: string, work: () => Promise<[Value, string]>) => Promise<Value>;
  say: (line: string) => void;
  failed: (error: unknown) => void;
}

export function createReport(): Report {
  const begun = Date.now();
  const since = (from: number) => `${((Date.now() - from) / 1_000).toFixed(1)} s`;
  return {
    async step(title, work) {
      const from = Date.now();
      const [value, seen] = await work();
      console.log(`✔ ${title}: ${seen} (${since(from)})`);
      return value;
    },
    say: (line) => console.log(line),
    failed(error) {
      const words = error instanceof Error ? error.message : String(error);
      console.log(`✖ after ${since(begun)}: ${words}`);
    },
  };
}
