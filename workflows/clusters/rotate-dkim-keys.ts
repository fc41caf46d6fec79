/** Run by a Schedule: takes each domain's rotation of DKIM keys one step further. */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import type { RotateDkimKeysInput } from '../contracts/rotate-dkim-keys.ts';
import { policies } from '../engine/policies.ts';
import { forEachDomain } from './domain-pages.ts';
import { as, at } from './steps.ts';

export async function rotateDkimKeys(input: RotateDkimKeysInput): Promise<{ advanced: number }> {
  const { listDkimRotations, advanceDkimRotation } = proxyActivities<Activities>(
    policies(input.pace).page,
  );
  const advanced = await forEachDomain(
    input,
    (afterId) =>
      listDkimRotations.executeWithOptions(
        as(`due.after_${afterId}`, 'Which domains need a new DKIM key'),
        [{ afterId }],
      ),
    ({ domainId, registrar }) =>
      advanceDkimRotation.executeWithOptions(
        { ...as(`rotate.${domainId}`, 'Publish, sign with, or withdraw a key'), ...at(registrar) },
        [{ domainId }],
      ),
  );
  return { advanced };
}
