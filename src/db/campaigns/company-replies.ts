/** Companies of which somebody has answered a campaign, and the end of the others in it. Choice 115. */
import { sql, type Kysely, type Transaction } from 'kysely';
import { isKeptLead } from '../leads/deleted-lists.ts';
import type { Database } from '../tables.ts';

/** Recipients that are ended in one statement; the reconciler ends the rest of a larger company. */
const ENDED_WITH_ANSWER = 100;
const ENDED_AT_ONCE = 1_000;
/** Companies per run of the reconciler, which runs again within a minute. */
const COMPANIES_AT_ONCE = 100;

/** Whether somebody of the company has answered, in a campaign that stops companies. One index look-up. */
export const hasCompanyReplied = (campaign: 'sends' | 'recipients' | number, company: string) =>
  sql`exists (select from company_replies where company_replies.campaign_id =
    ${typeof campaign === 'number' ? campaign : sql.ref(`${campaign}.campaign_id`)}
    and company_replies.company_id = ${sql.ref(company)})`;

/** Whom an answer came from: the lead of the message, and leads of the campaign with the address. */
export interface Answerer {
  userId: string;
  campaignId: number;
  leadId: number;
  emailKey: string | null;
}

/**
 * In the transaction of the answer: notes the companies, and ends the first of their recipients. Once noted, nobody of
 * them is claimed, begun or enrolled any more, so the rest may be ended later. The caller holds the campaign's row
 * against a change of the setting, which looks for the answers that came before; here it is locked for those who do not.
 */
export async function stopCompanies(
  trx: Transaction<Database>,
  { userId, campaignId, leadId, emailKey }: Answerer,
  at: Date,
): Promise<void> {
  const campaign = await trx
    .selectFrom('campaigns')
    .select('stop_company_on_reply')
    .where('id', '=', campaignId)
    .forKeyShare()
    .executeTakeFirst();
  if (!campaign?.stop_company_on_reply) return;
  const { rows } = await sql<{ company_id: number }>`
    insert into company_replies (campaign_id, company_id, replied_at, is_open)
    select distinct ${campaignId}::bigint, leads.company_id, ${at}::timestamptz, true from leads
    join recipients on recipients.campaign_id = ${campaignId} and recipients.lead_id = leads.id
    where leads.user_id = ${userId} and leads.company_id is not null
      and (leads.id = ${leadId} or leads.email_key = ${emailKey}) and ${isKeptLead()}
    on conflict do nothing returning company_id`.execute(trx);
  for (const { company_id: companyId } of rows) {
    await endCompany(trx, { campaignId, companyId, at, most: ENDED_WITH_ANSWER });
  }
}

/** The setting was switched on: it holds for answers that came before, too. The caller holds the campaign's lock. */
export async function noteEarlierReplies(
  trx: Transaction<Database>,
  campaignId: number,
  at: Date,
): Promise<void> {
  await sql`
    insert into company_replies (campaign_id, company_id, replied_at, is_open)
    select distinct ${campaignId}::bigint, leads.company_id, ${at}::timestamptz, true
    from recipients join leads on leads.id = recipients.lead_id
    where recipients.campaign_id = ${campaignId} and recipients.status = 'replied'
      and leads.company_id is not null and ${isKeptLead()}
    on conflict do nothing`.execute(trx);
}

/** The setting was switched off: who was ended stays so, others are written to. */
export const forgetReplies = (trx: Transaction<Database>, campaignId: number) =>
  trx.deleteFrom('company_replies').where('campaign_id', '=', campaignId).execute();

interface Company {
  campaignId: number;
  companyId: number;
}

/** Companies with recipients that may not be ended yet. */
export async function listOpenCompanies(db: Kysely<Database>): Promise<Company[]> {
  return db
    .selectFrom('company_replies')
    .select(['campaign_id as campaignId', 'company_id as companyId'])
    .where('is_open', '=', true)
    .orderBy('campaign_id')
    .orderBy('company_id')
    .limit(COMPANIES_AT_ONCE)
    .execute();
}

/** Ends recipients of a company; false where there may be more. Nobody once the setting is off. Safe to repeat. */
export async function endMoreOfCompany(
  trx: Transaction<Database>,
  company: Company,
  at: Date,
): Promise<boolean> {
  const noted = await trx
    .selectFrom('company_replies')
    .select('is_open')
    .where('campaign_id', '=', company.campaignId)
    .where('company_id', '=', company.companyId)
    .forUpdate()
    .executeTakeFirst();
  return noted === undefined || endCompany(trx, { ...company, at, most: ENDED_AT_ONCE });
}

/**
 * Those with messages to come, paused ones included. A message that is claimed is not begun any more; one in delivery
 * is finished, and nothing follows it.
 */
async function endCompany(
  trx: Transaction<Database>,
  { campaignId, companyId, at, most }: Company & { at: Date; most: number },
): Promise<boolean> {
  const { rows } = await sql<{ ended: number }>`
    with others as (
      select recipients.lead_id from leads join recipients on recipients.lead_id = leads.id
        and recipients.campaign_id = ${campaignId}
      where leads.company_id = ${companyId} and ${isKeptLead()}
        and recipients.status in ('queued', 'in_progress', 'paused')
      order by recipients.lead_id limit ${most} for no key update of recipients
    ), ended as (
      update recipients set status = 'skipped', due_at = null, paused_due_at = null,
        hold_reason = 'company_replied', updated_at = ${at}
      from others
      where recipients.campaign_id = ${campaignId} and recipients.lead_id = others.lead_id
      returning recipients.lead_id
    )
    select count(*)::integer as ended from ended`.execute(trx);
  if (rows[0]!.ended === most) return false;
  await trx
    .updateTable('company_replies')
    .set({ is_open: false })
    .where('campaign_id', '=', campaignId)
    .where('company_id', '=', companyId)
    .execute();
  return true;
}
