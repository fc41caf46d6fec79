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

/** Whom a campaign with this rule writes to by itself, for people; `waiting`: those whose answers fit already. */
export function startsInWords(
  { campaignId, interest, afterDays }: StartsOn,
  waiting: number,
): string {
  const answered = campaignId === null ? 'any other campaign' : `campaign ${campaignId}`;
  const days = afterDays === 1 ? '1 day' : `${afterDays} days`;
  const when = afterDays === 0 ? 'at once' : `${days} after the answer`;
  return `From now on it also writes to everybody whose answer to ${answered} means ${interest.join(' or ')}, ${when}: to how many is not known, ${waiting} whose answers fit already wait for their time.`;
}

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
