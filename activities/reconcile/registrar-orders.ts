/** Orders that a registrar carried out and that failed afterwards, as its registry refused them. Choice 82. */
import { listOrderClaims, type OrderClaim } from '../../src/db/domains/rejected-orders.ts';
import { closeFinding } from '../../src/db/operations/findings.ts';
import { DAY_MS } from '../../src/domain/day.ts';
import { isRenewed } from '../../src/domain/domains/domain-renewals.ts';
import type { Finding, HealWords } from '../../src/domain/operations/findings.ts';
import type { Registrar } from '../../src/providers/registrars/port.ts';
import { rejectOrder } from '../../src/transactions/reject-order.ts';
import type { Found, ReconcileContext } from './book.ts';

/** Registries decide within days. */
const ORDER_DAYS = 30;

/** What failed orders bought is taken back, refunded and told, once the registrar does not show it any more. */
export async function orderFindings(
  context: ReconcileContext,
  registrar: Registrar,
): Promise<Found[]> {
  const since = new Date(context.clock.now().getTime() - ORDER_DAYS * DAY_MS);
  const orders = (await registrar.listOrders?.(since)) ?? [];
  const failed = orders.filter(({ state }) => state === 'failed');
  const refs = [...new Set(failed.map(({ orderRef }) => orderRef))];
  const claims = await listOrderClaims(context.db, registrar.name, refs);
  // An order may have several parts; the claim's own has to have failed.
  const isFailed = ({ orderRef, domain, kind }: OrderClaim) =>
    failed.some((one) => one.orderRef === orderRef && one.domain === domain && one.kind === kind);
  return claims.filter(isFailed).map((claim) => {
    const { orderRef, domain, kind, operationId } = claim;
    const finding: Finding = {
      kind: 'rejected_order',
      subject: `${registrar.name}/${orderRef}/${domain}`,
      operationId,
      detail: { domain, order: kind, orderRef },
    };
    const heal = (words: HealWords) => giveBack(context, { registrar, claim, finding, words });
    return { finding, isSafe: true, heal };
  });
}

/** False where the registrar still shows what was bought: then a person has to ask there. */
async function giveBack(
  { db }: ReconcileContext,
  given: { registrar: Registrar; claim: OrderClaim; finding: Finding; words: HealWords },
): Promise<boolean> {
  const { registrar, claim, finding, words } = given;
  const shown = await registrar.find(claim.domain);
  const expiresAt = shown && new Date(shown.expiresAt);
  const isThere =
    expiresAt !== null && (claim.formerEnd === null || isRenewed(claim.formerEnd, expiresAt));
  if (isThere) return false;
  const isDone = await db
    .transaction()
    .execute((trx) => rejectOrder(trx, registrar.name, claim, { expiresAt }));
  if (isDone) await closeFinding(db, finding, words);
  return isDone;
}
