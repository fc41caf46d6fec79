/** Places of a map search, then their websites when asked. Choices 30, 63. */
import { CancellationScope, ContinueAsNew, log, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import type { WorkflowInput } from '../contracts/workflow-input.ts';
import { visitWebsites } from './enrich-websites.ts';
import { runJob } from '../engine/job.ts';
import type { Job } from '../engine/job-steps.ts';
import { policies } from '../engine/policies.ts';
import { as } from '../clusters/steps.ts';

/** A workflow starts no more searches than this; there are fewer providers. */
const MAX_STARTS = 10;

export async function scrapeMaps(input: WorkflowInput<'scrapeMaps'>): Promise<void> {
  let isScraped = false;
  try {
    await runJob(input, async (job) => {
      const next = await search(job, input);
      isScraped = true;
      if (next === 'enrich') await visitWebsites(job, input);
    });
  } catch (error) {
    if (!(error instanceof ContinueAsNew) && !isScraped) await endSearch(input);
    throw error;
  }
  // Cancelled: the row is settled, and a search that still runs at the provider is ended.
  if (!isScraped) await endSearch(input);
}

/** Starts the search and reads it to its end; when a provider gives up, the next one takes over. */
async function search(job: Job, input: WorkflowInput<'scrapeMaps'>): Promise<'enrich' | 'end'> {
  const { operationId, runId, pace } = input;
  const { startMapsSearch, scrapePlaces } = proxyActivities<Activities>(policies(pace).page);
  const run = { operationId, runId };
  for (let starts = 0; starts < MAX_STARTS; starts += 1) {
    const started = await job.page('search_start', () =>
      startMapsSearch.executeWithOptions(as('search_start', 'Start the search'), [run]),
    );
    let next: 'start' | 'scrape' | 'enrich' | 'end' = started.next;
    while (next === 'scrape') {
      const page = await job.page('scrape', () =>
        scrapePlaces.executeWithOptions(as('scrape', 'Read places'), [run]),
      );
      next = page.next;
    }
    if (next !== 'start') return next;
  }
  return 'end';
}

/** Best effort: where the provider cannot be reached, its own time-out ends the search. */
async function endSearch({ operationId, runId, pace }: WorkflowInput<'scrapeMaps'>): Promise<void> {
  const { endMapsSearch } = proxyActivities<Activities>(policies(pace).settle);
  try {
    await CancellationScope.nonCancellable(() =>
      endMapsSearch.executeWithOptions(as('search_end', 'End the search at the provider'), [
        { operationId, runId },
      ]),
    );
  } catch (error) {
    log.warn('the search could not be ended at its provider', { runId, error: String(error) });
  }
}
