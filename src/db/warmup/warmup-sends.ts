/** Warm-up letters on their way out, once each: planned, claimed, sending, and what became of them. */
import { sql, type Kysely, type Transaction } from 'kysely';
import { SENDING_STATUSES } from '../../domain/warmup/warmup.ts';
import { reserveMailboxSlot, type SlotSettings } from '../sending/mailbox-slots.ts';
import type { Database } from '../tables.ts';
import type { WarmupLetter } from './warmup-letters.ts';

/** `until` null: nothing is planned. */
export type WarmupClaim = { letter: WarmupLetter } | { letter: null; until: Date | null };

/**
 * Claims the next letter that is due, when the mailbox has a slot for it. The warm-up's row is
 * locked first: nothing is claimed after a pause or stop has taken effect.
 */
export async function claimLetter(
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
  if (!next) return { letter: null, until: null };
  if (next.planned_at > now) return { letter: null, until: next.planned_at };
  const slot = await reserveMailboxSlot(trx, settings, { mailboxId, kind: 'warmup', now });
  if (!slot.granted) return { letter: null, until: slot.nextAt };
  const letter = await trx
    .updateTable('warmup_letters')
    .set({ state: 'claimed', claimed_by: claimedBy, claimed_at: now })
    .where('id', '=', next.id)
    .where('state', '=', 'planned')
    .returningAll()
    .executeTakeFirstOrThrow();
  return { letter };
}

/** The next letter whose partner is still there; those to mailboxes that are gone are cancelled. */
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

/** From now on it may be on the wire. False when the claim is not ours any more, or nothing may go out. */
export async function markSending(
  db: Kysely<Database>,
  letterId: number,
  claimedBy: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('warmup_letters')
    .set({ state: 'sending' })
    .where('id', '=', letterId)
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

/** Ends a letter. One that was taken for uncertain meanwhile is not, now that its sender knows. */
export async function finishLetter(
  db: Kysely<Database>,
  letterId: number,
  claimedBy: string,
  { state, at, reply }: WarmupOutcome,
): Promise<void> {
  await db
    .updateTable('warmup_letters')
    .set({ state, smtp_reply: reply, ...(state === 'sent' && { sent_at: at }) })
    .where('id', '=', letterId)
    .where('claimed_by', '=', claimedBy)
    .where('state', 'in', ['claimed', 'sending', 'uncertain'])
    .execute();
}

/** Back among the planned ones: nothing of it was sent. */
export async function unclaimLetter(
  db: Kysely<Database>,
  letterId: number,
  claimedBy: string,
  plannedAt: Date,
): Promise<void> {
  await db
    .updateTable('warmup_letters')
    .set({ state: 'planned', planned_at: plannedAt, claimed_by: null, claimed_at: null })
    .where('id', '=', letterId)
    .where('claimed_by', '=', claimedBy)
    .where('state', 'in', ['claimed', 'sending'])
    .execute();
}

/** What an attempt that died has left: claims go back, what may be on the wire stays unknown. */
export async function recoverLetters(
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

/** A letter of a thread with the addresses of both ends. */
export interface ThreadLetter {
  id: number;
  message_id: string;
  from_email: string;
  to_address: string;
  at: Date;
}

/** The thread up to a letter, oldest first. */
export async function readThread(db: Kysely<Database>, letterId: number): Promise<ThreadLetter[]> {
  const { rows } = await sql<ThreadLetter>`
    with recursive thread as (
      select *, 1 as depth from warmup_letters where id = ${letterId}
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
