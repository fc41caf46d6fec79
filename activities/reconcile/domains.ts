/** Domains: those our account at a registrar owns, against those of accounts here. */
import {
  listBoughtDomains,
  listDomainClaims,
  listRenewedHere,
} from '../../src/transactions/vendor-comparison.ts';
import type { ListedDomain, Registrar } from '../../src/providers/registrars/port.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { graceMs, type Found, type ReconcileContext } from './book.ts';
import { orderFindings } from './registrar-orders.ts';

/** Orders that failed afterwards, and domains; what such an order bought is not missing a second time. */
export async function registrarFindings(
  context: ReconcileContext,
  registrar: Registrar,
  heal: 'none' | 'safe',
): Promise<Found[]> {
  const orders = await orderFindings(context, registrar);
  const rejected = new Set(orders.map(({ finding }) => finding.detail['domain']));
  const theirs = (await registrar.listDomains?.()) ?? [];
  const domains = await domainFindings(context, registrar, theirs);
  if (heal === 'safe') await stopRenewals(context, registrar, theirs);
  return [...orders, ...domains.filter(({ finding }) => !rejected.has(finding.detail['domain']))];
}

/**
 * Every domain that only one side has. None is healed: what was bought stays bought, and a person has to
 * say whom it belongs to.
 */
async function domainFindings(
  context: ReconcileContext,
  registrar: Registrar,
  theirs: readonly ListedDomain[],
): Promise<Found[]> {
  const before = new Date(context.clock.now().getTime() - graceMs(context));
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

/**
 * Renewing is the product's work: what a registrar renews by itself, nobody here pays for. It could not be stopped
 * with a purchase that was listed later, or whose answer was lost. Nothing is touched of names of nobody here, and of
 * imports that the product does not renew: they would end.
 */
async function stopRenewals(
  { db, logger }: ReconcileContext,
  registrar: Registrar,
  theirs: readonly ListedDomain[],
): Promise<void> {
  const running = theirs.filter(({ renewsItself }) => renewsItself === true);
  if (running.length === 0 || !registrar.stopRenewingItself) return;
  const names = running.map(({ domain }) => domain);
  const ours = new Set(await listRenewedHere(db, registrar.name, names));
  for (const { domain } of running.filter((one) => ours.has(one.domain))) {
    try {
      await registrar.stopRenewingItself(domain);
    } catch (err) {
      if (!(err instanceof ProviderError)) throw err;
      logger.warn({ provider: registrar.name, domain, err }, 'a domain goes on renewing itself');
    }
  }
}
