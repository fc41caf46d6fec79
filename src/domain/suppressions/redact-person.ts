/** Redacts an erased person in a text by others. GDPR, article 17. */
import {
  isErasedEmail,
  isErasedPhone,
  isErasedProfile,
  mentionsName,
  type ErasedPerson,
} from './erased-person.ts';

/** Replaces the person's name. */
export const ERASED = '(erased)';

/** From the beginning of a word on: begun at each character, a long one without @ takes n² steps. */
const EMAIL = /(?<![^\s<>()[\]{},;:"'])[^\s<>()[\]{},;:"']+@[^\s<>()[\]{},;:"']+/g;
const ADDRESS = /(?:https?:\/\/|www\.|\b(?:linkedin|facebook|xing|twitter|x)\.com\/)[^\s<>"')]+/gi;
const PHONE = /\+?\d[\d\s()./-]{5,20}\d/g;
/** Initials without spaces are one, as in keys: `J.R. Smith` is `jr smith`. */
const WORD =
  /(?<![\p{L}\p{M}\p{N}'’-])\p{L}(?:\.\p{L})+(?![\p{L}\p{M}\p{N}'’-])|[\p{L}\p{M}\p{N}'’-]+/gu;
/** Between the words of a name: spaces, a comma, a dot. */
const BETWEEN = /^[\s,.]{1,3}$/;

/** The text without the person's addresses, pages, numbers and name. */
export function redactPerson(text: string, person: ErasedPerson): string {
  const known = text
    .replaceAll(EMAIL, (word) => (isErasedEmail(person, bare(word)) ? ERASED : word))
    .replaceAll(ADDRESS, (word) => (isErasedProfile(person, bare(word)) ? ERASED : word))
    .replaceAll(PHONE, (digits) => (isErasedPhone(person, digits) ? ERASED : digits));
  return withoutNames(known, person);
}

/** Without the punctuation that ends a sentence. */
const bare = (word: string) => word.replace(/(?<![.!?])[.!?]+$/, '');

/** Words that stand together and are the person's name, in any order. */
function withoutNames(text: string, person: ErasedPerson): string {
  const longest = Math.max(0, ...person.names.map((name) => name.split(' ').length));
  if (longest < 2) return text;
  const words = [...text.matchAll(WORD)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
  let redacted = '';
  let from = 0;
  for (let at = 0; at < words.length; at += 1) {
    const end = endOfName(text, words.slice(at, at + longest), person);
    if (end === undefined) continue;
    redacted += text.slice(from, words[at]!.start) + ERASED;
    from = end;
    while (at + 1 < words.length && words[at + 1]!.start < end) at += 1;
  }
  return redacted + text.slice(from);
}

function endOfName(
  text: string,
  words: readonly { start: number; end: number }[],
  person: ErasedPerson,
): number | undefined {
  for (let length = 2; length <= words.length; length += 1) {
    const [before, last] = [words[length - 2]!, words[length - 1]!];
    if (!BETWEEN.test(text.slice(before.end, last.start))) return undefined;
    if (mentionsName(text.slice(words[0]!.start, last.end), person)) return last.end;
  }
  return undefined;
}
