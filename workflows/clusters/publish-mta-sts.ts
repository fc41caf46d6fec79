/** Run by a Schedule: gives each domain its MTA-STS policy, those that exist already, too. */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import type { PublishMtaStsInput } from '../contracts/publish-mta-sts.ts';
import { policies } from '../engine/policies.ts';
import { forEachDomain } from './domain-pages.ts';
import { as, at } from './steps.ts';

export async function publishMtaSts(input: PublishMtaStsInput): Promise<{ advanced: number }> {
  const { listMtaSts, advanceMtaSts } = proxyActivities<Activities>(policies(input.pace).page);
  const advanced = await forEachDomain(
    input,
    (afterId) =>
      listMtaSts.executeWithOptions(as(`due.after_${afterId}`, 'Which domains announce none yet'), [
        { afterId },
      ]),
    ({ domainId, registrar }) =>
      advanceMtaSts.executeWithOptions(
        { ...as(`policy.${domainId}`, 'Serve the policy, then announce it'), ...at(registrar) },
        [{ domainId }],
      ),
  );
  return { advanced };
}
