/** `Write again next year.`: an answer that does nothing but name a time to come back. */
import { answerIn } from './answer-text.ts';
import { judgeInterest } from './index.ts';
import { sentencesOf } from './signs.ts';

/** In longer ones there is room for "or else". */
const MAX_WORDS = 8;

/** One short sentence without a negation; the rules of interest are sure that it means later. */
export function asksToComeBack(text: string): boolean {
  const said = answerIn(text);
  if ((said.match(/[\p{L}'’]+/gu) ?? []).length > MAX_WORDS) return false;
  const sentences = sentencesOf(said);
  if (sentences.length !== 1) return false;
  const concepts = new Set(sentences[0]!.concepts);
  return (
    concepts.has('again') &&
    concepts.has('period') &&
    !concepts.has('not') &&
    !concepts.has('refuse') &&
    judgeInterest(text).interest === 'not_now'
  );
}
