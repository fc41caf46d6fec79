/** Leads that are not in a campaign, and what currently keeps them out of it. Choice 9. */
import { sql, type Kysely } from 'kysely';
import type { Campaign } from './campaigns.ts';
import { isKeptLead } from '../leads/deleted-lists.ts';
import { reasonOf, type SkipReason } from './enrollments.ts';
import type { Database } from '../tables.ts';

export interface UnenrolledLead {
  lead_id: number;
  first_name: string;
  last_name: string;
  email: string | null;
  company_name: string | null;
  updated_at: Date;
  /** The lead is in a list of the campaign. */
  is_listed: boolean;
  /** By the current data; null: it could be added. */
  reason: Exclude<SkipReason, 'not_found' | 'already_in_campaign'> | null;
}

/** A lead of the account; whether it is in the campaign is not checked. */
export async function findUnenrolledLead(
  db: Kysely<Database>,
  {
    campaign: { id: campaignId, user_id: userId, only_never_contacted: onlyNeverContacted },
    leadId,
  }: { campaign: Campaign; leadId: number },
): Promise<UnenrolledLead | undefined> {
  const reason = reasonOf({ campaignId, userId, onlyNeverContacted, skipIfInOtherCampaign: true });
  const { rows } = await sql<UnenrolledLead>`
    select wanted.id as lead_id, wanted.first_name, wanted.last_name, wanted.email,
      companies.name as company_name, wanted.updated_at, ${reason} as reason,
      exists (select from campaign_lists where campaign_id = ${campaignId}
        and campaign_lists.lead_list_id = companies.lead_list_id) as is_listed
    from leads as wanted left join companies on companies.id = wanted.company_id
    where wanted.user_id = ${userId} and wanted.id = ${leadId}
      and ${isKeptLead('wanted', userId)}`.execute(db);
  return rows[0];
}
