/** A file of leads, part by part. */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import type { WorkflowInput } from '../contracts/workflow-input.ts';
import { runJob } from '../engine/job.ts';
import { policies } from '../engine/policies.ts';
import { as } from '../clusters/steps.ts';

export async function importLeads(input: WorkflowInput<'importLeads'>): Promise<void> {
  const { importId, operationId, pace } = input;
  const { importLeadParts } = proxyActivities<Activities>(policies(pace).page);
  await runJob(input, (job) =>
    job.pages('import_leads', () =>
      importLeadParts.executeWithOptions(as('import_leads', 'Import rows of the file'), [
        { importId, operationId },
      ]),
    ),
  );
}
