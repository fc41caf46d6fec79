/**
 * Runs before the tests: fetches Deno and Bun by npm, in a process of its own beside `install-test-programs.ts`, which
 * waits for apt without an event loop. What is missing has its tests skipped with the reason, so no failure here is an
 * error.
 */
import { fetchRuntimes } from './test-runtimes.ts';

const report = (line: string) => console.log(`runtimes: ${line}`);

await fetchRuntimes(report).catch((error: unknown) =>
  report(`not fetched: ${error instanceof Error ? error.message : String(error)}`),
);
