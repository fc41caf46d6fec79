/** Row shapes of what answers lead to: companies that are stopped, subsequences that begin, texts that win. */
import type { ColumnType, Generated } from 'kysely';
import type { StartStatus } from '../../domain/campaigns/subsequences.ts';
import type { AutoWinner, Decider, WinnerFigures } from '../../domain/campaigns/variant-winner.ts';
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

/** The test of the texts of a step against each other. */
interface StepTestsTable {
  campaign_id: number;
  position: number;
  /** From when on the texts stand beside each other; null: from the first message. */
  since: Date | null;
  /** How often they were compared. */
  looks: Generated<number>;
  /** Messages of the text that was sent least, when they were compared last. */
  looked_sends: Generated<number>;
  /** The number of its text. Null and decided: all are sent, and the test decides nothing. */
  winner: number | null;
  decided_by: Decider | null;
  decided_at: Date | null;
  /** What the test has decided by. */
  figures: ColumnType<WinnerFigures | null, string | null | undefined, string | null>;
}

export interface CampaignAnswerTables {
  step_tests: StepTestsTable;
  company_replies: CompanyRepliesTable;
  subsequence_starts: SubsequenceStartsTable;
}

/** Columns of `campaigns`: what answers lead to. */
export interface CampaignAnswerColumns {
  /** The answer of one person ends all others of the company. */
  stop_company_on_reply: Generated<boolean>;
  /** Leads enter it by such answers; null: only by hand. */
  starts_on_interests: Generated<Interest[] | null>;
  /** Answers to this campaign alone; null: to any other one. */
  starts_on_campaign_id: Generated<number | null>;
  /** Days of sending after the answer. */
  starts_after_days: Generated<number | null>;
  /** When this rule was made. */
  starts_since: Generated<Date | null>;
  /** How the best text of a step is found; null: by hand alone. */
  auto_winner: ColumnType<AutoWinner | null, string | null | undefined, string | null>;
}
