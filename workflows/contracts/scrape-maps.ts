/** Contract of `scrapeMaps`: places of a map search, then their websites when asked. */
import type { JobInput } from './job.ts';

export const scrapeMapsType = 'scrapeMaps';
export const scrapeMapsWorkflowId = (runId: number) => `maps-run/${runId}`;

export interface ScrapeMapsInput extends JobInput {
  runId: number;
}
