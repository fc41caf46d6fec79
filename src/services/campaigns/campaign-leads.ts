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
import { windowOf, type Campaign } from '../../db/campaigns/campaigns.ts';
import { findUnenrolledLead } from '../../db/campaigns/unenrolled-leads.ts';
import type { RecipientStatus } from '../../domain/campaigns/campaigns.ts';
import { notFound } from '../../domain/errors.ts';
import {
  outlookOf,
  outsiderOutlook,
  type Outlook,
  type OutlookMailbox,
} from '../../domain/campaigns/recipient-outlook.ts';
import { readMailboxStandings, type MailboxStanding } from './campaign-mailboxes.ts';
import { getUserCampaign } from './campaigns.ts';
import { readNewLeadsFrom } from './new-leads.ts';

/** A lead of a campaign with the answer to when and why not. */
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
  /** Behind the lead with this id; counts nothing. */
  after?: number | undefined;
  offset?: number | undefined;
}

/** One row more than the page says whether there is another; `total` only without `after`. */
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
  const newLeadsFrom = await readNewLeadsFrom(context, campaign, { mailboxes, now });
  const facts = { campaign, mailboxes, newLeadsFrom, now };
  const rows = found.slice(0, page.limit).map((lead) => viewOf(lead, facts));
  return { rows, hasNext: found.length > page.limit, total };
}

/** The one answer to "why was this lead not mailed?": its state, its future, and its messages. */
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
  const newLeadsFrom = await readNewLeadsFrom(context, campaign, { mailboxes, now });
  return { ...viewOf(lead, { campaign, mailboxes, newLeadsFrom, now }), sends };
}

/**
 * Who was skipped has no row: what keeps the lead out is read when it is asked for, and is true then.
 * One that nothing keeps out, and that stands in no list of the campaign, is none of its leads.
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

/** Choice 9: whoever is to be written to is paused with the campaign; the row keeps where it stood. */
const shown = (lead: CampaignLead, campaign: Campaign): CampaignLead =>
  campaign.status === 'paused' && OPEN.includes(lead.status) ? { ...lead, status: 'paused' } : lead;

/** The states of rows that are shown as this one. */
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
  newLeadsFrom: Date | null | undefined;
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
      window: windowOf(campaign),
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
    newLeadsFrom: facts.newLeadsFrom,
    mailboxes: mailboxesFor(lead, facts.mailboxes),
    now,
  });
}

/** A thread stays on its mailbox, and so does a message that was postponed; others go from any. */
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
