/** Contract of `discoverLeads`: leads from ad libraries, page by page. */
import type { JobInput } from './job.ts';

export const discoverLeadsType = 'discoverLeads';
export const discoverLeadsWorkflowId = (processId: number) => `discovery/${processId}`;

export interface DiscoverLeadsInput extends JobInput {
  processId: number;
}
