/** How much a mailbox may send: its own limits, or the configured ones. Choice 58. */
import type { Context } from '../../context.ts';
import { noteChange } from '../../db/accounts/audit-log.ts';
import { commitOnce } from '../../db/accounts/request-effects.ts';
import { AUDITED_FIELDS, difference } from '../../domain/accounts/audited-values.ts';
import {
  findMailboxLimits,
  updateMailboxLimits,
  type OwnLimits,
} from '../../db/mailboxes/mailbox-limits.ts';
import { notFound } from '../../domain/errors.ts';
import { wakeCampaignsOf } from '../campaigns/campaign-wakes.ts';

type Needs = Pick<Context, 'db' | 'config'>;

interface Subject {
  userId: string;
  mailboxId: number;
}

export interface MailboxLimits {
  /** Cold messages a day. */
  dailyLimit: number;
  hourlyLimit: number;
  minGapSeconds: number;
}

export async function getMailboxLimits(
  { db, config }: Needs,
  { userId, mailboxId }: Subject,
): Promise<MailboxLimits> {
  return effective(config, await findMailboxLimits(db, userId, mailboxId));
}

/** `null` resets to the default, undefined stays. Campaigns that wait for the mailbox check again. */
export async function changeMailboxLimits(
  context: Needs & Pick<Context, 'clock' | 'temporal'>,
  { userId, mailboxId }: Subject,
  wanted: { [K in keyof MailboxLimits]?: number | null | undefined },
): Promise<MailboxLimits> {
  const own = await commitOnce(context.db, async (trx) => {
    const before = await findMailboxLimits(trx, userId, mailboxId);
    const after = await updateMailboxLimits(trx, { userId, mailboxId }, wanted);
    if (!before || !after) throw notFound('mailbox');
    noteChange(difference(AUDITED_FIELDS.mailboxLimits, before, after));
    return after;
  });
  const limits = effective(context.config, own);
  await wakeCampaignsOf(context, [mailboxId]);
  return limits;
}

function effective(config: Needs['config'], own: OwnLimits | undefined): MailboxLimits {
  if (!own) throw notFound('mailbox');
  return {
    dailyLimit: own.daily_limit ?? config.SEND_MAILBOX_DAILY_LIMIT,
    hourlyLimit: own.hourly_limit ?? config.SEND_MAILBOX_HOURLY_LIMIT,
    minGapSeconds: own.min_gap_seconds ?? config.SEND_MIN_GAP_SECONDS,
  };
}
