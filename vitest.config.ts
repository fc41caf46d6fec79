/** One Postgres for the whole run, files in parallel, a database of its own for each that asks. */
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongFilesFirst } from './test/support/long-files-first.ts';

const CRAWLER = 'test/providers/websites/**/*.test.ts';

export default defineConfig({
  test: {
    // The crawler remembers hosts (robots.txt, addresses, connections): its files have a process each.
    projects: [
      {
        extends: true,
        test: { name: 'product', include: ['test/**/*.test.ts'], exclude: [CRAWLER] },
      },
      { extends: true, test: { name: 'crawler', include: [CRAWLER], isolate: true } },
    ],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/trust.ts', 'test/support/properties.ts'],
    env: { TZ: 'UTC' },
    // Modules are read once per process instead of once per file: what a file changes in its process
    // (a listener, a runtime, an environment variable) it has to put back.
    isolate: false,
    // Most files wait for servers: with a process for each core, cores would idle.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongFilesFirst },
    // A hung test is ended; a busy machine is waited for.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    teardownTimeout: 20_000,
    // So is what a test polls for; vitest's own second is short beside other files.
    expect: { poll: { timeout: 30_000 } },
  },
});
