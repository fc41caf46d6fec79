/** `No`, `Non merci`, where the message that it answers offers these words as a way out: `To hear no more, answer "no".` */
import { folded } from './folding.ts';

const REFUSALS = new Set(
  'no nope nein non nao nee nej nei ei nie ne нет не ні όχι לא لا hayir nu nem khong tidak 不 不要 不用 否 いいえ 不要です 아니오 아니요 नहीं ไม่'
    .split(' ')
    .map(folded),
);

/** `no thank you` */
const MAX_WORDS = 2;
/** What a signature may have, such as `Sent from my phone`. */
const MAX_MORE = 60;

/** `words`: the message without its quotes; `text`: with them. */
export function isOfferedRefusal(words: string, text: string): boolean {
  const [first = '', ...more] = words.trim().split('\n');
  const said = folded(first)
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
  const [refusal = '', ...others] = said.split(' ');
  const isShort = others.length <= MAX_WORDS && more.join(' ').trim().length <= MAX_MORE;
  if (!REFUSALS.has(refusal) || !isShort) return false;
  // Marks of quotation are many, and some do not survive the way.
  const offered = new RegExp(`[^\\p{L}\\p{N}\\s.,;:] ?${said}[.!]? ?[^\\p{L}\\p{N}\\s,;:]`, 'u');
  return offered.test(folded(text));
}
