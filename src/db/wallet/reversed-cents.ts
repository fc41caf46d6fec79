/** How much of a payment the processor keeps, by the facts that it told. */
import { sql, type RawBuilder } from 'kysely';

/**
 * As SQL, for the payment `id`, whose refunds the processor last counted as `total`. A total may come without
 * the refunds that it counts, and a refund before the total: the larger one is right, less what has failed.
 */
export const reversedCents = (id: RawBuilder<unknown>, total: RawBuilder<unknown>) => sql`(
  (select greatest(
      coalesce(sum(refund.amount_cents) filter (where not refund.has_failed), 0),
      ${total} - coalesce(sum(refund.amount_cents) filter (where refund.has_failed), 0))
    from payment_refunds as refund where refund.payment_id = ${id})
  + (select coalesce(sum(dispute.amount_cents), 0) from payment_disputes as dispute
    where dispute.payment_id = ${id} and dispute.is_withdrawn and not dispute.is_reinstated))`;
