/** `No`, `Non merci`, `end`, where the message that it answers offers these words as a way out: `To hear no more, answer "no".` */
import { folded, visible } from './folding.ts';
import { isFromPhone } from './hints.ts';
import { likenessOf } from './likeness/index.ts';
import { isOptOut, sentencesOf } from './opt-outs.ts';
import { offersWayOut } from './pitches.ts';

const REFUSALS = new Set(
  'no nope nein non nao nee nej nei ei nie ne нет не ні όχι לא لا hayir nu nem khong tidak 不 不要 不用 否 いいえ 不要です 아니오 아니요 नहीं ไม่'
    .split(' ')
    .map(folded),
);

/** `no thank you`; the writer's name */
const MAX_WORDS = 3;

/** `words`: the message without its quotes; `quote`: those. */
export function isOfferedRefusal(words: string, quote: string): boolean {
  const [first = '', ...more] = visible(words)
    .split('\n')
    .map((line) => folded(line).trim())
    .filter((line) => line !== '');
  const said = plain(first);
  const isAlone = more.every((line) => isFromPhone(line) || line.split(' ').length <= MAX_WORDS);
  if (said === '' || said.split(' ').length > MAX_WORDS || !isAlone) return false;
  const isRefusal = REFUSALS.has(said.split(' ')[0]!);
  return passagesOf(quote).some((passage) => {
    const offered = offeredIn(passage);
    // Any other word, `end`, has to be the only one that is offered.
    const isOffered = isRefusal ? offered.includes(said) : offered.every((word) => word === said);
    return isOffered && offered.length > 0 && isWayOut(passage);
  });
}

/** Lines, sentences, and those of two lines, since mail programs wrap them. */
function passagesOf(quote: string): string[] {
  const lines = quote.split('\n').map((line) => line.trim());
  return lines.flatMap((line, at) => {
    const both = `${line} ${lines[at + 1] ?? ''}`;
    const short = [line, both].filter((each) => each.length <= MAX_PASSAGE);
    return [...short, ...sentencesOf(both)];
  });
}
const MAX_PASSAGE = 200;

const plain = (text: string): string =>
  folded(text)
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();

/** Marks of quotation; some do not survive the way and are `?` then. */
const QUOTED = /["'“”„«»‘’‚‹›「」『』?]([^"'“”„«»‘’‚‹›「」『』?]{1,25})["'“”«»‘’‹›「」『』?]/gu;
/** `answer in one word: no` */
const LAST = /[:：]\s*([^:：]{1,25}?)[\s.。]*$/gu;
/** `write STOP` */
const CAPITALS = /(?<![\p{L}\p{N}])(\p{Lu}{2,}(?: \p{Lu}{2,})*)(?![\p{L}\p{N}])/gu;

/** Words that a sentence asks to be answered with. */
const offeredIn = (sentence: string): string[] =>
  [QUOTED, LAST, CAPITALS].flatMap((pattern) =>
    [...sentence.matchAll(pattern)].map(([, inside]) => plain(inside!)),
  );

/** `If you want to hear no more`: as those say it who ask for it, and those who offer it. */
const isWayOut = (sentence: string): boolean => {
  const text = folded(sentence).trim();
  return (
    offersWayOut(text) || isOptOut(sentence, text) || likenessOf(sentence).unsubscribe >= LIKELY
  );
};
const LIKELY = 0.4;
