/** What a message's own words say, in all languages at once: machine, person, or no more of this. */
import { folded, patternsOf } from './folding.ts';
import { hintsIn, isAboutSomebodyElse, isFromPhone } from './hints.ts';
import { isOptOut, sentencesOf } from './opt-outs.ts';

/** What the words themselves tell; headers are not looked at. */
export interface Signs {
  /** Somebody is away. */
  isAway: boolean;
  /** Somebody has left. */
  hasLeft: boolean;
  /** A machine has received the message. */
  isReceived: boolean;
  /** It says that a machine wrote it, which notices do as well. */
  isGenerated: boolean;
  /** Weak ones of machines: urgent matters, opening hours. */
  hints: number;
  /** Wants no more of ours. */
  isOptOut: boolean;
  /** Speaks about the offer, a price, a time. */
  isPersonal: boolean;
  /** Goes on talking: another way, another time, interest. */
  keeps: boolean;
  /** Asks something, emergencies aside. */
  asks: boolean;
  /** Speaks as people do who answer. */
  isTalk: boolean;
  /** By the first name or the last; systems write both. */
  greets: boolean;
  /** Typed on a phone. */
  isFromPhone: boolean;
}

/** Machines say it at once; further down it is somebody's news. */
const AUTOMATIC_WITHIN = 800;
/** What is longer is read by its beginning. */
const MAX_CHARS = 1_500;

/** `words`: the message without its quotes; `names`: whom it may greet, folded. */
export function readSigns(words: string, names: readonly string[]): Signs {
  const own = words.slice(0, MAX_CHARS);
  const text = corrected(folded(own).trim());
  const sentences = sentencesOf(text);
  const start = sentencesOf(text.slice(0, AUTOMATIC_WITHIN))
    .filter((sentence) => !isAboutSomebodyElse(sentence.trimStart()))
    .join('');
  const calm = sentences.filter((sentence) => !some(URGENT, sentence)).join('. ');
  return {
    isAway: some(AWAY, start),
    hasLeft: some(LEFT, start),
    isReceived: some(RECEIVED, start),
    isGenerated: some(GENERATED, start),
    hints: hintsIn(start),
    isOptOut: isOptOut(corrected(own), text),
    isPersonal: some(PERSONAL, calm),
    keeps: some(KEEPS, calm),
    asks: QUESTION.test(calm),
    isTalk: some(TALK, text),
    greets: greets(text, names),
    isFromPhone: isFromPhone(own.split('\n').map(folded).join('\n')),
  };
}

/** Subjects: `Automatic reply: A question`, `Re: Offer [Out of office]`, `Away skiing Re: A question`. */
export function isAutomaticSubject(subject: string): boolean {
  const text = folded(subject).trim();
  if (some(SUBJECTS, text.replace(/^[[(*"' ]+/, ''))) return true;
  const mark = /[[(]\s*([^[\]()]+)[\])]\s*$/.exec(text)?.[1];
  return mark !== undefined && some(SUBJECTS, mark);
}

const some = (patterns: readonly RegExp[], text: string): boolean =>
  patterns.some((pattern) => pattern.test(text));

const SUBJECTS = patternsOf('subjects').map(({ source }) => new RegExp(`^(?:${source})`, 'u'));
const AWAY = patternsOf('away');
const LEFT = patternsOf('left');
const RECEIVED = patternsOf('received');
const GENERATED = patternsOf('automatic');
const PERSONAL = patternsOf('personal');
const TALK = patternsOf('talk');
const KEEPS = patternsOf('keeps');
const URGENT = patternsOf('urgent');

/** Greek asks with `;`. */
const QUESTION = /[?؟]|[α-ω]\s*;(?:\s|$)/u;

/** People who are annoyed do not look the word up: `unsuscribe`, `unsubcribe`. */
const corrected = (text: string): string =>
  text.replaceAll(
    /(?<!\p{L})uns?u[bsd]{0,3}[scribd]{3,8}e?(?!\p{L})|(?<!\p{L})unsub(?!\p{L})/giu,
    (word) => (/[cr]/i.test(word) || word.length === 5 ? 'unsubscribe' : word),
  );

/** Within the first words; who is called by the whole name is called so by a system. */
function greets(text: string, names: readonly string[]): boolean {
  const start = text.split(/\s+/).slice(0, MAX_GREETING).join(' ');
  const head = text.slice(0, MAX_HEAD);
  const found = names.filter((name) => {
    const called = `${name.slice(0, -1)}\\p{L}{0,2}`;
    return (
      name.length > 2 &&
      (new RegExp(`(?<!\\p{L})${called}(?!\\p{L})`, 'u').test(start) ||
        new RegExp(`[:.!] ${called}[,!]`, 'u').test(head))
    );
  });
  return found.length > 0 && (found.length < names.length || names.length === 1);
}

const MAX_GREETING = 4;
/** `Comment by Ben: Anna, ...` */
const MAX_HEAD = 100;
