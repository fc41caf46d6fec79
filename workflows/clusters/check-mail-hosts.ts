/** Run by a Schedule: probes outgoing port 25 of the mail hosts, and asks blocklists for their addresses. */
import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import type { CheckMailHostsInput } from '../contracts/check-mail-hosts.ts';
import { policies } from '../engine/policies.ts';
import { as } from './steps.ts';

export async function checkMailHosts({ pace }: CheckMailHostsInput): Promise<{ held: number }> {
  const hosts = proxyActivities<Activities>(policies(pace).page);
  let held = 0;
  for (let afterId: number | null = 0; afterId !== null;) {
    const look = as(`hosts.after_${afterId}`, 'Can their messages leave, and are they welcome?');
    const page: { nextId: number | null; found: number } =
      await hosts.checkMailHosts.executeWithOptions(look, [{ afterId }]);
    held += page.found;
    afterId = page.nextId;
  }
  return { held };
}
