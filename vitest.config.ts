/** Unit tests, and tests on one Postgres for the whole run; files in parallel. */
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongFilesFirst } from './test/support/run/long-files-first.ts';
import { crawlerTests, unitTests } from './test/support/run/test-projects.ts';

export default defineConfig({
  test: {
    projects: [
      // Code that needs no Postgres and no Temporal, and is quick: `npm run test:unit`.
      { extends: true, test: { name: 'unit', include: unitTests } },
      {
        extends: true,
        test: {
          name: 'product',
          include: ['test/**/*.test.ts'],
          exclude: [...unitTests, ...crawlerTests],
          globalSetup: ['test/support/run/global-setup.ts'],
        },
      },
      // The crawler remembers hosts (robots.txt, addresses, connections): its files have a process each.
      { extends: true, test: { name: 'crawler', include: crawlerTests, isolate: true } },
    ],
    setupFiles: ['test/support/run/trust.ts', 'test/support/run/properties.ts'],
    env: { TZ: 'UTC' },
    // Modules are read once per process instead of once per file: what a file changes in its process
    // (a listener, a runtime, an environment variable) it has to put back.
    isolate: false,
    // Most files wait for servers: with a process for each core, cores would idle.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongFilesFirst },
    // A hung test is ended; a busy machine is waited for.
    testTimeout: 180_000,
    hookTimeout: 300_000,
    teardownTimeout: 20_000,
    // So is what a test polls for; vitest's own second is short beside other files.
    expect: { poll: { timeout: 60_000 } },
  },
});
