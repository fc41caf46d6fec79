/** Evidence in a message's own text, in all languages at once: machine, person, or opt-out. */
import { folded, patternsOf, visible } from './folding.ts';
import { hintsIn, isAboutSomebodyElse, isFromPhone } from './hints.ts';
import { isOptOut, sentencesOf } from './opt-outs.ts';

/** Evidence in the text; headers are not considered. */
export interface Signs {
  /** A person is away. */
  isAway: boolean;
  /** A person has left. */
  hasLeft: boolean;
  /** A machine has received the message. */
  isReceived: boolean;
  /** It says that a machine wrote it, which notices do as well. */
  isGenerated: boolean;
  /** Weak evidence for a machine: urgent matters, opening hours. */
  hints: number;
  /** Opts out. */
  isOptOut: boolean;
  /** Speaks about the offer, a price, a time. */
  isPersonal: boolean;
  /** Continues the conversation: another channel, another time, interest. */
  keeps: boolean;
  /** Asks a question, emergencies aside. */
  asks: boolean;
  /** Has phrases of people who answer. */
  isConversation: boolean;
  /** Greets by the first or the last name; systems use both. */
  greets: boolean;
  /** Typed on a phone. */
  isFromPhone: boolean;
}

/** Machines say it early; further down it is a person's news. */
const AUTOMATIC_WITHIN = 800;
/** Longer texts are judged by their beginning. */
const MAX_CHARS = 1_500;

/** `words`: the message without its quotes; `names`: whom it may greet, folded. */
export function readSigns(words: string, names: readonly string[]): Signs {
  const own = visible(words).slice(0, MAX_CHARS);
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
    isGenerated: some(GENERATED, start.replaceAll(QUESTIONS, '')),
    hints: hintsIn(start),
    isOptOut: isOptOut(corrected(own), text),
    isPersonal: some(PERSONAL, calm),
    keeps: some(KEEPS, calm),
    asks: QUESTION.test(calm),
    isConversation: some(TALK, text),
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

/** `Is this an automated message?` */
const QUESTIONS = /[^.!?？]{0,200}[?？]/gu;

/** Greek asks with `;`. */
const QUESTION = /[?؟]|[α-ω]\s*;(?:\s|$)/u;

/** Common misspellings: `unsuscribe`, `unsubcribe`. */
const corrected = (text: string): string =>
  text.replaceAll(/(?<!\p{L})(?:un-?[subcripde]{5,11}|unsub|r[emov]{3,7})(?!\p{L})/giu, (word) => {
    if (/^r/i.test(word))
      return /^r(?=.{0,4}m)(?=.{0,5}v)(?=.{0,6}o)/i.test(word) ? 'remove' : word;
    const isMeant =
      /^unsub$/i.test(word) || /^un(?=.*s)(?=.*b)(?=.*[cr])(?!.*(?:ed|er)$)/i.test(word);
    return isMeant ? 'unsubscribe' : word;
  });

/** Within the first words; a greeting by the full name comes from a system. */
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
