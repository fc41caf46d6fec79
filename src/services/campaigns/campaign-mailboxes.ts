/** The state of a campaign's mailboxes: limits, messages sent, and when they are free. */
import type { Context } from '../../context.ts';
import {
  listCampaignMailboxes,
  outReasonOf,
  type CampaignMailbox,
} from '../../db/campaigns/campaign-leads.ts';
import { slotLimits } from '../../db/sending/mailbox-slots.ts';
import {
  readDomainBlocks,
  readMailboxUsage,
  type MailboxUsage,
} from '../../db/sending/mailbox-usage.ts';
import { takeSlot, type SlotLimits } from '../../domain/sending/mailbox-slots.ts';
import { coldAllowance, type ColdAllowance } from '../../domain/warmup/warmup-hold.ts';

export interface MailboxStanding {
  mailbox: CampaignMailbox;
  /** Cold and warm-up messages of all campaigns within the last day and hour of sending. */
  sentLastDay: number;
  sentLastHour: number;
  limits: SlotLimits;
  /** When its limits allow the next cold message; now or earlier = free. */
  nextFreeAt: Date;
  /** Why warm-up lowers its limits. */
  holdReason: ColdAllowance['holdReason'];
  /** Why it begins no new threads: failing, removed from the campaign, deleted. */
  outReason: string | null;
}

/** Includes removed mailboxes, which continue their threads. Uses the same rules as sending. */
export async function readMailboxStandings(
  { db, config }: Pick<Context, 'db' | 'config'>,
  campaignId: number,
  now: Date,
): Promise<MailboxStanding[]> {
  const mailboxes = await listCampaignMailboxes(db, campaignId);
  if (mailboxes.length === 0) return [];
  const whole = slotLimits(config, NO_LIMITS);
  const ids = mailboxes.map(({ mailbox_id }) => mailbox_id);
  const since = new Date(now.getTime() - whole.dayMs);
  const most = Math.max(whole.daily, ...mailboxes.map(({ daily_limit }) => daily_limit ?? 0));
  const [uses, blocks] = await Promise.all([
    readMailboxUsage(db, ids, { since, most }),
    readDomainBlocks(db, ids, { since, limit: config.SEND_DOMAIN_DAILY_LIMIT }),
  ]);
  return mailboxes.map((mailbox) => {
    const { allowance, holdReason } = allowanceOf(mailbox, config);
    const limits = slotLimits(config, mailbox, allowance);
    const use = uses.get(mailbox.mailbox_id)!;
    const slot = takeSlot('cold', limits, { nextSendAt: mailbox.next_send_at, ...use }, AT(now));
    return {
      mailbox,
      ...countsOf(use, limits, now),
      limits,
      nextFreeAt: laterOf(
        slot.granted ? now : slot.nextAt,
        new Date((blocks.get(mailbox.mailbox_id)?.getTime() ?? 0) + limits.dayMs),
      ),
      holdReason,
      outReason: outReasonOf(mailbox, 'first'),
    };
  });
}

const laterOf = (one: Date, other: Date): Date => (one > other ? one : other);

const NO_LIMITS = { daily_limit: null, hourly_limit: null, min_gap_seconds: null };

/** A fixed jitter: the gap after the message does not matter here. */
const AT = (now: Date) => ({ now, chance: 0.5 });

function allowanceOf(mailbox: CampaignMailbox, config: Context['config']): ColdAllowance {
  const { warmup_status: status, warmup_day, warmup_cold_day } = mailbox;
  const standing =
    status === null ? undefined : { status, day: warmup_day ?? 0, cold_day: warmup_cold_day ?? 0 };
  const dailyLimit = mailbox.daily_limit ?? config.SEND_MAILBOX_DAILY_LIMIT;
  return coldAllowance(standing, config, dailyLimit);
}

function countsOf({ cold, warmup }: MailboxUsage, { hourMs }: SlotLimits, now: Date) {
  const messages = [...cold, ...warmup];
  const anHourAgo = now.getTime() - hourMs;
  return {
    sentLastDay: messages.length,
    sentLastHour: messages.filter((at) => at.getTime() > anHourAgo).length,
  };
}
