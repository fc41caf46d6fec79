/** A long job of three steps, for tests of `runJob`. */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../../activities/index.ts';
import type { JobInput } from '../../../workflows/contracts/job.ts';
import { runJob } from '../../../workflows/engine/job.ts';
import { policies } from '../../../workflows/engine/policies.ts';
import { as } from '../../../workflows/clusters/steps.ts';
import type { PageResult } from '../../../src/domain/operations/jobs.ts';

/** Fake activities answer by id, whatever their name. */
type Page = (input: { operationId: number }) => Promise<PageResult>;

export async function threeSteps(input: JobInput): Promise<void> {
  const { operationId, pace } = input;
  const activities = proxyActivities<Activities>(policies(pace).page);
  const look = activities.readJobState as unknown as Page & {
    executeWithOptions: (options: object, input: [{ operationId: number }]) => Promise<PageResult>;
  };
  await runJob(input, async (job) => {
    for (const step of ['first', 'second', 'third']) {
      await job.pages(step, () => look.executeWithOptions(as(step, step), [{ operationId }]));
    }
  });
}
