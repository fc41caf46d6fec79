/** The order of the test files: the longest start first, so that the rest fits beside them. */
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that took 30 s or more in a whole run when this was written, longest first. */
const LONGEST = [
  'test/e2e/world.test.ts',
  'test/providers/imap-limits.test.ts',
  'test/activities/shards.test.ts',
  'test/activities/shard-loops.test.ts',
  'test/restore/restore.test.ts',
  'test/e2e/test-mode.test.ts',
  'test/providers/mail-host-script.test.ts',
  'test/activities/discovery.test.ts',
  'test/activities/host-reinstalls.test.ts',
  'test/workflows/flow-matrix.test.ts',
  'test/cli/hosts-rebuild.test.ts',
  'test/workflows/rebuild-deaths.test.ts',
  'test/activities/inbox-visits.test.ts',
  'test/activities/session-hangs.test.ts',
  'test/workflows/continued-runs.test.ts',
  'test/providers/ad-libraries/ad-libraries.test.ts',
  'test/e2e/connections.test.ts',
  'test/domain/answers-corpus.test.ts',
  'test/workflows/revoke-consents.test.ts',
  'test/cli/hosts.test.ts',
  'test/activities/maps-import.test.ts',
  'test/providers/websites/limits.test.ts',
  'test/activities/inbox-quiet-looks.test.ts',
  'test/routes/repeatable-requests.test.ts',
  'test/domain/answer-likeness.test.ts',
  'test/chaos/owner-changes.test.ts',
  'test/workflows/connect-by-oauth.test.ts',
  'test/chaos/interrupted.test.ts',
  'test/activities/maps.test.ts',
  'test/workflows/put-back.test.ts',
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
