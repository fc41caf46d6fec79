/** Places of a map search, then their websites when asked. */
import type { ScrapeMapsInput } from './contracts/scrape-maps.ts';
import { runJob } from './job.ts';

export async function scrapeMaps(input: ScrapeMapsInput): Promise<void> {
  await runJob(input, async () => {});
}
