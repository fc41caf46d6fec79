/** One message at a time from a mailbox, for all senders: campaigns, replies to leads and warm-up. */
import { sql, type Transaction } from 'kysely';
import { DAY_SECONDS } from '../../domain/day.ts';
import { takeSlot, type Slot, type SlotLimits } from '../../domain/sending/mailbox-slots.ts';
import { sendingMs } from '../../domain/sending/sending-time.ts';
import type { Database } from '../tables.ts';
import { coldMessages } from './cold-messages.ts';

/** The settings that limit a mailbox; a part of `Config`. */
export interface SlotSettings {
  SEND_MAILBOX_DAILY_LIMIT: number;
  SEND_MAILBOX_DAILY_MAX: number;
  SEND_MAILBOX_HOURLY_LIMIT: number;
  SEND_MIN_GAP_SECONDS: number;
  SEND_GAP_JITTER: number;
  DAY_SECONDS: number;
}

export interface SlotRequest {
  mailboxId: number;
  kind: 'cold' | 'warmup';
  now: Date;
  /** Cold messages a day that warm-up allows (`coldAllowance`); the mailbox's limit still holds. */
  coldAllowance?: number | undefined;
  /** It has to go within minutes: the limits of a day hold, gap and hour only keep later messages waiting. */
  isUrgent?: boolean | undefined;
  /** In [0, 1): the position of the next gap within its jitter; a simulation passes its own. */
  chance?: number;
}

export type ReservedSlot = Slot | { granted: false; nextAt: null; limit: 'gone' };

/**
 * Locks the mailbox's row until the transaction ends, and either grants a message now (its next free
 * moment is written to `next_send_at`) or says when to ask again. When granted, the same
 * transaction MUST write the row of that message with `claimed_at = now` (a row of `sends`,
 * `placement_messages` or `warmup_letters`): limits are counted from these. A claim that is taken back
 * stops counting with its row (`claimed_at` null, or deleted). `gone`: the mailbox is not active any more.
 * Lock order: the row of the campaign or warm-up first, then the mailbox, then messages.
 * docs/sending-rules.md#one-message-at-a-time.
 */
export async function reserveMailboxSlot(
  trx: Transaction<Database>,
  settings: SlotSettings,
  request: SlotRequest,
): Promise<ReservedSlot> {
  const { mailboxId, kind, now, isUrgent = false, chance = Math.random() } = request;
  const mailbox = await trx
    .selectFrom('mailboxes')
    .select(['status', 'daily_limit', 'hourly_limit', 'min_gap_seconds', 'next_send_at'])
    .where('id', '=', mailboxId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (mailbox?.status !== 'active') return { granted: false, nextAt: null, limit: 'gone' };
  const own = slotLimits(settings, mailbox, request.coldAllowance);
  const limits = isUrgent ? { ...own, hourly: own.daily } : own;
  const nextSendAt = isUrgent ? null : mailbox.next_send_at;
  // Most refusals come from the gap: they need no counting.
  if (nextSendAt && nextSendAt > now) return { granted: false, nextAt: nextSendAt, limit: 'gap' };
  const recent = await recentMessages(trx, mailboxId, limits, now);
  const slot = takeSlot(kind, limits, { nextSendAt, ...recent }, { now, chance });
  if (slot.granted) {
    await trx
      .updateTable('mailboxes')
      .set({ next_send_at: sql`greatest(next_send_at, ${slot.nextSendAt}::timestamptz)` })
      .where('id', '=', mailboxId)
      .execute();
  }
  return slot;
}

/** The limits of one mailbox: its own where set, otherwise the configured ones. Choice 58. */
export function slotLimits(
  settings: SlotSettings,
  own: {
    daily_limit: number | null;
    hourly_limit: number | null;
    min_gap_seconds: number | null;
  },
  allowance = Infinity,
): SlotLimits {
  const scaled = (seconds: number) => sendingMs(seconds, settings.DAY_SECONDS);
  const dailyCold = own.daily_limit ?? settings.SEND_MAILBOX_DAILY_LIMIT;
  return {
    gapMs: scaled(own.min_gap_seconds ?? settings.SEND_MIN_GAP_SECONDS),
    gapJitter: settings.SEND_GAP_JITTER,
    hourMs: scaled(3_600),
    dayMs: scaled(DAY_SECONDS),
    hourly: own.hourly_limit ?? settings.SEND_MAILBOX_HOURLY_LIMIT,
    daily: settings.SEND_MAILBOX_DAILY_MAX,
    dailyCold: Math.min(dailyCold, allowance),
  };
}

/** Claim times within a day, newest first; at most as many as the day's limit. */
async function recentMessages(
  trx: Transaction<Database>,
  mailboxId: number,
  limits: SlotLimits,
  now: Date,
): Promise<{ cold: Date[]; warmup: Date[] }> {
  const since = new Date(now.getTime() - limits.dayMs);
  const most = Math.max(limits.daily, limits.hourly);
  const { rows } = await sql<{ kind: 'cold' | 'warmup'; claimed_at: Date }>`
    (select 'cold' as kind, claimed_at from ${coldMessages}
      where mailbox_id = ${mailboxId} and claimed_at > ${since}
      order by claimed_at desc limit ${most})
    union all
    (select 'warmup', claimed_at from warmup_letters
      where from_mailbox_id = ${mailboxId} and claimed_at > ${since}
      order by claimed_at desc limit ${most})`.execute(trx);
  const of = (kind: string) =>
    rows.filter((row) => row.kind === kind).map(({ claimed_at }) => claimed_at);
  return { cold: of('cold'), warmup: of('warmup') };
}
