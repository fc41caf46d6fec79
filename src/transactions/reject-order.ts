/** An order that a registrar carried out and its registry refused later: undone, refunded and told. Choice 82. */
import type { Transaction } from 'kysely';
import { lockDomain } from '../db/domains/domains.ts';
import {
  listOrderClaims,
  markDomainRejected,
  markRenewalRejected,
  type OrderClaim,
} from '../db/domains/rejected-orders.ts';
import { getOperation, insertOperationEvent } from '../db/operations/operations.ts';
import type { Database } from '../db/tables.ts';
import { refund } from '../db/wallet/ledger.ts';
import { findCapture } from '../db/wallet/ledger-posting.ts';
import { insertEvents } from '../db/webhooks/events.ts';

/** What the registrar shows of the domain now: its end, or null where it is not in our account any more. */
export interface ShownDomain {
  expiresAt: Date | null;
}

/**
 * In one transaction: the name is free again, or its term ends as before; the price goes back to the wallet;
 * the client is told. False where that was done already. Safe to repeat.
 */
export async function rejectOrder(
  trx: Transaction<Database>,
  provider: string,
  claim: OrderClaim,
  shown: ShownDomain,
): Promise<boolean> {
  const { domainId, domain, kind, orderRef, operationId } = claim;
  const { user_id: userId } = await lockDomain(trx, domainId);
  const claims = await listOrderClaims(trx, provider, [orderRef]);
  if (!claims.some((one) => one.kind === kind && one.domainId === domainId)) return false;
  const what = kind === 'registration' ? 'registration' : 'renewal';
  const error = {
    code: 'DOMAIN_REJECTED',
    message: `The registry refused the ${what} of ${domain} after it had been accepted.`,
  };
  if (claim.renewalId === null) await markDomainRejected(trx, domainId, error);
  else {
    const expiresAt = shown.expiresAt ?? claim.formerEnd!;
    const renewal = { renewalId: claim.renewalId, domainId, expiresAt };
    await markRenewalRejected(trx, renewal, error);
  }
  const refundedCents =
    operationId === null ? 0 : await refundPrice(trx, operationId, error.message);
  if (operationId !== null) {
    const reason = `${error.message} Order ${orderRef}; refunded: ${refundedCents} cents.`;
    const step = kind === 'registration' ? 'domain_purchase' : 'domain_renewal';
    await insertOperationEvent(trx, {
      operationId,
      kind: 'reconciled',
      step,
      actor: 'system',
      reason,
    });
  }
  const payload = {
    domainId,
    domain,
    order: kind,
    refundedCents,
    expiresAt: claim.renewalId === null ? null : (shown.expiresAt?.toISOString() ?? null),
    at: new Date().toISOString(),
  };
  const resource = `domain/${domainId}`;
  await insertEvents(trx, [{ userId, type: 'domain.order_rejected', resource, payload }]);
  return true;
}

/** What was captured for the domain within this operation goes back, once. */
async function refundPrice(
  trx: Transaction<Database>,
  operationId: number,
  description: string,
): Promise<number> {
  const { user_id: userId } = await getOperation(trx, operationId);
  const operationKey = `operation:${operationId}:domain`;
  const captured = await findCapture(trx, { userId, operationKey });
  if (!captured) return 0;
  const { amountCents, referenceType, referenceId } = captured;
  await refund(trx, {
    userId,
    amountCents,
    operationKey: `${operationKey}:refund`,
    referenceType,
    referenceId,
    description,
  });
  return amountCents;
}
