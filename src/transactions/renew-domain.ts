/** One renewal of a domain: its row, the hold of its price and its operation, or none of them. */
import type { Transaction } from 'kysely';
import { insertAuditEntries, noteChange } from '../db/accounts/audit-log.ts';
import { renewDomainFlow } from '../domain/domains/flows.ts';
import { isRenewed } from '../domain/domains/domain-renewals.ts';
import type { Pace } from '../domain/operations/operations.ts';
import { lockDomain } from '../db/domains/domains.ts';
import { isBehindRenewal } from '../db/domains/domain-renewals.ts';
import { assertWithinSpending, type SpendingLimits } from '../db/domains/spending.ts';
import { insertOperation, type Operation } from '../db/operations/operations.ts';
import { hold } from '../db/wallet/ledger.ts';
import type { Database } from '../db/tables.ts';

/** The request; `priceCents` is what the user pays, 0 for nothing. */
export interface RenewalOrder {
  domainId: number;
  /** The expiry to be extended, as the registrar reports it now. */
  expiresAt: Date;
  priceCents: number;
  pace: Pace;
  spending: SpendingLimits;
  requested: { actor: string; reason: string };
  now: Date;
}

/**
 * Claims the renewal of this expiry, holds its price and writes the intent to start. Undefined where a
 * renewal is in progress, or this expiry was extended already. Throws INSUFFICIENT_BALANCE (402) and
 * DOMAIN_SPENDING_LIMIT (429).
 */
export async function insertRenewal(
  trx: Transaction<Database>,
  order: RenewalOrder,
): Promise<Operation | undefined> {
  const { expiresAt, priceCents } = order;
  const domain = await lockDomain(trx, order.domainId);
  if (domain.expires_at && isRenewed(expiresAt, domain.expires_at)) return undefined;
  if (await isBehindRenewal(trx, order)) return undefined;
  const renewal = await trx
    .insertInto('domain_renewals')
    .values({ user_id: domain.user_id, domain_id: domain.id, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!renewal) return undefined;
  const workflowId = renewDomainFlow.workflowId({ renewalId: renewal.id });
  const reference = { referenceType: 'domain', referenceId: String(domain.id) };
  await assertWithinSpending(trx, {
    userId: domain.user_id,
    isFree: priceCents === 0,
    limits: order.spending,
    now: order.now,
  });
  const held =
    priceCents === 0
      ? undefined
      : await hold(trx, {
          userId: domain.user_id,
          amountCents: priceCents,
          operationKey: `${workflowId}:hold`,
          description: `Renewal of ${domain.name}`,
          ...reference,
        });
  const input = {
    renewalId: renewal.id,
    domain: domain.name,
    registrar: domain.provider,
    charged: priceCents > 0,
    price: { domainCents: priceCents },
    pace: order.pace,
  };
  const change = { before: { expiresAt }, after: { priceCents } };
  noteChange(change);
  if (order.requested.actor === 'system') {
    const entry = {
      userId: domain.user_id,
      actor: { kind: 'system', id: null, name: 'automatic renewal' },
      action: 'domains.renew',
      resourceType: 'domain',
      resourceId: domain.id,
      ...change,
    } as const;
    await insertAuditEntries(trx, [entry]);
  }
  return insertOperation(trx, renewDomainFlow, input, {
    userId: domain.user_id,
    summary: `Renew ${domain.name}`,
    holdId: held?.holdId,
    requested: order.requested,
  });
}
