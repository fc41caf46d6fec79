/** The order of the test files: the longest start first, so that the rest fits beside them. */
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that took 45 s or more in a whole run when this was written, longest first. */
const LONGEST = [
  'test/e2e/world.test.ts',
  'test/workflows/flow-matrix.test.ts',
  'test/restore/restore.test.ts',
  'test/workflows/rebuild-deaths.test.ts',
  'test/e2e/connections.test.ts',
  'test/e2e/test-mode.test.ts',
  'test/http/scopes.test.ts',
  'test/activities/lead-imports.test.ts',
  'test/chaos/interrupted.test.ts',
  'test/workflows/saga-matrix.test.ts',
  'test/workflows/connect-by-oauth.test.ts',
  'test/activities/host-reinstalls.test.ts',
  'test/activities/discovery.test.ts',
  'test/activities/schedule-deaths.test.ts',
  'test/workflows/discover-leads.test.ts',
  'test/cli/hosts-rebuild.test.ts',
  'test/providers/mail-host-script.test.ts',
  'test/worker-places.test.ts',
  'test/services/wallet.test.ts',
  'test/simulation/campaigns.test.ts',
  'test/dev/dev.test.ts',
  'test/activities/shards.test.ts',
  'test/activities/shard-loops.test.ts',
  'test/priorities.test.ts',
  'test/workflows/scrape-maps.test.ts',
  'test/db/ledger-storm.test.ts',
  'test/domain/interest.test.ts',
  'test/cli/hosts.test.ts',
  'test/providers/ad-libraries/ad-libraries.test.ts',
  'test/db/lead-storm.test.ts',
  'test/workflows/put-back.test.ts',
  'test/cli/keys.test.ts',
];

/** Vitest's own order knows a file's duration only where it ran before. */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId, project }: TestSpecification) => {
      const at = LONGEST.indexOf(relative(project.config.root, moduleId).replaceAll('\\', '/'));
      return at === -1 ? LONGEST.length : at;
    };
    // A process belongs to one project: files of several in turn would end it and read all modules again.
    const inProjects = (await super.sort(files)).toSorted((a, b) =>
      a.project.name.localeCompare(b.project.name),
    );
    return inProjects.toSorted((a, b) => place(a) - place(b));
  }
}
