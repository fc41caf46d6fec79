/** What an answer means for whoever wrote to its writer. docs/interest.md#what-each-means; choice 114. */

/** In the order in which training and weights have them. */
export const INTERESTS = [
  'interested',
  'meeting',
  'question',
  'not_now',
  'not_interested',
  'wrong_person',
] as const;
export type Interest = (typeof INTERESTS)[number];

/** Who says so; what a client said is never judged again. */
export const INTEREST_JUDGES = ['rules', 'model', 'client'] as const;
export type InterestJudge = (typeof INTEREST_JUDGES)[number];

/** `interest` is null where nobody is sure, and where a client said that it is none of them. */
export interface Judgement {
  interest: Interest | null;
  by: InterestJudge | null;
  /** 0 to 1; null where a client says so. */
  confidence: number | null;
}

export const UNJUDGED: Judgement = { interest: null, by: null, confidence: null };
