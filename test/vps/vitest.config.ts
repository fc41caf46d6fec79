/** `npm run test:vps`: a world whose rented servers really boot. Not part of `npm test`. */
import { defineConfig } from 'vitest/config';
import { SMARTHOST } from '../../src/sandbox/smarthost.ts';

const { host, port, user, password } = SMARTHOST;

export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/vps/**/*.vps.ts'],
    globalSetup: ['test/vps/prepare.ts'],
    setupFiles: ['test/support/run/trust.ts'],
    env: { TZ: 'UTC', SMARTHOST_URL: `smtp://${user}:${password}@${host}:${port}` },
    // The tests share one world and build on each other.
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
