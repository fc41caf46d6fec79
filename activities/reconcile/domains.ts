/** Domains: those our account at a registrar owns, against those of accounts here. */
import { listBoughtDomains, listDomainClaims } from '../../src/transactions/vendor-comparison.ts';
import type { Registrar } from '../../src/providers/registrars/port.ts';
import { graceMs, type Found, type ReconcileContext } from './book.ts';
import { orderFindings } from './registrar-orders.ts';

/** Orders that failed afterwards, and domains; what such an order bought is not missing a second time. */
export async function registrarFindings(
  context: ReconcileContext,
  registrar: Registrar,
): Promise<Found[]> {
  const orders = await orderFindings(context, registrar);
  const rejected = new Set(orders.map(({ finding }) => finding.detail['domain']));
  const domains = await domainFindings(context, registrar);
  return [...orders, ...domains.filter(({ finding }) => !rejected.has(finding.detail['domain']))];
}

/**
 * Every domain that only one side has. None is healed: what was bought stays bought, and a person has to
 * say whom it belongs to.
 */
async function domainFindings(context: ReconcileContext, registrar: Registrar): Promise<Found[]> {
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
