/** Places of a run become leads of a list. */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import type { WorkflowInput } from '../contracts/workflow-input.ts';
import { runJob } from '../engine/job.ts';
import { policies } from '../engine/policies.ts';
import { as } from '../clusters/steps.ts';

export async function importPlaces(input: WorkflowInput<'importPlaces'>): Promise<void> {
  const { importId, operationId, pace } = input;
  const { importPlaceBatches } = proxyActivities<Activities>(policies(pace).page);
  await runJob(input, (job) =>
    job.pages('import_places', () =>
      importPlaceBatches.executeWithOptions(as('import_places', 'Import places'), [
        { importId, operationId },
      ]),
    ),
  );
}
