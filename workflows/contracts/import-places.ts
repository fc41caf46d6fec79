/** Contract of `importPlaces`: places of a run become leads of a list. */
import type { JobInput } from './job.ts';

export const importPlacesType = 'importPlaces';
export const importPlacesWorkflowId = (runId: number, n: number) => `maps-import/${runId}/${n}`;

export interface ImportPlacesInput extends JobInput {
  importId: number;
}
