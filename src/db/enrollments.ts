/** Puts leads into campaigns, thousands in a statement. Choices 9, 17. */
import { sql, type Kysely, type Transaction } from 'kysely';
import type { Database } from './tables.ts';

/** Why a lead was not added, the first reason that fits. */
export const SKIP_REASONS = [
  'not_found',
  'already_in_campaign',
  'erased',
  'suppressed',
  'no_email',
  'invalid_email',
  'in_other_campaign',
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

export interface Enrollment {
  campaignId: number;
  userId: string;
  /** Either of them, or both. */
  leadIds?: readonly number[] | undefined;
  leadListIds?: readonly number[] | undefined;
  /** Leave out who has letters to come from another campaign. */
  skipIfInOtherCampaign?: boolean | undefined;
  /** Due from now on. */
  now: Date;
}

export interface Enrolled {
  added: number;
  skipped: number;
  skippedReasons: Partial<Record<SkipReason, number>>;
}

/**
 * Leads of one statement. It holds the campaign and the leads for a second on a busy machine; with
 * all of a list in one, a hundred thousand ran into the limit of a statement.
 */
export const ENROLLED_AT_ONCE = 5_000;

/** The leads that are asked for, each once; an id that is nobody's stays to be counted. */
export async function listWantedLeads(
  db: Kysely<Database>,
  { userId, leadIds = [], leadListIds = [] }: Omit<Enrollment, 'campaignId' | 'now'>,
): Promise<number[]> {
  if (leadListIds.length === 0) return [...new Set(leadIds)];
  const { rows } = await sql<{ id: number }>`
    select leads.id from companies join leads on leads.company_id = companies.id
    where companies.lead_list_id = any (${[...leadListIds]}::bigint[])
      and leads.user_id = ${userId}
    order by leads.id`.execute(db);
  return [...new Set([...leadIds, ...rows.map(({ id }) => id)])];
}

/**
 * Adds the account's leads that may be written to; a repeat adds nobody twice. The caller holds the
 * campaign's lock, so that a round of sending sees all of them or none. Leads of others are as good
 * as missing.
 */
export async function enrollLeads(
  trx: Transaction<Database>,
  enrollment: Enrollment,
): Promise<Enrolled> {
  const wanted = await listWantedLeads(trx, enrollment);
  let result: Enrolled = { added: 0, skipped: 0, skippedReasons: {} };
  for (let from = 0; from < wanted.length; from += ENROLLED_AT_ONCE) {
    const leadIds = wanted.slice(from, from + ENROLLED_AT_ONCE);
    result = sumOf(result, await enrollBatch(trx, enrollment, leadIds));
  }
  return result;
}

/** Both together. */
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
  };
}

async function enrollBatch(
  trx: Transaction<Database>,
  enrollment: Enrollment,
  leadIds: readonly number[],
): Promise<Enrolled> {
  const { campaignId, userId, now } = enrollment;
  const { rows } = await sql<{ reason: SkipReason | null; leads: number }>`
    with wanted as (
      select id, email_key, email_valid, status from leads
      where user_id = ${userId} and id = any (${[...leadIds]}::bigint[])
    ),
    judged as (select id, ${reasonOf(enrollment)} as reason from wanted),
    added as (
      insert into recipients (campaign_id, lead_id, user_id, due_at, added_at, updated_at)
      select ${campaignId}, id, ${userId}, ${now}, ${now}, ${now} from judged
      where reason is null
      order by id
      returning lead_id
    ),
    enrolled as (
      update leads set status = 'active', updated_at = ${now}
      where id = any (array(select lead_id from added)) and status = 'pending'
    )
    select reason, count(*)::integer as leads from judged group by reason
    union all
    select 'not_found', (${leadIds.length} - (select count(*) from wanted))::integer`.execute(trx);
  return summary(rows);
}

function summary(rows: readonly { reason: SkipReason | null; leads: number }[]): Enrolled {
  const result: Enrolled = { added: 0, skipped: 0, skippedReasons: {} };
  for (const { reason, leads } of rows) {
    if (reason === null) result.added = leads;
    else if (leads > 0) {
      result.skipped += leads;
      result.skippedReasons[reason] = leads;
    }
  }
  return result;
}

/** Of a row `wanted` of leads, in the order of SKIP_REASONS; null = may be written to. */
export const reasonOf = ({
  campaignId,
  userId,
  skipIfInOtherCampaign,
}: Pick<Enrollment, 'campaignId' | 'userId' | 'skipIfInOtherCampaign'>) => sql`case
  when exists (select from recipients
    where campaign_id = ${campaignId} and lead_id = wanted.id) then 'already_in_campaign'
  when email_key is not null and exists (select from erasure_tombstones
    where user_id = ${userId} and key_hash =
      sha256(convert_to(${`${userId}:email:`} || email_key, 'UTF8'))) then 'erased'
  when wanted.status in ('suppressed', 'unsubscribed', 'bounced')
    or ${suppressed(userId)} then 'suppressed'
  when email_key is null then 'no_email'
  when not email_valid then 'invalid_email'
  ${skipIfInOtherCampaign ? sql`when exists (${inOtherCampaign(campaignId)}) then 'in_other_campaign'` : sql``}
  end`;

/** As `is_suppressed`, which is called for each lead only where the account has domains on its list. */
const suppressed = (userId: string) => sql`(exists (select from suppressions
    where user_id = ${userId} and kind = 'email' and value = email_key)
  or (exists (select from suppressions where user_id = ${userId} and kind = 'domain')
    and is_suppressed(${userId}, email_key)))`;

const inOtherCampaign = (campaignId: number) => sql`
  select from recipients as other join campaigns on campaigns.id = other.campaign_id
  where other.lead_id = wanted.id and other.campaign_id <> ${campaignId}
    and other.due_at is not null and campaigns.status in ('draft', 'active', 'paused')`;
