/** Run by a Schedule once a day: begins due renewals, and checks the DNS of sending domains. */
import {
  continueAsNew,
  isCancellation,
  log,
  patched,
  proxyActivities,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import type { RenewDomainsInput } from '../contracts/renew-domains.ts';
import { policies } from '../engine/policies.ts';
import { as, at } from '../clusters/steps.ts';

/** Since this patch, each domain is renewed on its registrar's queue. */
const BY_REGISTRAR = '2026-11-renew-by-registrar';

export async function renewDomains(
  input: RenewDomainsInput,
): Promise<{ renewed: number; failing: number }> {
  const { renewDueDomains, watchDomains } = proxyActivities<Activities>(policies(input.pace).page);
  const renewed = patched(BY_REGISTRAR)
    ? await renewAll(input)
    : await inPages((afterId) =>
        renewDueDomains.executeWithOptions(as('renew_due', 'Renew domains that end soon'), [
          { afterId },
        ]),
      );
  const failing = await inPages((afterId) =>
    watchDomains.executeWithOptions(as('watch', 'Look at the DNS of sending domains'), [
      { afterId },
    ]),
  );
  return { renewed, failing };
}

interface Due {
  domainId: number;
  registrar: string;
}

/** Page after page; within a page, registrars in parallel, and each registrar's domains in sequence. */
async function renewAll(input: RenewDomainsInput): Promise<number> {
  const { listDueDomains } = proxyActivities<Activities>(policies(input.pace).page);
  let renewed = input.renewed ?? 0;
  for (let afterId: number | null = input.afterId ?? 0; afterId !== null;) {
    const list = as('due', 'Which domains end soon');
    const page: { due: Due[]; nextId: number | null } = await listDueDomains.executeWithOptions(
      list,
      [{ afterId }],
    );
    const registrars = [...new Set(page.due.map(({ registrar }) => registrar))];
    const counts = await Promise.all(
      registrars.map((registrar) =>
        renewEach(
          input,
          page.due.filter((one) => one.registrar === registrar),
        ),
      ),
    );
    renewed += counts.reduce((sum, count) => sum + count, 0);
    afterId = page.nextId;
    if (afterId !== null && workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof renewDomains>({ ...input, afterId, renewed });
    }
  }
  return renewed;
}

/** A domain that fails delays no other; the next day's run is its retry. */
async function renewEach({ pace }: RenewDomainsInput, due: readonly Due[]): Promise<number> {
  const { renewDueDomain } = proxyActivities<Activities>(policies(pace).page);
  let renewed = 0;
  for (const { domainId, registrar } of due) {
    const look = as(`renew_due.${domainId}`, 'Renew it, if it ends soon');
    try {
      const { begun } = await renewDueDomain.executeWithOptions({ ...look, ...at(registrar) }, [
        { domainId },
      ]);
      if (begun) renewed += 1;
    } catch (error) {
      if (isCancellation(error)) throw error;
      log.warn('a domain was not looked at', { domainId, registrar });
    }
  }
  return renewed;
}

async function inPages(
  work: (afterId: number) => Promise<{ nextId: number | null; found: number }>,
): Promise<number> {
  let found = 0;
  for (let afterId: number | null = 0; afterId !== null;) {
    const page: { nextId: number | null; found: number } = await work(afterId);
    found += page.found;
    afterId = page.nextId;
  }
  return found;
}
