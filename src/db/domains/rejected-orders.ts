/** Orders at registrars that were carried out and are refused afterwards: what they bought, taken back. */
import { sql, type Kysely, type Transaction } from 'kysely';
import type { Database } from '../tables.ts';

/** What an order at a registrar bought, and the operation that paid for it. */
export interface OrderClaim {
  orderRef: string;
  kind: 'registration' | 'renewal';
  domainId: number;
  domain: string;
  /** The renewal that it was for; null = the first term. */
  renewalId: number | null;
  /** The end of the term before a renewal; null for a registration. */
  formerEnd: Date | null;
  operationId: number | null;
}

/**
 * The order `o` paid for a domain. The row of the purchase does not tell: what was taken for absent and found
 * later was bought all the same, maybe by another order than the one that had asked for it.
 */
const hasCapture = sql<boolean>`exists (
  select from ledger_transactions t
  where t.operation_key = concat('operation:', o.id, ':domain') and t.type = 'capture')`;

/** What these orders bought for users, where that still stands; others are nobody's. */
export async function listOrderClaims(
  db: Kysely<Database>,
  provider: string,
  orderRefs: readonly string[],
): Promise<OrderClaim[]> {
  if (orderRefs.length === 0) return [];
  const refs = sql.val([...orderRefs]);
  const { rows } = await sql<OrderClaim>`
    select d.order_ref as "orderRef", 'registration' as kind, d.id as "domainId", d.name as domain,
      null::bigint as "renewalId", null::timestamptz as "formerEnd",
      (select o.id from operations o
        where o.user_id = d.user_id
          and (o.resource_type, o.resource_id) in (
            select 'domain', d.id union all
            select 'cluster', c.id from clusters c
            where c.user_id = d.user_id and c.domain_id = d.id)
          and (${hasCapture} or exists (
            select from provider_resources r
            where r.operation_id = o.id and r.step = 'domain_purchase' and r.state = 'created'))
        order by ${hasCapture} desc, o.id desc limit 1) as "operationId"
    from domains d
    where d.provider = ${provider} and d.status = 'active' and d.order_ref = any(${refs}::text[])
    union all
    select n.order_ref, 'renewal', d.id, d.name, n.id, n.expires_at,
      (select max(o.id) from operations o
        where o.resource_type = 'domain_renewal' and o.resource_id = n.id)
    from domain_renewals n join domains d on d.id = n.domain_id
    where d.provider = ${provider} and d.status = 'active' and n.state = 'done'
      and n.order_ref = any(${refs}::text[])`.execute(db);
  return rows;
}

/** The name is nobody's again. The caller holds the domain's lock. */
export async function markDomainRejected(
  trx: Transaction<Database>,
  id: number,
  error: { code: string; message: string },
): Promise<void> {
  await trx
    .updateTable('domains')
    .set({
      status: 'failed',
      error_code: error.code,
      error_message: error.message,
      updated_at: new Date(),
    })
    .where('id', '=', id)
    .execute();
}

/** The term ends as before, and may be renewed anew. The caller holds the domain's lock. */
export async function markRenewalRejected(
  trx: Transaction<Database>,
  { renewalId, domainId, expiresAt }: { renewalId: number; domainId: number; expiresAt: Date },
  error: { code: string; message: string },
): Promise<void> {
  const at = new Date();
  await trx
    .updateTable('domain_renewals')
    .set({
      state: 'failed',
      new_expires_at: null,
      error_code: error.code,
      error_message: error.message,
      updated_at: at,
    })
    .where('id', '=', renewalId)
    .execute();
  await trx
    .updateTable('domains')
    .set({ expires_at: expiresAt, updated_at: at })
    .where('id', '=', domainId)
    .execute();
}
