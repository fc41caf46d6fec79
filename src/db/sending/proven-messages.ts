/** Messages with an unknown outcome to which a reaction has arrived: they were delivered. */
import { sql, type Selectable, type Transaction } from 'kysely';
import { DAY_SECONDS } from '../../domain/day.ts';
import { sendingDaysMs } from '../../domain/sending/sending-time.ts';
import { loadSequence } from '../campaigns/campaign-steps.ts';
import type { SendsTable } from '../campaigns/campaign-tables.ts';
import type { Database } from '../tables.ts';

/**
 * Marks the message as sent; its recipient, who was given up, continues. The days to the follow-up count from
 * the proof: the time of arrival is unknown, and too early is worse than too late.
 */
export async function proveMessage(
  trx: Transaction<Database>,
  send: Selectable<SendsTable>,
  { at, daySeconds }: { at: Date; daySeconds: number },
): Promise<void> {
  // The thread's subject; a delivery without a known result has not written it.
  await sql`
    update sends set state = 'sent', sent_at = claimed_at,
      subject = coalesce((select subject from send_texts where send_id = ${send.id}), sends.subject)
    where id = ${send.id}`.execute(trx);
  const next = (await loadSequence(trx, send.campaign_id))[send.step + 1];
  await trx
    .updateTable('recipients')
    .set({
      status: next ? 'in_progress' : 'completed',
      step: send.step + 1,
      due_at: next ? new Date(at.getTime() + sendingDaysMs(next.delayDays, daySeconds)) : null,
      hold_reason: null,
      updated_at: at,
    })
    .where('campaign_id', '=', send.campaign_id)
    .where('lead_id', '=', send.lead_id)
    .where('step', '=', send.step)
    .where('status', '=', 'failed')
    .where('hold_reason', '=', 'delivery_uncertain')
    .execute();
  await trx
    .updateTable('leads')
    .set({ status: next ? 'contacted' : 'completed', updated_at: at })
    .where('id', '=', send.lead_id)
    .where('status', 'in', next ? ['pending', 'active'] : ['pending', 'active', 'contacted'])
    .execute();
}

/**
 * Of messages that have just become uncertain: those about which something came in while they were under way, which has
 * ended their sequence. They are marked as sent; answers their ids.
 */
export async function proveReacted(
  trx: Transaction<Database>,
  sendIds: readonly number[],
  at: Date,
): Promise<Set<number>> {
  if (sendIds.length === 0) return new Set();
  const reacted = await trx
    .selectFrom('sends')
    .selectAll()
    .where('id', 'in', [...sendIds])
    .where('state', '=', 'uncertain')
    .where(
      sql<boolean>`coalesce(replied_at, bounced_at, rejected_at, complained_at, unsubscribed_at) is not null`,
    )
    .orderBy('id')
    .execute();
  for (const send of reacted) await proveMessage(trx, send, { at, daySeconds: DAY_SECONDS });
  return new Set(reacted.map(({ id }) => id));
}
