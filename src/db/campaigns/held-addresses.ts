/** Recipients held back because of their address, and the verdicts on a campaign's addresses. */
import { sql, type Kysely, type Transaction } from 'kysely';
import { ADDRESS_HOLDS, type AddressVerdict } from '../../domain/campaigns/address-risk.ts';
import { isKeptLead } from '../leads/deleted-lists.ts';
import type { LeadRange } from './follow-up-plans.ts';
import { MAX_LEADS_LOOKED_AT } from './lacking-leads.ts';
import type { Database } from '../tables.ts';
import type { WaitingCampaign } from './campaign-waits.ts';
import { workflowIdOf } from '../../domain/operations/run-keys.ts';

/**
 * After a change of settings: each held recipient is due again and checked when it is claimed. A changed
 * verdict does the same by a trigger of `leads`.
 */
export async function takeUpHeldAddresses(
  trx: Transaction<Database>,
  campaignId: number,
  { after, to }: LeadRange,
): Promise<void> {
  await sql`
    update recipients set due_at = updated_at, hold_reason = null
    where campaign_id = ${campaignId} and lead_id > ${after} and lead_id <= ${to} and due_at is null
      and status in ('queued', 'in_progress')
      and hold_reason = any (${[...ADDRESS_HOLDS]}::text[])`.execute(trx);
}

/**
 * The workflows of active campaigns that hold back recipients with addresses of the job: a verdict may end
 * their wait. Read this before writing the verdicts, which release held recipients.
 */
export async function listHoldingCampaigns(
  db: Kysely<Database>,
  itemIds: readonly number[],
): Promise<WaitingCampaign[]> {
  const { rows } = await sql<{ id: number; workflow_id: string; run_key: string | null }>`
    with holding as (
      select distinct recipients.campaign_id as id
      from email_validation_items as item
      join email_validation_jobs as job on job.id = item.job_id
      join leads on leads.user_id = job.user_id and leads.email_key = item.email_key
      join recipients on recipients.lead_id = leads.id and recipients.due_at is null
        and recipients.hold_reason = any (${[...ADDRESS_HOLDS, 'invalid_email']}::text[])
      join campaigns on campaigns.id = recipients.campaign_id and campaigns.status = 'active'
      where item.id = any (${[...itemIds]}::bigint[])
    )
    select holding.id, run.workflow_id, run.run_key from holding cross join lateral (
      select workflow_id, run_key, finished_at from operations
      where resource_type = 'campaign' and resource_id = holding.id
      order by id desc limit 1
    ) run where run.finished_at is null`.execute(db);
  return rows.map((row) => ({ campaignId: row.id, workflowId: workflowIdOf(row) }));
}

/** The active campaigns that hold back the lead for its address: another one may release it. Read this before it changes. */
export async function listHoldersOf(db: Kysely<Database>, leadId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('recipients')
    .innerJoin('campaigns', 'campaigns.id', 'recipients.campaign_id')
    .select('campaigns.id')
    .where('recipients.lead_id', '=', leadId)
    .where('recipients.due_at', 'is', null)
    .where('recipients.hold_reason', 'in', [...ADDRESS_HOLDS])
    .where('campaigns.status', '=', 'active')
    .orderBy('campaigns.id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Of the first recipients with messages to come, held ones included. */
export async function listVerdicts(
  db: Kysely<Database>,
  campaignId: number,
): Promise<AddressVerdict[]> {
  const { rows } = await sql<AddressVerdict>`
    select leads.email_key as "emailKey", leads.validation_score as score,
      leads.validation_status as status, leads.validation_reason as reason
    from (select lead_id from recipients where campaign_id = ${campaignId}
        and (due_at is not null or hold_reason = any (${[...ADDRESS_HOLDS]}::text[]))
      order by lead_id limit ${MAX_LEADS_LOOKED_AT}) as first
    join leads on leads.id = first.lead_id
    where leads.email_key is not null and ${isKeptLead()}`.execute(db);
  return rows;
}
