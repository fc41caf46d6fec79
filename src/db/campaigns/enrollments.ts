/** Puts leads into campaigns, thousands in a statement. Choices 9, 17. */
import { sql, type Transaction } from 'kysely';
import { ADDRESS_SKIPS } from '../../domain/campaigns/address-risk.ts';
import { hasCompanyReplied } from './company-replies.ts';
import { isContacted } from './contacted-addresses.ts';
import { isKeptLead } from '../leads/deleted-lists.ts';
import { isTwin } from './recipient-drops.ts';
import { returning } from './returning-recipients.ts';
import { bringBack, mayComeBack } from './stopped-recipients.ts';
import type { Database } from '../tables.ts';
import { listWantedLeads } from './wanted-leads.ts';

/** Why a lead was not added; the first reason that applies. */
export const SKIP_REASONS = [
  'not_found',
  'already_in_campaign',
  'removed',
  'erased',
  ...ADDRESS_SKIPS,
  'in_other_campaign',
  'company_replied',
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

export interface Enrollment {
  campaignId: number;
  userId: string;
  /** Either of them, or both. */
  leadIds?: readonly number[] | undefined;
  leadListIds?: readonly number[] | undefined;
  /** Those of `leadIds` that a client has named: one that was removed or left out resumes where it was. */
  namedIds?: readonly number[] | undefined;
  /** Exclude people who have messages to come from another campaign. */
  skipIfInOtherCampaign?: boolean | undefined;
  /** Exclude people whom the account has written to before, by any campaign. */
  onlyNeverContacted?: boolean | undefined;
  /** Due from now on. */
  now: Date;
}

export interface Enrolled {
  added: number;
  skipped: number;
  skippedReasons: Partial<Record<SkipReason, number>>;
  /** Of `duplicate_address`, the first ones: the lead, and the lead of the campaign that has its address. */
  duplicates: Duplicate[];
}

export interface Duplicate {
  leadId: number;
  recipientLeadId: number;
}

export const NOBODY: Enrolled = { added: 0, skipped: 0, skippedReasons: {}, duplicates: [] };

/** At most this many are listed individually. */
export const MAX_DUPLICATES = 100;

/**
 * Leads per statement. A statement holds the campaign and the leads for a second on a busy machine; with a
 * whole list in one, a hundred thousand leads exceeded the statement timeout.
 */
export const ENROLLED_AT_ONCE = 5_000;

/**
 * Adds the account's leads that may be written to; a repeat adds nobody twice. The caller holds the
 * campaign's lock, so that a sending session sees all of them or none. Leads of other accounts count as
 * missing.
 */
export async function enrollLeads(
  trx: Transaction<Database>,
  enrollment: Enrollment,
): Promise<Enrolled> {
  const wanted = await listWantedLeads(trx, enrollment);
  let result = NOBODY;
  for (let from = 0; from < wanted.length; from += ENROLLED_AT_ONCE) {
    const leadIds = wanted.slice(from, from + ENROLLED_AT_ONCE);
    result = sumOf(result, await enrollBatch(trx, enrollment, leadIds));
  }
  return result;
}

/** The sum of both. */
export function sumOf(one: Enrolled, other: Enrolled): Enrolled {
  const skippedReasons = { ...one.skippedReasons };
  for (const reason of SKIP_REASONS) {
    const count = (one.skippedReasons[reason] ?? 0) + (other.skippedReasons[reason] ?? 0);
    if (count > 0) skippedReasons[reason] = count;
  }
  return {
    added: one.added + other.added,
    skipped: one.skipped + other.skipped,
    skippedReasons,
    duplicates: [...one.duplicates, ...other.duplicates].slice(0, MAX_DUPLICATES),
  };
}

async function enrollBatch(
  trx: Transaction<Database>,
  enrollment: Enrollment,
  leadIds: readonly number[],
): Promise<Enrolled> {
  const { campaignId, userId, now, namedIds = [] } = enrollment;
  if (namedIds.length > 0) await bringBack(trx, campaignId, namedIds);
  // A lead that is being deleted is waited for, and is then not among the wanted ones.
  const { rows } = await sql<Judged>`
    with wanted as (
      select id, email_key, company_id, validation_status, status from leads
      where user_id = ${userId} and id = any (${[...leadIds]}::bigint[])
        and ${isKeptLead('leads', userId)}
      order by id for key share
    ),
    looked_at as (select id, email_key, ${reasonOf(enrollment)} as reason from wanted),
    in_turn as (
      select *, first_value(id) over (partition by email_key, reason is null order by id) as first_id
      from looked_at
    ),
    judged as (
      select id, email_key, case when reason is null and first_id <> id then 'duplicate_address'
        else reason end as reason, first_id
      from in_turn
    ),
    added as (
      insert into recipients (campaign_id, lead_id, user_id, due_at, added_at, updated_at)
      select ${campaignId}, id, ${userId}, ${now}, ${now}, ${now} from judged
      where reason is null
      order by id
      on conflict (campaign_id, lead_id) do update
        set ${returning({ dueAt: sql.ref('excluded.due_at'), at: sql.ref('excluded.updated_at') })}
        where recipients.status = 'removed' or ${mayComeBack}
      returning lead_id
    ),
    enrolled as (
      update leads set status = 'active', updated_at = ${now}
      where id = any (array(select lead_id from added)) and status = 'pending'
    )
    select reason, count(*)::integer as leads, case when reason = 'duplicate_address' then (
      select jsonb_agg(jsonb_build_object('leadId', twin.id, 'recipientLeadId', twin.recipient_id))
      from (select id, coalesce(${recipientWithAddress(campaignId, userId)}, first_id) as recipient_id
        from judged as wanted where reason = 'duplicate_address'
        order by id limit ${MAX_DUPLICATES}) as twin) end as duplicates
    from judged group by reason
    union all
    select 'not_found', (${leadIds.length} - (select count(*) from wanted))::integer, null`.execute(
    trx,
  );
  return summary(rows);
}

interface Judged {
  reason: SkipReason | null;
  leads: number;
  duplicates: Duplicate[] | null;
}

function summary(rows: readonly Judged[]): Enrolled {
  const result: Enrolled = { ...NOBODY, skippedReasons: {}, duplicates: [] };
  for (const { reason, leads, duplicates } of rows) {
    if (reason === null) result.added = leads;
    else if (leads > 0) {
      result.skipped += leads;
      result.skippedReasons[reason] = leads;
    }
    result.duplicates.push(...(duplicates ?? []));
  }
  return result;
}

/** Of a row `wanted` of leads, in the order of SKIP_REASONS; null = may be written to. */
export const reasonOf = ({
  campaignId,
  userId,
  namedIds = [],
  skipIfInOtherCampaign,
  onlyNeverContacted,
}: Omit<Enrollment, 'now' | 'leadIds' | 'leadListIds'>) => sql`case
  when ${ofRecipient(
    campaignId,
    'wanted',
    sql`recipients.status <> 'removed'
    and not (${mayComeBack} and wanted.id = any (${[...namedIds]}::bigint[]))`,
  )} then 'already_in_campaign'
  when wanted.id <> all (${[...namedIds]}::bigint[])
    and ${ofRecipient(campaignId, 'wanted')} then 'removed'
  when email_key is not null and exists (select from erasure_tombstones
    where user_id = ${userId} and key_hash =
      sha256(convert_to(${`${userId}:email:`} || email_key, 'UTF8'))) then 'erased'
  when wanted.status in ('suppressed', 'unsubscribed', 'bounced')
    or ${suppressed(userId)} then 'suppressed'
  when email_key is null then 'no_email'
  when validation_status = 'invalid' then 'invalid_email'
  when ${recipientWithAddress(campaignId, userId)} is not null then 'duplicate_address'
  when exists (select from (select campaign_id, lead_id, state from sends
      where user_id = ${userId} and email_key = wanted.email_key offset 0) as message
    where message.campaign_id = ${campaignId} and message.lead_id <> wanted.id
      and message.state <> 'deferred') then 'already_contacted'
  ${onlyNeverContacted ? sql`when ${isContacted(campaignId, userId)} then 'contacted_before'` : sql``}
  ${skipIfInOtherCampaign ? sql`when exists (${inOtherCampaign(campaignId, userId)}) then 'in_other_campaign'` : sql``}
  when ${hasCompanyReplied(campaignId, 'wanted.company_id')} then 'company_replied'
  end`;

/** Null where the lead is not in the campaign. An `exists` would be answered by all recipients of the campaign. */
const ofRecipient = (campaignId: number, lead: 'wanted' | 'twin', what = sql`true`) => sql`(
  select ${what} from recipients where recipients.campaign_id = ${campaignId}
    and recipients.lead_id = ${sql.ref(`${lead}.id`)})`;

/** Same result as `is_suppressed`, which is called per lead only where the account has suppressed domains. */
const suppressed = (userId: string) => sql`(exists (select from suppressions
    where user_id = ${userId} and kind = 'email' and value = email_key)
  or (exists (select from suppressions where user_id = ${userId} and kind = 'domain')
    and is_suppressed(${userId}, email_key)))`;

/**
 * Leads with the address of `wanted`, itself included. Looked up before anything is joined (`offset 0`): of a campaign
 * that is being filled the planner knows no recipients yet, and would read them all for each lead.
 */
const twins = (userId: string) => sql`(
  select id, company_id from leads where user_id = ${userId} and email_key = wanted.email_key
  offset 0) as twin`;

/** Another lead of the campaign with the address of `wanted`; null: none. Choice 53. */
const recipientWithAddress = (campaignId: number, userId: string) => sql`(
  select min(twin.id) from ${twins(userId)}
  where twin.id <> wanted.id and ${isKeptLead('twin', userId)}
    and ${ofRecipient(campaignId, 'twin', sql`not ${isTwin()}`)})`;

/** Whether the person is in another campaign, as any lead. */
const inOtherCampaign = (campaignId: number, userId: string) => sql`
  select from leads as twin join recipients as other on other.lead_id = twin.id
    join campaigns on campaigns.id = other.campaign_id
  where twin.user_id = ${userId} and (twin.id = wanted.id or twin.email_key = wanted.email_key)
    and other.campaign_id <> ${campaignId} and ${isKeptLead('twin', userId)}
    and (other.due_at is not null or other.status = 'paused')
    and campaigns.status in ('draft', 'active', 'paused') and campaigns.deleted_at is null`;
