/**
 * Leads from ad libraries, in passes over big pages. Each activity derives the next step from the
 * database, so that a new run goes on where the last one ended.
 * docs/workflow-rules.md#long-jobs.
 */
import { CancellationScope, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import type { DiscoveryPage, DiscoveryStep } from '../../src/domain/discovery/discovery.ts';
import type { WorkflowInput } from '../contracts/workflow-input.ts';
import { isContinueAsNew } from '../engine/continue.ts';
import { as } from '../clusters/steps.ts';
import { runJob } from '../engine/job.ts';
import type { Job } from '../engine/job-steps.ts';
import { policies } from '../engine/policies.ts';

export async function discoverLeads(input: WorkflowInput<'discoverLeads'>): Promise<void> {
  try {
    await runJob(input, async (job) => {
      try {
        await runSteps(input, job);
      } catch (error) {
        if (!isContinueAsNew(error)) await endSearches(input);
        throw error;
      }
      await endSearches(input);
    });
  } catch (error) {
    // An earlier run was terminated: no more work is done, but the searches that it began are ended.
    if (input.undoOnly) await endSearches(input);
    throw error;
  }
}

const SUMMARIES: Readonly<Record<DiscoveryStep, string>> = {
  search_ads: 'Search the ad libraries',
  extract_companies: 'Companies from the ads',
  enrich_contacts: 'Look for contacts',
  validate_emails: 'Validate addresses',
  attach_leads: 'Put the leads into their list',
};

/** The activities are named after the steps. Spec: POST /v1/leads/process. */
async function runSteps(
  { processId, operationId, pace }: WorkflowInput<'discoverLeads'>,
  job: Job,
) {
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
      work[now].executeWithOptions(as(now, SUMMARIES[now]), [{ processId, operationId }]),
    );
    step = next;
  }
}

/**
 * Ends what still runs at ad libraries, because it is paid for, including what a library shows late. A
 * failure here does not change the outcome.
 */
async function endSearches({
  processId,
  operationId,
  pace,
}: WorkflowInput<'discoverLeads'>): Promise<void> {
  const activities = proxyActivities<Activities>(policies(pace).settle);
  await CancellationScope.nonCancellable(() =>
    activities.endSearches
      .executeWithOptions(as('end_searches', 'End searches that still run'), [
        { processId, operationId },
      ])
      .catch(() => undefined),
  );
}
