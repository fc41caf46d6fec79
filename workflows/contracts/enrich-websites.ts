/** Contract of `enrichWebsites`: the websites of a run that was scraped before. */
import type { JobInput } from './job.ts';

export const enrichWebsitesType = 'enrichWebsites';
export const enrichWebsitesWorkflowId = (runId: number, n: number) => `maps-enrich/${runId}/${n}`;

export interface EnrichWebsitesInput extends JobInput {
  runId: number;
}
