/** The order of the test files: the longest start first, so that the rest fits beside them. */
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that took half a minute or more when this was written, longest first. */
const LONGEST = [
  'test/e2e/world.test.ts',
  'test/restore/restore.test.ts',
  'test/workflows/saga-matrix.test.ts',
  'test/workflows/discover-leads.test.ts',
  'test/workflows/flow-matrix.test.ts',
  'test/activities/lead-imports.test.ts',
  'test/activities/discovery.test.ts',
  'test/providers/maps/conformance.test.ts',
  'test/providers/websites/limits.test.ts',
  'test/workflows/run-campaign.test.ts',
  'test/workflows/job.test.ts',
  'test/workflows/scrape-maps.test.ts',
  'test/activities/maps.test.ts',
  'test/replay/replay.test.ts',
  'test/providers/email-verifiers/smtp-probe.test.ts',
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
