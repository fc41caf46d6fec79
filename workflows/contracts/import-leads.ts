/** Contract of `importLeads`: a file of leads, batch by batch. */
import type { JobInput } from './job.ts';

export const importLeadsType = 'importLeads';
export const importLeadsWorkflowId = (importId: number) => `lead-import/${importId}`;

export interface ImportLeadsInput extends JobInput {
  importId: number;
}
