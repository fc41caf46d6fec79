/** Warm-up messages in delivery, once each: planned, claimed, sending, and their results. */
import { sql, type Kysely, type Transaction } from 'kysely';
import { SENDING_STATUSES } from '../../domain/warmup/warmup.ts';
import { reserveMailboxSlot, type SlotSettings } from '../sending/mailbox-slots.ts';
import type { Database } from '../tables.ts';
import type { WarmupMessage } from './warmup-messages.ts';

/** `until` null: nothing is planned. */
export type WarmupClaim = { message: WarmupMessage } | { message: null; until: Date | null };

/**
 * Claims the next message that is due, when the mailbox has a slot for it. The warm-up's row is
 * locked first: nothing is claimed after a pause or stop has taken effect.
 */
export async function claimMessage(
  trx: Transaction<Database>,
  settings: SlotSettings,
  { mailboxId, claimedBy, now }: { mailboxId: number; claimedBy: string; now: Date },
): Promise<WarmupClaim> {
  const warmup = await trx
    .selectFrom('warmups')
    .select('status')
    .where('mailbox_id', '=', mailboxId)
    .where('status', 'in', [...SENDING_STATUSES])
    .forNoKeyUpdate()
    .executeTakeFirst();
  const next = warmup && (await nextPlanned(trx, mailboxId));
  if (!next) return { message: null, until: null };
  if (next.planned_at > now) return { message: null, until: next.planned_at };
  const slot = await reserveMailboxSlot(trx, settings, { mailboxId, kind: 'warmup', now });
  if (!slot.granted) return { message: null, until: slot.nextAt };
  const message = await trx
    .updateTable('warmup_letters')
    .set({ state: 'claimed', claimed_by: claimedBy, claimed_at: now })
    .where('id', '=', next.id)
    .where('state', '=', 'planned')
    .returningAll()
    .executeTakeFirstOrThrow();
  return { message };
}

/** The next message whose partner still exists; those to deleted mailboxes are cancelled. */
async function nextPlanned(trx: Transaction<Database>, mailboxId: number) {
  await sql`
    update warmup_letters set state = 'cancelled'
    from mailboxes
    where from_mailbox_id = ${mailboxId} and state = 'planned'
      and mailboxes.id = to_mailbox_id and mailboxes.status <> 'active'`.execute(trx);
  return trx
    .selectFrom('warmup_letters')
    .select(['id', 'planned_at'])
    .where('from_mailbox_id', '=', mailboxId)
    .where('state', 'in', ['planned'])
    .orderBy('planned_at')
    .limit(1)
    .executeTakeFirst();
}

/** From now on it may be in delivery. False when the claim was lost, or nothing may be sent. */
export async function markSending(
  db: Kysely<Database>,
  messageId: number,
  claimedBy: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('warmup_letters')
    .set({ state: 'sending' })
    .where('id', '=', messageId)
    .where('claimed_by', '=', claimedBy)
    .where('state', '=', 'claimed')
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('warmups')
          .select('mailbox_id')
          .whereRef('mailbox_id', '=', 'warmup_letters.from_mailbox_id')
          .where('status', 'in', [...SENDING_STATUSES]),
      ),
    )
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export interface WarmupOutcome {
  state: 'sent' | 'refused' | 'uncertain';
  at: Date;
  /** The server's last words. */
  reply: string | null;
}

/** Records the result of a message. One marked uncertain meanwhile gets its real result from its sender. */
export async function finishMessage(
  db: Kysely<Database>,
  messageId: number,
  claimedBy: string,
  { state, at, reply }: WarmupOutcome,
): Promise<void> {
  await db
    .updateTable('warmup_letters')
    .set({ state, smtp_reply: reply, ...(state === 'sent' && { sent_at: at }) })
    .where('id', '=', messageId)
    .where('claimed_by', '=', claimedBy)
    .where('state', 'in', ['claimed', 'sending', 'uncertain'])
    .execute();
}

/** Releases the claim: nothing of it was sent. */
export async function unclaimMessage(
  db: Kysely<Database>,
  messageId: number,
  claimedBy: string,
  plannedAt: Date,
): Promise<void> {
  await db
    .updateTable('warmup_letters')
    .set({ state: 'planned', planned_at: plannedAt, claimed_by: null, claimed_at: null })
    .where('id', '=', messageId)
    .where('claimed_by', '=', claimedBy)
    .where('state', 'in', ['claimed', 'sending'])
    .execute();
}

/** Recovers the messages of an attempt that died: claims are released, messages in delivery stay unknown. */
export async function recoverMessages(
  db: Kysely<Database>,
  mailboxId: number,
  claimedBy: string,
): Promise<void> {
  await sql`
    update warmup_letters set
      state = case state when 'claimed' then 'planned' else 'uncertain' end,
      claimed_at = case state when 'claimed' then null else claimed_at end,
      claimed_by = case state when 'claimed' then null else claimed_by end
    where from_mailbox_id = ${mailboxId} and state in ('claimed', 'sending')
      and claimed_by <> ${claimedBy}`.execute(db);
}

/** A message of a thread with the addresses of both ends. */
export interface ThreadMessage {
  id: number;
  message_id: string;
  from_email: string;
  to_address: string;
  at: Date;
}

/** The thread up to a message, oldest first. */
export async function readThread(
  db: Kysely<Database>,
  messageId: number,
): Promise<ThreadMessage[]> {
  const { rows } = await sql<ThreadMessage>`
    with recursive thread as (
      select *, 1 as depth from warmup_letters where id = ${messageId}
      union all
      select earlier.*, depth + 1
      from warmup_letters as earlier join thread on earlier.id = thread.in_reply_to_id
      where depth < 20
    )
    select thread.id, message_id, mailboxes.email as from_email, to_address,
      coalesce(sent_at, claimed_at, planned_at) as at
    from thread join mailboxes on mailboxes.id = thread.from_mailbox_id
    order by depth desc`.execute(db);
  return rows;
}
