/** Visits the websites of a run that was scraped before. */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import type { WorkflowInput } from '../contracts/workflow-input.ts';
import { runJob } from '../engine/job.ts';
import type { Job } from '../engine/job-steps.ts';
import { policies } from '../engine/policies.ts';
import { as } from '../clusters/steps.ts';

export async function enrichWebsites(input: WorkflowInput<'enrichWebsites'>): Promise<void> {
  await runJob(input, (job) => visitWebsites(job, input));
}

/** Batches of websites until none is left to visit. */
export async function visitWebsites(
  job: Job,
  input: WorkflowInput<'enrichWebsites'>,
): Promise<void> {
  const { operationId, runId, pace } = input;
  const { enrichPlaces } = proxyActivities<Activities>(policies(pace).page);
  await job.pages('enrich', () =>
    enrichPlaces.executeWithOptions(as('enrich', 'Visit websites'), [{ operationId, runId }]),
  );
}
