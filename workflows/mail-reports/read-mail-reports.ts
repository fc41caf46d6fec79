/** Run by a Schedule: reads the role addresses of all domains, and deletes old reports. */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import { as } from '../clusters/steps.ts';
import type { ReadMailReportsInput } from '../contracts/read-mail-reports.ts';
import { policies } from '../engine/policies.ts';

export async function readMailReports(
  input: ReadMailReportsInput,
): Promise<{ found: number; deleted: number }> {
  const activities = proxyActivities<Activities>(policies(input.pace).page);
  let found = 0;
  for (let afterId: number | null = 0; afterId !== null;) {
    const options = as(
      `read_reports.${afterId}`,
      'Read postmaster@ and abuse@ of a page of domains',
    );
    const page: { nextId: number | null; found: number } =
      await activities.readMailReports.executeWithOptions(options, [{ afterId }]);
    found += page.found;
    afterId = page.nextId;
  }
  const { deleted } = await activities.pruneMailReports.executeWithOptions(
    as('prune_reports', 'Delete old reports'),
    [],
  );
  return { found, deleted };
}
