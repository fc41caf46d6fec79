/**
 * Leads from ad libraries, in rounds of big pages. Which step comes next is told by each activity
 * from what is in the database, so that any run goes on where the last one ended.
 * docs/workflow-rules.md#long-jobs.
 */
import { CancellationScope, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import type { DiscoveryPage, DiscoveryStep } from '../../src/domain/discovery/discovery.ts';
import type { WorkflowInput } from '../contracts/workflow-input.ts';
import { isContinueAsNew, runJob, type Job } from '../engine/job.ts';
import { policies } from '../engine/policies.ts';

export async function discoverLeads(input: WorkflowInput<'discoverLeads'>): Promise<void> {
  try {
    await runJob(input, async (job) => {
      try {
        await rounds(input, job);
      } catch (error) {
        if (!isContinueAsNew(error)) await endSearches(input);
        throw error;
      }
      await endSearches(input);
    });
  } catch (error) {
    // Terminated before, the job does no work: what that run has begun is ended all the same.
    if (input.undoOnly) await endSearches(input);
    throw error;
  }
}

/** The names of the activities are those of the steps. Spec: POST /v1/leads/process. */
async function rounds({ processId, operationId, pace }: WorkflowInput<'discoverLeads'>, job: Job) {
  const { page } = policies(pace);
  const activities = proxyActivities<Activities>(page);
  const work = {
    search_ads: activities.searchAds,
    extract_companies: activities.extractCompanies,
    enrich_contacts: activities.enrichContacts,
    validate_emails: activities.validateEmails,
    attach_leads: activities.attachLeads,
  } satisfies Record<DiscoveryStep, unknown>;
  let step: DiscoveryStep | null = 'search_ads';
  while (step !== null) {
    const now: DiscoveryStep = step;
    const { next }: DiscoveryPage = await job.page<DiscoveryPage>(now, () =>
      work[now].executeWithOptions({ activityId: now }, [{ processId, operationId }]),
    );
    step = next;
  }
}

/**
 * What runs at a library is paid for: it is ended, also what is shown late. A failure of that changes
 * nothing here.
 */
async function endSearches({
  processId,
  operationId,
  pace,
}: WorkflowInput<'discoverLeads'>): Promise<void> {
  const activities = proxyActivities<Activities>(policies(pace).settle);
  await CancellationScope.nonCancellable(() =>
    activities.endSearches
      .executeWithOptions({ activityId: 'end_searches' }, [{ processId, operationId }])
      .catch(() => undefined),
  );
}
