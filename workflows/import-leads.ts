/** A file of leads, batch by batch. */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { ImportLeadsInput } from './contracts/import-leads.ts';
import { runJob } from './job.ts';
import { policies } from './policies.ts';

export async function importLeads(input: ImportLeadsInput): Promise<void> {
  const { importId } = input;
  const { importLeadPart } = proxyActivities<Activities>(policies(input.pace).page);
  await runJob(input, async (job) => {
    const summary = 'import the next rows';
    await job.pages('import', () => importLeadPart.executeWithOptions({ summary }, [{ importId }]));
  });
}
