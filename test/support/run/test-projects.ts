/** Which test files belong to which project of vitest. */

interface UnitFolder {
  /**
   * Its files, without `.test.ts`, that need Postgres or Temporal: they belong to the product's tests.
   */
  withServers: readonly string[];
  /**
   * Files with thousands of cases that take several seconds: they belong to the product's tests as
   * well.
   */
  long: readonly string[];
}

/** Folders of unit tests: without Postgres and Temporal, and all of them together in a few seconds. */
export const unitFolders: Record<string, UnitFolder> = {
  test: {
    withServers: [
      'api',
      'client-schedules',
      'priorities',
      'sdk-metrics',
      'sharded-sessions',
      'spec',
      'temporal-connection',
      'temporal-schedules',
      'vendor-queues',
      'vendor-requests',
      'worker-builds',
      'worker-places',
    ],
    long: ['tracing'],
  },
  'test/domain': { withServers: ['database-down'], long: ['answers-in-languages'] },
  'test/mcp': { withServers: ['beside', 'campaign-changes', 'server'], long: [] },
  'test/providers/websites/extract': { withServers: [], long: ['crawl', 'fuzz'] },
  'test/simulation': { withServers: ['campaigns', 'refusal-verdict'], long: [] },
};

export const unitTests: string[] = Object.entries(unitFolders).map(
  ([folder, { withServers, long }]) =>
    `${folder}/!(${[...withServers, ...long].join('|')}).test.ts`,
);

/** Tests that start the crawler. */
export const crawlerTests = [
  'test/providers/websites/*.test.ts',
  'test/providers/websites/extract/crawl.test.ts',
];
