/** What the steps of a maps run return, and when nothing is left for them to do. */
import type { MapsRun } from '../../src/db/maps/maps-runs.ts';
import type { PageResult } from '../../src/domain/operations/jobs.ts';

export interface MapsRunInput {
  operationId: number;
  runId: number;
}

/** `next`: what the workflow does after this step. */
export interface SearchResult extends PageResult {
  next: 'start' | 'scrape' | 'enrich' | 'end';
}

export const result = (next: SearchResult['next'], progress: string): SearchResult => ({
  state: 'active',
  isDone: true,
  next,
  progress,
});

/** `isDone` is false: the workflow stops at its next page, whichever that is. */
export const over = (progress: string): SearchResult => ({
  ...result('scrape', progress),
  state: 'over',
  isDone: false,
});

/** The result where nothing is left to search: it was done before, or the run is over. */
export function searchStateOf(run: MapsRun, operationId: number): SearchResult | undefined {
  const progress = `${run.saved_items} places`;
  const isStopped = run.status === 'cancelled' || run.status === 'failed';
  if (isStopped || run.deleted_at !== null) return over(progress);
  if (run.operation_id !== operationId) return result('end', progress);
  if (run.scraped_at === null) return undefined;
  return result(run.status === 'enriching' ? 'enrich' : 'end', progress);
}
