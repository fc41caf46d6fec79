/** Events of the payment processor by id: each is applied once. */
import type { Transaction } from 'kysely';
import type { Database } from '../tables.ts';
import type { PaymentEventsTable } from './wallet-tables.ts';

/** Claims an event for this transaction; false when it was applied before. */
export async function insertPaymentEvent(
  trx: Transaction<Database>,
  event: { eventId: string; type: string },
): Promise<boolean> {
  const row = await trx
    .insertInto('payment_events')
    .values({ event_id: event.eventId, type: event.type, outcome: 'applied' })
    .onConflict((conflict) => conflict.doNothing())
    .returning('event_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Records that an event had no effect, and why; operators look for `unmatched`. */
export async function updatePaymentEvent(
  trx: Transaction<Database>,
  eventId: string,
  outcome: PaymentEventsTable['outcome'],
): Promise<void> {
  await trx
    .updateTable('payment_events')
    .set({ outcome })
    .where('event_id', '=', eventId)
    .execute();
}
