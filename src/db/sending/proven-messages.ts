/** Messages with an unknown outcome to which a reaction has arrived: they were delivered. */
import { sql, type Selectable, type Transaction } from 'kysely';
import { DAY_SECONDS } from '../../domain/day.ts';
import { sendingDaysMs } from '../../domain/sending/sending-time.ts';
import { loadSequence } from '../campaigns/campaign-steps.ts';
import type { SendsTable } from '../campaigns/campaign-tables.ts';
import type { Database } from '../tables.ts';

/**
 * Marks the message as sent; its recipient, who was given up or, with `isUnderWay`, is about to be, continues. The days to the follow-up count from
 * the proof: the time of arrival is unknown, and too early is worse than too late.
 */
export async function proveMessage(
  trx: Transaction<Database>,
  send: Selectable<SendsTable>,
  { at, daySeconds, isUnderWay = false }: { at: Date; daySeconds: number; isUnderWay?: boolean },
): Promise<void> {
  // The thread's subject; a delivery without a known result has not written it.
  await sql`
    update sends set state = 'sent', sent_at = claimed_at,
      subject = coalesce((select subject from send_texts where send_id = ${send.id}), sends.subject)
    where id = ${send.id}`.execute(trx);
  const next = (await loadSequence(trx, send.campaign_id))[send.step + 1];
  await goOn(trx, send, {
    at,
    isUnderWay,
    dueAt: next ? new Date(at.getTime() + sendingDaysMs(next.delayDays, daySeconds)) : null,
  });
  await trx
    .updateTable('leads')
    .set({ status: next ? 'contacted' : 'completed', updated_at: at })
    .where('id', '=', send.lead_id)
    .where('status', 'in', next ? ['pending', 'active'] : ['pending', 'active', 'contacted'])
    .execute();
}

/** Who is away by an automatic answer is not written to before the named day; a paused one stays so. */
async function goOn(
  trx: Transaction<Database>,
  { campaign_id: campaignId, lead_id: leadId, step }: Selectable<SendsTable>,
  { at, isUnderWay, dueAt }: { at: Date; isUnderWay: boolean; dueAt: Date | null },
): Promise<void> {
  const due = (column: 'due_at' | 'paused_due_at') => sql`case when ${dueAt}::timestamptz is null
      or hold_reason is distinct from 'auto_reply' then ${dueAt}
    else greatest(${dueAt}, ${sql.ref(column)}) end`;
  const staysPaused = sql`status = 'paused' and ${dueAt !== null}`;
  await sql`
    update recipients set step = ${step + 1}, updated_at = ${at},
      status = case when ${staysPaused} then status else ${dueAt ? 'in_progress' : 'completed'} end,
      due_at = case when ${staysPaused} then null else ${due('due_at')} end,
      paused_due_at = case when ${staysPaused} then ${due('paused_due_at')} end,
      hold_reason = case when ${dueAt !== null} and hold_reason in ('auto_reply', 'needs_review')
        then hold_reason end
    where campaign_id = ${campaignId} and lead_id = ${leadId} and step = ${step}
      and (status = 'failed' and hold_reason = 'delivery_uncertain'
        or ${isUnderWay} and status in ('queued', 'in_progress', 'paused'))`.execute(trx);
}

/**
 * Of a message: something has come in about it that proves its arrival. A program that fetches its links may be at a
 * gateway that delivers nothing; who reports that it has expired says that nobody has it.
 */
export const hasReacted = sql<boolean>`coalesce(replied_at, auto_replied_at, bounced_at,
  case when expired_at is null then soft_bounced_at end, rejected_at, complained_at, unsubscribed_at,
  opened_at, clicked_at) is not null`;

/** Which of these it is true of. */
export async function listReacted(
  trx: Transaction<Database>,
  sendIds: readonly number[],
): Promise<Set<number>> {
  if (sendIds.length === 0) return new Set();
  const reacted = await trx
    .selectFrom('sends')
    .select('id')
    .where('id', 'in', [...sendIds])
    .where(hasReacted)
    .execute();
  return new Set(reacted.map(({ id }) => id));
}

/**
 * Of messages that have just become uncertain: those about which something came in while they were under way. They are
 * marked as sent, and their recipients, who must not be given up yet, go on; answers their ids.
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
    .where(hasReacted)
    .orderBy('id')
    .execute();
  for (const send of reacted) {
    await proveMessage(trx, send, { at, daySeconds: DAY_SECONDS, isUnderWay: true });
  }
  return new Set(reacted.map(({ id }) => id));
}
