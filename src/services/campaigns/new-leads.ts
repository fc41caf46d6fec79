/** A campaign's quota of new leads today, as clients see it. Choice 66. */
import type { Context } from '../../context.ts';
import type { Campaign } from '../../db/campaigns/campaigns.ts';
import { readNewLeadQuota } from '../../db/campaigns/new-leads.ts';
import { type NewLeadQuota, capacityOf } from '../../domain/campaigns/new-leads.ts';
import { perDayOf } from '../../domain/sending/mailbox-slots.ts';
import type { MailboxStanding } from './campaign-mailboxes.ts';

/** By the same rules as sending: counts the mailboxes that begin threads. */
export const readNewLeads = (
  { db, config }: Pick<Context, 'db' | 'config'>,
  campaign: Campaign,
  { mailboxes, now }: { mailboxes: readonly MailboxStanding[]; now: Date },
): Promise<NewLeadQuota> => {
  const usable = mailboxes
    .filter(({ outReason }) => outReason === null)
    .map(({ mailbox, limits }) => ({ email: mailbox.email, perDay: perDayOf(limits) }));
  const capacity = capacityOf(usable, config.SEND_DOMAIN_DAILY_LIMIT);
  return readNewLeadQuota(db, { campaign, capacity, now, daySeconds: config.DAY_SECONDS });
};

/** When new leads are written to again; null: never with these settings, undefined: now. */
export function newLeadsFrom(
  { new_lead_share: share }: Campaign,
  { limit, today, nextDayAt }: NewLeadQuota,
): Date | null | undefined {
  if (share === 0) return null;
  // With a limit of 0 it is the mailboxes that may send nothing at all, not the quota.
  return limit > 0 && today >= limit ? nextDayAt : undefined;
}

/** What the outlook of a lead needs of it. */
export interface NewLeadsAhead {
  from: Date | null | undefined;
  /** Who was tried since then has a place of today. */
  placedSince: Date;
}

/** Reads nothing where the campaign has no limit. */
export const readNewLeadsAhead = async (
  context: Pick<Context, 'db' | 'config'>,
  campaign: Campaign,
  about: { mailboxes: readonly MailboxStanding[]; now: Date },
): Promise<NewLeadsAhead | undefined> => {
  if (campaign.max_new_leads_per_day === null && campaign.new_lead_share === null) return undefined;
  const quota = await readNewLeads(context, campaign, about);
  return { from: newLeadsFrom(campaign, quota), placedSince: quota.dayFrom };
};
