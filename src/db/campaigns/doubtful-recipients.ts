/** Recipients whom a doubtful answer concerns. */
import { sql } from 'kysely';
import { doubtfulAnswers } from './subsequence-starts.ts';

/** Campaigns that the lead has entered by an answer: whatever it answers concerns them. */
export const isSubsequence = sql`exists (select from subsequence_starts as start
  where start.campaign_id = recipients.campaign_id and start.lead_id = recipients.lead_id
    and start.status = 'started')`;

/** Whether a doubtful answer concerns the recipient. */
export const isInDoubt = sql<boolean>`exists (
  select from (${doubtfulAnswers(sql.ref('recipients.lead_id'))}) as doubtful
  where doubtful.campaign_id = recipients.campaign_id or ${isSubsequence})`;
