/** Row shapes of what answers lead to in campaigns: companies that are stopped, subsequences that begin. */
import type { StartStatus } from '../../domain/campaigns/subsequences.ts';
import type { Interest } from '../../domain/inbox/interest/interest.ts';

/** Somebody of the company has answered, in a campaign that stops companies. */
interface CompanyRepliesTable {
  campaign_id: number;
  company_id: number;
  replied_at: Date;
  /** Some of the company may not be ended yet. */
  is_open: boolean;
}

/** A lead that enters a campaign by its answer, at most once. */
interface SubsequenceStartsTable {
  /** The campaign that it enters. */
  campaign_id: number;
  lead_id: number;
  /** The answer; null: it was deleted. */
  message_id: number | null;
  interest: Interest;
  status: StartStatus;
  /** Why it is cancelled. */
  reason: string | null;
  /** Only of a pending one. */
  due_at: Date | null;
  updated_at: Date;
}

export interface CampaignAnswerTables {
  company_replies: CompanyRepliesTable;
  subsequence_starts: SubsequenceStartsTable;
}
