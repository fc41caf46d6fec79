/** Work on one domain after the other, as Schedules do it: a domain that fails delays no other. */
import { isCancellation, log, patched } from '@temporalio/workflow';
import type { DomainPagesInput } from '../contracts/domain-pages.ts';
import { continueOnLatestBuild, isTimeToContinue } from '../engine/continue.ts';

const CONTINUED = '2026-11-domain-pages-continued';

export interface DueDomain {
  domainId: number;
  registrar: string;
}

export interface DomainPage {
  due: DueDomain[];
  nextId: number | null;
}

/**
 * How many domains were advanced; the next run is the retry of the others. After a change that concerns each domain
 * these are thousands: the run continues as new between two pages.
 */
export async function forEachDomain<Input extends DomainPagesInput>(
  input: Input,
  list: (afterId: number) => Promise<DomainPage>,
  advance: (domain: DueDomain) => Promise<unknown>,
): Promise<number> {
  let advanced = input.advanced ?? 0;
  for (let afterId: number | null = input.afterId ?? 0; afterId !== null;) {
    const page = await list(afterId);
    for (const domain of page.due) {
      try {
        await advance(domain);
        advanced += 1;
      } catch (error) {
        if (isCancellation(error)) throw error;
        log.warn('a domain was not advanced', { ...domain });
      }
    }
    afterId = page.nextId;
    if (afterId !== null && isTimeToContinue() && patched(CONTINUED)) {
      await continueOnLatestBuild<(next: Input) => Promise<unknown>>({
        ...input,
        afterId,
        advanced,
      });
    }
  }
  return advanced;
}
