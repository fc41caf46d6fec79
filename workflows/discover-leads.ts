/** Leads from ad libraries, page by page. */
import type { DiscoverLeadsInput } from './contracts/discover-leads.ts';
import { runJob } from './job.ts';

export async function discoverLeads(input: DiscoverLeadsInput): Promise<void> {
  await runJob(input, async () => {});
}
