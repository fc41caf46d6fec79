/** The leads of a campaign, and why each is or is not written to. Choice 9. */
import type { Context } from '../../context.ts';
import {
  countCampaignLeads,
  findCampaignLead,
  listCampaignLeads as listCampaignLeadRows,
  listSendsOfLead,
  outReasonOf,
  type CampaignLead,
  type SendOfLead,
} from '../../db/campaigns/campaign-leads.ts';
import { campaignWindowOf, type Campaign } from '../../db/campaigns/campaigns.ts';
import { findUnenrolledLead } from '../../db/campaigns/unenrolled-leads.ts';
import type { RecipientStatus } from '../../domain/campaigns/campaigns.ts';
import { notFound } from '../../domain/errors.ts';
import {
  outlookOf,
  outsiderOutlook,
  type Outlook,
  type OutlookMailbox,
} from '../../domain/campaigns/recipient-outlook.ts';
import { windowFor } from '../../domain/sending/recipient-window.ts';
import { readMailboxStandings, type MailboxStanding } from './campaign-mailboxes.ts';
import { getUserCampaign } from './campaigns.ts';
import { readNewLeadsAhead, type NewLeadsAhead } from './new-leads.ts';

/** A lead of a campaign, with when it is written to, or why not. */
export interface CampaignLeadView {
  lead: Pick<
    CampaignLead,
    | 'lead_id'
    | 'first_name'
    | 'last_name'
    | 'email'
    | 'company_name'
    | 'status'
    | 'step'
    | 'mailbox_id'
    | 'updated_at'
  > & { added_at: Date | null };
  outlook: Outlook;
}

type Needs = Pick<Context, 'db' | 'clock' | 'config'>;

export interface CampaignLeadPage {
  status?: RecipientStatus | undefined;
  limit: number;
  /** Start after the lead with this id; no total is counted. */
  after?: number | undefined;
  offset?: number | undefined;
}

/** Reads one row more than the page to know whether another page follows; `total` only without `after`. */
export async function listCampaignLeads(
  context: Needs,
  { userId, id }: { userId: string; id: number },
  page: CampaignLeadPage,
): Promise<{ rows: CampaignLeadView[]; hasNext: boolean; total: number | undefined }> {
  const campaign = await getUserCampaign(context, userId, id);
  const now = context.clock.now();
  const statuses = storedStatuses(page.status, campaign);
  const [found, mailboxes, total] = await Promise.all([
    listCampaignLeadRows(context.db, id, { ...page, statuses, limit: page.limit + 1 }),
    readMailboxStandings(context, id, now),
    page.after === undefined ? countCampaignLeads(context.db, id, statuses) : undefined,
  ]);
  const newLeads = await readNewLeadsAhead(context, campaign, { mailboxes, now });
  const facts = { campaign, mailboxes, newLeads, now };
  const rows = found.slice(0, page.limit).map((lead) => viewOf(lead, facts));
  return { rows, hasNext: found.length > page.limit, total };
}

/** Answers "why was this lead not mailed?": the lead's state, its outlook, and its messages. */
export async function getCampaignLead(
  context: Needs,
  { userId, id }: { userId: string; id: number },
  leadId: number,
): Promise<CampaignLeadView & { sends: SendOfLead[] }> {
  const campaign = await getUserCampaign(context, userId, id);
  const lead = await findCampaignLead(context.db, id, leadId);
  if (!lead) return { ...(await outsider(context, campaign, leadId)), sends: [] };
  const now = context.clock.now();
  const [mailboxes, sends] = await Promise.all([
    readMailboxStandings(context, id, now),
    listSendsOfLead(context.db, id, leadId),
  ]);
  const newLeads = await readNewLeadsAhead(context, campaign, { mailboxes, now });
  return { ...viewOf(lead, { campaign, mailboxes, newLeads, now }), sends };
}

/**
 * A skipped lead has no row: its reason is computed when it is requested. A lead without a reason that
 * is in no list of the campaign is none of its leads.
 */
async function outsider(
  { db }: Pick<Context, 'db'>,
  campaign: Campaign,
  leadId: number,
): Promise<CampaignLeadView> {
  const lead = await findUnenrolledLead(db, { campaign, leadId });
  if (!lead || (lead.reason === null && !lead.is_listed)) throw notFound('lead');
  const outlook = outsiderOutlook(campaign.status, lead.reason, lead.is_listed);
  const none = { status: 'skipped' as const, step: 0, mailbox_id: null, added_at: null };
  return { lead: { ...lead, ...none }, outlook };
}

const OPEN: readonly RecipientStatus[] = ['queued', 'in_progress'];

/**
 * Choice 9: leads of a paused campaign that are still to be written to show as paused; the row keeps its
 * state.
 */
const shown = (lead: CampaignLead, campaign: Campaign): CampaignLead =>
  campaign.status === 'paused' && OPEN.includes(lead.status) ? { ...lead, status: 'paused' } : lead;

/** The stored states that are shown as this one. */
function storedStatuses(
  status: RecipientStatus | undefined,
  campaign: Campaign,
): readonly RecipientStatus[] | undefined {
  if (status === undefined) return undefined;
  if (campaign.status !== 'paused') return [status];
  if (status === 'paused') return [...OPEN, 'paused'];
  return OPEN.includes(status) ? [] : [status];
}

interface OutlookOf {
  campaign: Campaign;
  mailboxes: readonly MailboxStanding[];
  /** Undefined: any number. */
  newLeads: NewLeadsAhead | undefined;
  now: Date;
}

/** The row as clients see it. */
export const viewOf = (lead: CampaignLead, facts: OutlookOf): CampaignLeadView => ({
  lead: shown(lead, facts.campaign),
  outlook: outlook(lead, facts),
});

function outlook(lead: CampaignLead, facts: OutlookOf): Outlook {
  const { campaign, now } = facts;
  return outlookOf({
    campaign: {
      status: campaign.status,
      pauseReason: campaign.pause_reason,
      window: windowFor(campaignWindowOf(campaign), lead.whereabouts, now),
    },
    recipient: {
      status: lead.status,
      step: lead.step,
      isThread: lead.mailbox_id !== null,
      dueAt: lead.due_at,
      holdReason: lead.hold_reason,
      isSending: lead.sending,
    },
    lead: { hasEmail: lead.email !== null, isSuppressed: lead.is_suppressed },
    newLeadsFrom: newLeadsFor(lead, facts.newLeads),
    mailboxes: mailboxesFor(lead, facts.mailboxes),
    now,
  });
}

/** One that was put off today for any mailbox has its place, unless there is to be none. */
function newLeadsFor(
  { tried_at: triedAt }: CampaignLead,
  ahead: NewLeadsAhead | undefined,
): Date | null | undefined {
  const isPlaced = ahead?.from && triedAt !== null && triedAt >= ahead.placedSince;
  return isPlaced ? undefined : ahead?.from;
}

/** A thread stays on its mailbox, and so does a postponed message; others go from any mailbox. */
function mailboxesFor(lead: CampaignLead, mailboxes: readonly MailboxStanding[]): OutlookMailbox[] {
  const isThread = lead.mailbox_id !== null;
  return mailboxes
    .filter(({ mailbox }) => !isThread || mailbox.mailbox_id === lead.mailbox_id)
    .map(({ mailbox, nextFreeAt, holdReason }) => ({
      nextFreeAt,
      holdReason,
      outReason: outReasonOf(mailbox, isThread ? 'follow-up' : 'first'),
    }));
}
