/** Places of a run become leads of a list. */
import type { ImportPlacesInput } from './contracts/import-places.ts';
import { runJob } from './job.ts';

export async function importPlaces(input: ImportPlacesInput): Promise<void> {
  await runJob(input, async () => {});
}
