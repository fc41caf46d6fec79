/** The websites of a run that was scraped before. */
import type { EnrichWebsitesInput } from './contracts/enrich-websites.ts';
import { runJob } from './job.ts';

export async function enrichWebsites(input: EnrichWebsitesInput): Promise<void> {
  await runJob(input, async () => {});
}
