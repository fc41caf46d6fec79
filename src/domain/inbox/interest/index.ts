/**
 * What a person's answer means, by rules: a vocabulary of concepts in ten languages, and weights learnt from
 * answers in the repository. The weights are made by test/support/inbox/interest-model/train.ts. Choice 114.
 */
import { unpackWeights } from '../mail-classification/likeness/packing.ts';
import { answerIn } from './answer-text.ts';
import { INTERESTS, UNJUDGED, type Judgement } from './interest.ts';
import { ALL_BUCKETS, interestsBy, traitsOf, type InterestModel } from './model.ts';
import { isUnderstood } from './signs.ts';
import { BIASES, PACKED } from './weights.ts';

export { INTERESTS, INTEREST_JUDGES, UNJUDGED } from './interest.ts';
export type { Interest, InterestJudge, Judgement } from './interest.ts';

/** Below this probability nobody is sure: chosen by answers of a writer that nothing was learnt from. */
const SURE = 0.6;

/** `text`: of the whole message. Unsure is null. */
export function judgeInterest(text: string): Judgement {
  const said = answerIn(text);
  if (!/\p{L}{2}/u.test(said) || !isUnderstood(said)) return UNJUDGED;
  const likely = interestsBy(builtIn(), traitsOf(said));
  const confidence = Math.max(...likely);
  if (confidence < SURE) return UNJUDGED;
  const interest = INTERESTS[likely.indexOf(confidence)]!;
  return { interest, by: 'rules', confidence: Math.round(confidence * 1000) / 1000 };
}

let loaded: InterestModel | undefined;
const builtIn = (): InterestModel =>
  (loaded ??= {
    ...unpackWeights(PACKED, { buckets: ALL_BUCKETS, classes: INTERESTS.length }),
    biases: BIASES,
  });
