/** Domains: what our account at a registrar owns, and what accounts here have. */
import { listBoughtDomains, listDomainClaims } from '../../src/db/operations/vendor-comparison.ts';
import type { Registrar } from '../../src/providers/registrars/port.ts';
import { graceMs, type Found, type ReconcileContext } from './book.ts';

/**
 * Every domain that one side has and the other does not. None is healed: what was bought stays
 * bought, and whom it belongs to is for a person to say.
 */
export async function domainFindings(
  context: ReconcileContext,
  registrar: Registrar,
): Promise<Found[]> {
  const before = new Date(context.clock.now().getTime() - graceMs(context));
  const theirs = (await registrar.listDomains?.()) ?? [];
  const names = theirs.map(({ domain }) => domain);
  const claims = await listDomainClaims(context.db, registrar.name, names);
  const found: Found[] = [];
  for (const { domain, purchasedAt, expiresAt } of theirs) {
    const claim = claims.get(domain);
    const isYoung = new Date(purchasedAt) >= before;
    if (!claim || claim.isKnown || claim.isAtWork || isYoung) continue;
    const { operationId } = claim;
    found.push({
      finding: {
        kind: operationId === null ? 'unknown_domain' : 'unrecorded_domain',
        subject: `${registrar.name}/${domain}`,
        operationId,
        detail: { domain, purchasedAt, expiresAt },
      },
    });
  }
  const owned = new Set(names);
  for (const domain of await listBoughtDomains(context.db, registrar.name, before)) {
    if (owned.has(domain)) continue;
    found.push({
      finding: {
        kind: 'missing_domain',
        subject: `${registrar.name}/${domain}`,
        operationId: null,
        detail: { domain },
      },
    });
  }
  return found;
}
