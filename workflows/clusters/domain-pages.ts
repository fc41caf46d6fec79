/** Work on one domain after the other, as Schedules do it: a domain that fails delays no other. */
import { isCancellation, log } from '@temporalio/workflow';

export interface DueDomain {
  domainId: number;
  registrar: string;
}

export interface DomainPage {
  due: DueDomain[];
  nextId: number | null;
}

/** How many domains were advanced; the next run is the retry of the others. */
export async function forEachDomain(
  list: (afterId: number) => Promise<DomainPage>,
  advance: (domain: DueDomain) => Promise<unknown>,
): Promise<number> {
  let advanced = 0;
  for (let afterId: number | null = 0; afterId !== null;) {
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
  }
  return advanced;
}
