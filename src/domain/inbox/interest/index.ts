/**
 * What a person's answer means, by rules: a vocabulary of concepts in ten languages, and weights learnt from
 * answers in the repository. The weights are made by test/support/inbox/interest-model/train.ts. Choice 114.
 */
import { unpackWeights } from '../mail-classification/likeness/packing.ts';
import { answerIn } from './answer-text.ts';
import { INTERESTS, UNJUDGED, type Judgement } from './interest.ts';
import { CLAUSE_SHAPE, interestsBy, traitsOf, WHOLE_SHAPE, type InterestModel } from './model.ts';
import { hasConcept, isUnderstood } from './signs.ts';
import { CLAUSE, SMALL, WHOLE } from './weights.ts';

export { INTERESTS, INTEREST_JUDGES, UNJUDGED } from './interest.ts';
export type { Interest, InterestJudge, Judgement } from './interest.ts';

/** Below this probability nobody is sure: chosen by answers of writers that nothing was learnt from. */
const SURE = 0.55;

/** Where no concept is known it may be another language, of which nothing was learnt. */
const SURE_BY_WORDS = 0.75;

/** `text`: of the whole message. Unsure is null. */
export function judgeInterest(text: string): Judgement {
  const said = answerIn(text);
  if (!/\p{L}{2}/u.test(said) || !isUnderstood(said)) return UNJUDGED;
  const likely = interestsBy(builtIn(), traitsOf(said));
  const confidence = Math.max(...likely);
  if (confidence < SURE || (confidence < SURE_BY_WORDS && !hasConcept(said))) return UNJUDGED;
  const interest = INTERESTS[likely.indexOf(confidence)]!;
  return { interest, by: 'rules', confidence: Math.round(confidence * 1000) / 1000 };
}

let loaded: InterestModel | undefined;
const builtIn = (): InterestModel =>
  (loaded ??= {
    ...SMALL,
    whole: unpackWeights(WHOLE, WHOLE_SHAPE),
    clause: unpackWeights(CLAUSE, CLAUSE_SHAPE),
  });
