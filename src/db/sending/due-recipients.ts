/** The due recipients of a campaign: threads of a mailbox first, then first messages for any mailbox. */
import { sql, type RawBuilder, type Transaction } from 'kysely';
import type { AddressVerdict } from '../../domain/campaigns/address-risk.ts';
import type { MessageRecipient } from '../../domain/sending/message-content.ts';
import { answeredThread } from '../campaigns/subsequence-starts.ts';
import { firstDueOf } from '../campaigns/campaign-waits.ts';
import { hasCompanyReplied } from '../campaigns/company-replies.ts';
import type { LeadStatus } from '../../domain/leads/leads.ts';
import { typedValues } from '../leads/custom-values.ts';
import { isKeptLead } from '../leads/deleted-lists.ts';
import { whereabouts } from '../campaigns/whereabouts.ts';
import type { DueRecipient, ThreadMessage } from '../../domain/sending/due-recipients.ts';
import type { Whereabouts } from '../../domain/country-zones.ts';
import type { Database } from '../tables.ts';

interface Row {
  lead_id: number;
  step: number;
  mailbox_id: number | null;
  due_at: Date;
  tried_at: Date | null;
  email_key: string | null;
  status: LeadStatus;
  is_suppressed: boolean;
  verdict: Omit<AddressVerdict, 'emailKey'>;
  is_gone: boolean;
  is_written: boolean;
  again: number;
  has_company_replied: boolean;
  recipient: MessageRecipient;
  whereabouts: Whereabouts;
  answered: DueRecipient['answered'];
  sent: ThreadMessage[] | null;
}

interface Asked {
  campaignId: number;
  now: Date;
  mailboxes: readonly { mailboxId: number; slots: number }[];
  firsts: number;
  /** Some of the mailboxes have a thread that is due. */
  hasThreads: boolean;
  /** First messages put off since, that are free to go from any mailbox: `most` at most, besides `firsts`. */
  putOff?: { since: Date; most: number } | undefined;
}

/**
 * Locks at most `slots` threads of each mailbox and `firsts` first messages, without those held for review. Each
 * comes from an index in the order of `due_at`: the cost is the same with a million recipients that are due
 * later. The planner does not treat `mailbox_id is null` as a single value: ordering by it as well lets
 * Postgres use the order of the index.
 */
export const dueLocks = (request: Asked): RawBuilder<LockedRow>[] => [
  ...(request.hasThreads ? [lockThreads(request)] : []),
  ...lockPutOff(request),
  ...(request.firsts > 0 ? [lockFirsts(request)] : []),
];

export interface LockedRow {
  lead_id: number;
}

const lockFirsts = ({ campaignId, now, firsts }: Asked): RawBuilder<LockedRow> =>
  sql`/*lock-due-firsts*/
    select lead_id from recipients
    where campaign_id = ${campaignId} and mailbox_id is null and due_at <= ${now}
      and hold_reason is distinct from 'needs_review'
    order by mailbox_id, due_at, lead_id limit ${firsts} for update skip locked`;

/** One that becomes due meanwhile is told by `earliestRows`. */
const lockThreads = ({ campaignId, now, mailboxes }: Asked): RawBuilder<LockedRow> =>
  sql`/*lock-due-threads*/
    select due.lead_id
    from unnest(${mailboxes.map(({ mailboxId }) => mailboxId)}::bigint[],
      ${mailboxes.map(({ slots }) => slots)}::bigint[]) as mailbox (id, slots)
    cross join lateral (
      select lead_id from recipients
      where campaign_id = ${campaignId} and mailbox_id = mailbox.id and due_at <= ${now}
        and hold_reason is distinct from 'needs_review'
      order by due_at, lead_id limit mailbox.slots for update skip locked
    ) due`;

/**
 * They are behind any number of others that are due for longer, so they are found by their messages: `is true` keeps
 * Postgres from reading the index of what is due, all of it.
 */
function lockPutOff({ campaignId, now, putOff }: Asked): RawBuilder<LockedRow>[] {
  if (putOff === undefined || putOff.most <= 0) return [];
  const lock = sql<LockedRow>`
    select lead_id from recipients
    where campaign_id = ${campaignId} and lead_id = any (array(
        select sends.lead_id from campaign_mailboxes as mine
        join sends on sends.mailbox_id = mine.mailbox_id and sends.claimed_at >= ${putOff.since}
          and sends.campaign_id = mine.campaign_id and sends.step = 0 and sends.state = 'deferred'
        where mine.campaign_id = ${campaignId}))
      and mailbox_id is null and (due_at <= ${now}) is true
      and hold_reason is distinct from 'needs_review'
    order by due_at, lead_id limit ${putOff.most} for update skip locked`;
  return [lock];
}

/** Those that were locked, in their order. */
export async function readRecipients(
  trx: Transaction<Database>,
  campaignId: number,
  locked: readonly LockedRow[],
): Promise<DueRecipient[]> {
  const leadIds = new Set(locked.map(({ lead_id }) => lead_id));
  if (leadIds.size === 0) return [];
  const { rows } = await sql<Row>`/*read-due-recipients*/
    select recipients.lead_id, recipients.step, recipients.mailbox_id, recipients.due_at,
      case when recipients.step = 0 then (
        select claimed_at from sends where sends.campaign_id = recipients.campaign_id
          and sends.lead_id = recipients.lead_id and sends.step = 0) end as tried_at,
      leads.email_key, leads.status, json_build_object('score', leads.validation_score,
        'status', leads.validation_status, 'reason', leads.validation_reason) as verdict,
      coalesce(is_suppressed(leads.user_id, leads.email_key), false) as is_suppressed,
      not ${isKeptLead()} as is_gone,
      exists (select from sends as other
        where other.campaign_id = ${campaignId} and other.email_key = leads.email_key
          and other.lead_id <> leads.id and (recipients.step = 0 or other.step >= recipients.step)
          and (other.state <> 'deferred' or (recipients.step = 0 and other.lead_id < leads.id and exists (
            select from recipients as put_off where put_off.campaign_id = ${campaignId}
              and put_off.lead_id = other.lead_id and put_off.due_at is not null)))) as is_written,
      (select count(*)::integer from sends as former where former.former_lead_id = recipients.lead_id
        and former.campaign_id = recipients.campaign_id and former.step = recipients.step
        and former.email_key is not distinct from leads.email_key) as again,
      ${hasCompanyReplied('recipients', 'leads.company_id')} as has_company_replied,
      json_build_object('firstName', leads.first_name, 'lastName', leads.last_name,
        'email', coalesce(leads.email, ''), 'role', leads.role, 'company', companies.name,
        'companyDomain', companies.domain, 'website', companies.website, 'city', companies.city,
        'countryCode', companies.country_code, 'custom', ${typedValues()}) as recipient,
      ${whereabouts} as whereabouts,
      ${answeredThread} as answered, thread.sent
    from unnest(${[...leadIds]}::bigint[]) with ordinality as wanted (lead_id, n)
    join recipients on recipients.campaign_id = ${campaignId}
      and recipients.lead_id = wanted.lead_id
    join leads on leads.id = recipients.lead_id
    left join companies on companies.id = leads.company_id
    left join lateral (
      select json_agg(json_build_object('subject', coalesce(subject, ''),
        'messageId', message_id) order by step) as sent
      from sends
      where recipients.step > 0 and sends.campaign_id = recipients.campaign_id
        and sends.lead_id = recipients.lead_id and sends.step < recipients.step
        and sends.state = 'sent'
    ) thread on true
    order by wanted.n`.execute(trx);
  return rows.map((row) => ({
    leadId: row.lead_id,
    step: row.step,
    mailboxId: row.mailbox_id,
    dueAt: row.due_at,
    triedAt: row.tried_at,
    emailKey: row.email_key,
    leadStatus: row.status,
    isSuppressed: row.is_suppressed,
    verdict: row.verdict,
    isGone: row.is_gone,
    isWritten: row.is_written,
    again: row.again,
    hasCompanyReplied: row.has_company_replied,
    recipient: row.recipient,
    whereabouts: row.whereabouts,
    answered: row.answered,
    sent: row.sent ?? [],
  }));
}

/** When recipients of a campaign are due, as they stood in one moment. */
export interface EarliestDue {
  /** Of those without a mailbox. */
  first: Date | null;
  /** Of each mailbox of the campaign; those without any are absent. */
  byMailbox: Map<number, Date>;
  /** Of those without a mailbox, those held for review included: for `SeenChanges`. */
  seen: string | null;
}

export interface EarliestRow {
  id: number | null;
  due_at: Date | null;
  seen: string | null;
}

/**
 * The earliest recipient of each mailbox, and of none, without `besides`: leads whose messages are on their way. Costs one
 * index lookup each.
 */
export const earliestRows = (
  campaignId: number,
  besides: readonly number[],
): RawBuilder<EarliestRow> => sql`/*earliest-due*/
    select null::bigint as id, (select due_at from recipients
      where campaign_id = ${campaignId} and mailbox_id is null and due_at is not null
        and hold_reason is distinct from 'needs_review'
      order by mailbox_id, due_at limit 1) as due_at, ${firstDueOf(sql`${campaignId}`)} as seen
    union all
    select mine.mailbox_id, due.due_at, null from campaign_mailboxes as mine
    cross join lateral (select due_at from recipients
      where campaign_id = ${campaignId} and mailbox_id = mine.mailbox_id and due_at is not null
        and hold_reason is distinct from 'needs_review'
        and lead_id <> all (${[...besides]}::bigint[])
      order by due_at limit 1) due
    where mine.campaign_id = ${campaignId}`;

export function earliestDueOf(rows: readonly EarliestRow[]): EarliestDue {
  const none = rows.find(({ id }) => id === null)!;
  return {
    first: none.due_at,
    byMailbox: new Map(
      rows.flatMap(({ id, due_at }) => (id === null || due_at === null ? [] : [[id, due_at]])),
    ),
    seen: none.seen,
  };
}
