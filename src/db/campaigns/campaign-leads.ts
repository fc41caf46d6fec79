/** Reading the leads of a campaign with everything that decides when messages to them are due. Choice 9. */
import { sql, type Kysely, type Selectable } from 'kysely';
import type { RecipientStatus } from '../../domain/campaigns/campaigns.ts';
import type { Whereabouts } from '../../domain/country-zones.ts';
import type { WarmupStatus } from '../../domain/warmup/warmup.ts';
import { REMOVED } from './campaign-settings.ts';
import type { RecipientsTable, SendsTable } from './campaign-tables.ts';
import { isKeptLead } from '../leads/deleted-lists.ts';
import { whereabouts } from './whereabouts.ts';
import { MAX_COUNTED } from '../pages.ts';
import type { Database } from '../tables.ts';

export type CampaignLead = Selectable<RecipientsTable> & {
  first_name: string;
  last_name: string;
  email: string | null;
  company_name: string | null;
  whereabouts: Whereabouts;
  is_suppressed: boolean;
  sending: boolean;
  /** Of a first message that any mailbox may send: when it was tried before. */
  tried_at: Date | null;
};

/** In the order of their leads; `after` continues behind one, `offset` skips. */
export async function listCampaignLeads(
  db: Kysely<Database>,
  campaignId: number,
  page: {
    statuses?: readonly RecipientStatus[] | undefined;
    limit: number;
    after?: number | undefined;
    offset?: number | undefined;
  },
): Promise<CampaignLead[]> {
  let chosen = db
    .selectFrom('recipients')
    .selectAll()
    .where('campaign_id', '=', campaignId)
    .where(isOfKeptLead)
    .orderBy('lead_id')
    .limit(page.limit);
  if (page.statuses !== undefined) chosen = chosen.where(isOneOf(page.statuses));
  if (page.after !== undefined) chosen = chosen.where('lead_id', '>', page.after);
  if (page.offset) chosen = chosen.offset(page.offset);
  return withLead(db, chosen).execute();
}

export const findCampaignLead = (
  db: Kysely<Database>,
  campaignId: number,
  leadId: number,
): Promise<CampaignLead | undefined> =>
  withLead(
    db,
    db
      .selectFrom('recipients')
      .selectAll()
      .where('campaign_id', '=', campaignId)
      .where('lead_id', '=', leadId)
      .where(isOfKeptLead),
  ).executeTakeFirst();

/** The rows of the page are chosen first: the rest is looked up for these alone. */
const withLead = (db: Kysely<Database>, chosen: ReturnType<typeof chosenRows>) =>
  db
    .selectFrom(chosen.as('recipients'))
    .innerJoin('leads', 'leads.id', 'recipients.lead_id')
    .leftJoin('companies', 'companies.id', 'leads.company_id')
    .selectAll('recipients')
    .select([
      'leads.first_name',
      'leads.last_name',
      'leads.email',
      'companies.name as company_name',
      whereabouts.as('whereabouts'),
      sql<boolean>`leads.status in ('suppressed', 'unsubscribed', 'bounced')
        or coalesce(is_suppressed(leads.user_id, leads.email_key), false)`.as('is_suppressed'),
      sql<boolean>`exists (select from sends where sends.campaign_id = recipients.campaign_id
        and sends.lead_id = recipients.lead_id and sends.step = recipients.step
        and sends.state in ('claimed', 'sending'))`.as('sending'),
      sql<Date | null>`case when recipients.step = 0 and recipients.mailbox_id is null then (
        select claimed_at from sends where sends.campaign_id = recipients.campaign_id
          and sends.lead_id = recipients.lead_id and sends.step = 0) end`.as('tried_at'),
    ])
    .orderBy('recipients.lead_id');

/** Where the account is deleting no list, the leads need not be joined. */
const isOfKeptLead = sql<boolean>`(not exists (select from lead_lists
    where lead_lists.user_id = recipients.user_id and deleted_at is not null)
  or exists (select from leads where leads.id = recipients.lead_id and ${isKeptLead()}))`;

const chosenRows = (db: Kysely<Database>) => db.selectFrom('recipients').selectAll();

/** Matches no row when the list is empty. */
const isOneOf = (statuses: readonly RecipientStatus[]) =>
  sql<boolean>`status = any (${[...statuses]}::text[])`;

/** Exact for a whole campaign; for some statuses up to `MAX_COUNTED`, which then means that many or more. */
export async function countCampaignLeads(
  db: Kysely<Database>,
  campaignId: number,
  statuses: readonly RecipientStatus[] | undefined,
): Promise<number> {
  if (statuses === undefined) {
    const size = await db
      .selectFrom('campaign_sizes')
      .select('leads')
      .where('campaign_id', '=', campaignId)
      .executeTakeFirst();
    return size?.leads ?? 0;
  }
  const bounded = db
    .selectFrom('recipients')
    .select('lead_id')
    .where('campaign_id', '=', campaignId)
    .where(isOneOf(statuses))
    .where(isOfKeptLead)
    .limit(MAX_COUNTED);
  const { total } = await db
    .selectFrom(bounded.as('bounded'))
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

/** With its thread in the inbox, which exists once there was an answer. */
export type SendOfLead = Selectable<SendsTable> & { thread_id: number | null };

/** All messages of a campaign to a lead, in their order. */
export const listSendsOfLead = (
  db: Kysely<Database>,
  campaignId: number,
  leadId: number,
): Promise<SendOfLead[]> =>
  db
    .selectFrom('sends')
    .selectAll()
    .select(
      sql<number | null>`(select thread_id from messages
        where send_id = sends.id and direction = 'outbound' order by id limit 1)`.as('thread_id'),
    )
    .where('campaign_id', '=', campaignId)
    .where('lead_id', '=', leadId)
    .orderBy('step')
    .execute();

/** A mailbox as a campaign uses it. */
export interface CampaignMailbox {
  mailbox_id: number;
  email: string;
  is_active: boolean;
  out_reason: string | null;
  /** Its own, or what keeps its server from sending. */
  failing_reason: string | null;
  failing_since: Date | null;
  next_send_at: Date | null;
  daily_limit: number | null;
  hourly_limit: number | null;
  min_gap_seconds: number | null;
  warmup_status: WarmupStatus | null;
  warmup_day: number | null;
  warmup_cold_day: number | null;
  warmup_weekdays_only: boolean | null;
}

/** Includes mailboxes that were taken off: their threads continue. */
export async function listCampaignMailboxes(
  db: Kysely<Database>,
  campaignId: number,
): Promise<CampaignMailbox[]> {
  return db
    .selectFrom('campaign_mailboxes')
    .innerJoin('mailboxes', 'mailboxes.id', 'campaign_mailboxes.mailbox_id')
    .innerJoin('mailbox_hosts as host', 'host.mailbox_id', 'mailboxes.id')
    .leftJoin('warmups', 'warmups.mailbox_id', 'mailboxes.id')
    .select([
      'campaign_mailboxes.mailbox_id',
      'mailboxes.email',
      sql<boolean>`mailboxes.status = 'active'`.as('is_active'),
      'campaign_mailboxes.out_reason',
      ({ fn }) => fn.coalesce('mailboxes.failing_reason', 'host.sending_hold').as('failing_reason'),
      ({ fn }) =>
        fn.coalesce('mailboxes.failing_since', 'host.sending_held_since').as('failing_since'),
      'mailboxes.next_send_at',
      'mailboxes.daily_limit',
      'mailboxes.hourly_limit',
      'mailboxes.min_gap_seconds',
      'warmups.status as warmup_status',
      'warmups.day as warmup_day',
      'warmups.cold_day as warmup_cold_day',
      'warmups.weekdays_only as warmup_weekdays_only',
    ])
    .where('campaign_mailboxes.campaign_id', '=', campaignId)
    .orderBy('campaign_mailboxes.mailbox_id')
    .execute();
}

/** What keeps a mailbox from sending; `follow-up`: threads continue from a mailbox that was taken off. */
export function outReasonOf(
  mailbox: CampaignMailbox,
  message: 'first' | 'follow-up',
): string | null {
  if (!mailbox.is_active) return 'deleted';
  if (mailbox.failing_reason !== null) return mailbox.failing_reason;
  return message === 'first' ? mailbox.out_reason : null;
}

export const isRemoved = ({ out_reason }: CampaignMailbox): boolean => out_reason === REMOVED;

/**
 * The earliest time at which a recipient is due; null = none. New leads not before `newLeadsFrom`; null: no
 * new leads. Uses the index of sending.
 */
export async function firstDueAt(
  db: Kysely<Database>,
  campaignId: number,
  newLeadsFrom: Date | null,
): Promise<Date | null> {
  const { rows } = await sql<{ due_at: Date | null }>`
    select min(due_at) as due_at from (
      select (select due_at from recipients where campaign_id = ${campaignId}
        and due_at is not null and mailbox_id = mailboxes.mailbox_id
        and hold_reason is distinct from 'needs_review'
        order by due_at limit 1) as due_at
      from campaign_mailboxes as mailboxes where campaign_id = ${campaignId}
      union all
      (select case when ${newLeadsFrom}::timestamptz is not null
          then greatest(due_at, ${newLeadsFrom}) end from recipients
        where campaign_id = ${campaignId} and due_at is not null and mailbox_id is null
        order by due_at limit 1)) as firsts`.execute(db);
  return rows[0]?.due_at ?? null;
}
