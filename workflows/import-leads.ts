/** A file of leads, batch by batch. */
import type { ImportLeadsInput } from './contracts/import-leads.ts';
import { runJob } from './job.ts';

export async function importLeads(input: ImportLeadsInput): Promise<void> {
  await runJob(input, async () => {});
}
