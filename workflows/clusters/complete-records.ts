/** Run by a Schedule: gives each domain the records that became part of the plan after it got its own. */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import type { CompleteRecordsInput } from '../contracts/complete-records.ts';
import { policies } from '../engine/policies.ts';
import { forEachDomain } from './domain-pages.ts';
import { as, at } from './steps.ts';

export async function completeRecords(input: CompleteRecordsInput): Promise<{ advanced: number }> {
  const { listIncompleteDomains, completeDomainRecords } = proxyActivities<Activities>(
    policies(input.pace).page,
  );
  const advanced = await forEachDomain(
    input,
    (afterId) =>
      listIncompleteDomains.executeWithOptions(
        as(`due.after_${afterId}`, 'Which domains lack records of the plan'),
        [{ afterId }],
      ),
    ({ domainId, registrar }) =>
      completeDomainRecords.executeWithOptions(
        { ...as(`records.${domainId}`, 'Publish TLS-RPT and CAA'), ...at(registrar) },
        [{ domainId }],
      ),
  );
  return { advanced };
}
