/** Campaigns that leads enter by what their answers mean. Choices 116, 117. */
import type { Interest } from '../inbox/interest/interest.ts';
import type { FieldProblem } from '../errors.ts';

/** When a lead enters the campaign by itself. */
export interface StartsOn {
  /** Answers to this campaign; null: to any other one. */
  campaignId: number | null;
  interest: readonly Interest[];
  /** Days of sending after the answer. */
  afterDays: number;
}

export const START_STATUSES = ['pending', 'started', 'cancelled'] as const;
export type StartStatus = (typeof START_STATUSES)[number];

/** Why a start is cancelled, beside what keeps any lead out of a campaign. */
export const START_CANCELLATIONS = [
  'interest_changed',
  'answered_again',
  'rule_changed',
  'campaign_cancelled',
] as const;

/** Everybody who enters it was written to before. */
export const subsequenceProblems = ({
  isSubsequence,
  onlyNeverContacted,
}: {
  isSubsequence: boolean;
  onlyNeverContacted: boolean;
}): FieldProblem[] =>
  isSubsequence && onlyNeverContacted
    ? [
        {
          field: 'onlyNeverContacted',
          message: 'onlyNeverContacted must be false with startsOn',
        },
      ]
    : [];
