/** Run by a Schedule: takes each domain's rotation of DKIM keys one step further. */
import { isCancellation, log, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import type { RotateDkimKeysInput } from '../contracts/rotate-dkim-keys.ts';
import { policies } from '../engine/policies.ts';
import { as, at } from './steps.ts';

interface Page {
  due: { domainId: number; registrar: string }[];
  nextId: number | null;
}

export async function rotateDkimKeys({ pace }: RotateDkimKeysInput): Promise<{ advanced: number }> {
  const { listDkimRotations, advanceDkimRotation } = proxyActivities<Activities>(
    policies(pace).page,
  );
  let advanced = 0;
  for (let afterId: number | null = 0; afterId !== null;) {
    const list = as(`due.after_${afterId}`, 'Which domains need a new DKIM key');
    const page: Page = await listDkimRotations.executeWithOptions(list, [{ afterId }]);
    for (const { domainId, registrar } of page.due) {
      const step = as(`rotate.${domainId}`, 'Publish, sign with, or withdraw a key');
      try {
        await advanceDkimRotation.executeWithOptions({ ...step, ...at(registrar) }, [{ domainId }]);
        advanced += 1;
      } catch (error) {
        if (isCancellation(error)) throw error;
        // It delays no other domain; the next run is its retry.
        log.warn('a DKIM key was not rotated', { domainId, registrar });
      }
    }
    afterId = page.nextId;
  }
  return { advanced };
}
