/** Which test files belong to which project of vitest. */

interface UnitFolder {
  /** Files of it, without `.test.ts`, that need Postgres or Temporal: they are the product's tests. */
  withServers: readonly string[];
  /** Thousands of cases, several seconds of work: the product's tests as well. */
  long: readonly string[];
}

/** Folders of unit tests: without Postgres and Temporal, and all of them together in a few seconds. */
export const unitFolders: Record<string, UnitFolder> = {
  test: {
    withServers: ['api', 'spec', 'vendor-queues', 'vendor-requests'],
    long: [],
  },
  'test/domain': { withServers: ['database-down'], long: ['answers-in-languages'] },
  'test/providers/websites/extract': { withServers: [], long: ['crawl', 'fuzz'] },
  'test/simulation': { withServers: ['campaigns'], long: [] },
};

export const unitTests: string[] = Object.entries(unitFolders).map(
  ([folder, { withServers, long }]) =>
    `${folder}/!(${[...withServers, ...long].join('|')}).test.ts`,
);

/** Those that start the crawler. */
export const crawlerTests = [
  'test/providers/websites/*.test.ts',
  'test/providers/websites/extract/crawl.test.ts',
];
