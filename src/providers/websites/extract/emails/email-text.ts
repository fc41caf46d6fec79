/** E-mail addresses in visible text, plain and in the usual disguises. */
import { matchesOf } from '../matches.ts';
import { emailAround, isSaidToBeMail, SENTENCE_WORD, type TextEmail } from './email-around.ts';

/** A page with more is a directory; no single business has so many. */
const MAX_FINDS = 200;
const MAX_CHECKS = 5_000;

/** Finds addresses in `text`, which may hold signs (see text.ts), in order. */
export function findEmails(text: string): TextEmail[] {
  const finds: TextEmail[] = [];
  let checks = 0;
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    if ((checks += 1) > MAX_CHECKS || finds.length >= MAX_FINDS) break;
    const find = emailAround(text, at, at + 1);
    if (find) finds.push(find);
  }
  finds.push(...findDisguised(text));
  return finds.slice(0, MAX_FINDS);
}

const AT_WORDS =
  'at|ät|æt|aet|a|@|arroba|arobase|aroba|chiocciola|klammeraffe|kukac|zavin[aá]č?|ma[lł]pa|' +
  'собака|собачка|apestaart(?:je)?|snabel-?a|alfa-?a?|miukumauku|et|malpka|ad|añ|antispam|на';
const DOT_WORDS =
  'dot|punkt|punto|point|ponto|punt|piste|prick|pont|tečka|tecka|bod|kropka|nokta|точка|toc[kč]ka|\\.';

/** `[at]`, `(at)`, `{at}`, `<at>`, `*at*`, `|at|`. */
const BRACKETED = new RegExp(`[\\[({<*|"]{1,2}\\s?(?:${AT_WORDS})\\s?[\\])}>*|"]{1,2}`, 'giu');
const DOT = new RegExp(`\\s?[\\[({<*|]\\s?(?:${DOT_WORDS})\\s?[\\])}>*|]\\s?`, 'giu');
const BARE_DOT = new RegExp(`\\s(?:${DOT_WORDS})\\s`, 'giu');
/** Without brackets the criteria are stricter: ` at `, `-at-`, `_at_`, `AT` between letters. */
const BARE = /at|At|AT|ät|Ät|arroba|chiocciola|kukac|zavin[aá]č|собака/g;
const BRACKET_HINT = /[[({<*|"]\s?(?:a|ä|æ|@|c|k|z|m|s|e|с|н)/i;

function findDisguised(text: string): TextEmail[] {
  const finds: TextEmail[] = [];
  let checks = 0;
  if (BRACKET_HINT.test(text))
    for (const { index, 0: sign } of matchesOf(BRACKETED, text)) {
      if ((checks += 1) > MAX_CHECKS) break;
      const end = index + sign.length;
      // "(a)" also begins a paragraph: as an at sign it is inside a word.
      if (SHORT_WORD.test(sign) && (text[index - 1] === ' ' || text[end] === ' ')) continue;
      const find = undisguise(text, index, end);
      if (find) finds.push(find);
    }
  for (const match of matchesOf(BARE, text)) {
    const sides = sidesOf(text, match.index, match[0]);
    if (sides < 0) continue;
    if ((checks += 1) > MAX_CHECKS) break;
    const index = match.index - sides;
    const find = undisguise(text, index, match.index + match[0].length + sides);
    if (!find) continue;
    const local = find.email.slice(0, find.email.indexOf('@'));
    const isSpelt = text.slice(index, find.end).search(BARE_DOT) >= 0;
    if (isSpelt ? !SENTENCE_WORD.test(local) : isSaidToBeMail(text, find.start, local))
      finds.push(find);
  }
  return finds;
}

/** How many characters on both sides belong to a bare at sign; -1 where it is part of a word. */
function sidesOf(text: string, at: number, word: string): 0 | 1 | -1 {
  const [before, after] = [text[at - 1] ?? '', text[at + word.length] ?? ''];
  if (isBlank(before) && isBlank(after)) return 1;
  const isAt = word === 'at' || word === 'AT';
  if (isAt && /[-_]/.test(before) && /[-_]/.test(after)) return 1;
  return word === 'AT' && /[a-z0-9]/.test(before) && /[a-z0-9]/.test(after) ? 0 : -1;
}

const isBlank = (character: string): boolean =>
  character === ' ' || character === '\n' || character === '\t';

/** "at" words that are also other words, or letters of a list. */
const SHORT_WORD = /^[^\p{L}@]*(?:a|ad|et|na|на)[^\p{L}@]*$/iu;

const LONGEST_DISGUISE = 120;

/** Puts real at signs and dots in place around `text.slice(from, to)` and reads the result. */
function undisguise(text: string, from: number, to: number): TextEmail | null {
  const before = line(text.slice(Math.max(0, from - LONGEST_DISGUISE), from), -1);
  const after = line(text.slice(to, to + LONGEST_DISGUISE), 0);
  const left = before.replaceAll(DOT, '.').trimEnd();
  const spelt = after.replaceAll(DOT, '.').trimStart();
  const right = spelt.replaceAll(BARE_DOT, '.');
  const plain = `${left}@${right}`;
  const find = emailAround(plain, left.length, left.length + 1);
  if (!find || find.email.includes('@www.')) return null;
  const length = find.email.length - find.email.indexOf('@') - 1;
  // Its end in the page's text is approximate: the disguise is longer than the address.
  return {
    ...find,
    start: from - (left.length - find.start),
    end: to + length,
    isObfuscated: true,
  };
}

const line = (text: string, at: 0 | -1): string => text.split('\n').at(at) ?? '';
