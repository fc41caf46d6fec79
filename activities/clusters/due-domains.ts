/** Pages of the domains that a Schedule has something to do for. */

interface DueDomain {
  domainId: number;
  registrar: string;
}

/** Domains a page. */
export const PAGE_SIZE = 100;

/** `nextId`: the page goes on after it; null at the last one. */
export const pageOf = (
  due: DueDomain[],
): {
  due: DueDomain[];
  nextId: number | null;
} => ({ due, nextId: due.length < PAGE_SIZE ? null : due.at(-1)!.domainId });
