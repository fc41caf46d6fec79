/** What a letter's own words say, in all languages at once: machine, person, or no more of this. */
import { folded, patternOf } from './folding.ts';
import { LANGUAGES, type Phrases } from './phrases/index.ts';

/** What the words themselves tell; headers are not looked at. */
export interface Signs {
  /** Somebody is away. */
  isAway: boolean;
  /** Somebody has left. */
  hasLeft: boolean;
  /** A machine has received the letter. */
  isReceived: boolean;
  /** It says that a machine wrote it, which notices do as well. */
  isGenerated: boolean;
  /** Wants no more of ours. */
  isOptOut: boolean;
  /** Speaks about the offer, a price, a time. */
  isPersonal: boolean;
  /** Asks something, emergencies aside. */
  asks: boolean;
  /** Speaks as people do who answer. */
  isTalk: boolean;
}

/** Machines say it at once; further down it is somebody's news. */
const AUTOMATIC_WITHIN = 800;
/** What is longer is read by its beginning. */
const MAX_CHARS = 1_500;

/** `words`: the letter without its quotes; `name`: whom it may greet, in lower case. */
export function readSigns(words: string, name: string): Signs {
  const text = folded(words.slice(0, MAX_CHARS)).trim();
  const start = text.slice(0, AUTOMATIC_WITHIN);
  const calm = sentencesOf(text)
    .filter((sentence) => !URGENT.some((pattern) => pattern.test(sentence)))
    .join('. ');
  return {
    isAway: AWAY.some((pattern) => pattern.test(start)),
    hasLeft: LEFT.some((pattern) => pattern.test(start)),
    isReceived: RECEIVED.some((pattern) => pattern.test(start)),
    isGenerated: GENERATED.some((pattern) => pattern.test(start)),
    isOptOut: isOptOut(words.slice(0, MAX_CHARS), text),
    isPersonal: PERSONAL.some((pattern) => pattern.test(calm)),
    asks: QUESTION.test(calm),
    isTalk: TALK.some((pattern) => pattern.test(text)) || greets(text, name),
  };
}

/** Subjects: `Automatic reply: A question`, `Re: Offer [Out of office]`. */
export function isAutomaticSubject(subject: string): boolean {
  const text = folded(subject).trim();
  if (SUBJECTS.some((pattern) => pattern.test(text.replace(/^[[(*"' ]+/, '')))) return true;
  const mark = /[[(]\s*([^[\]()]+)[\])]\s*$/.exec(text)?.[1];
  return mark !== undefined && SUBJECTS.some((pattern) => pattern.test(mark));
}

const patterns = (part: Exclude<keyof Phrases, 'isSpaced'>): RegExp[] =>
  LANGUAGES.map((each) => patternOf(each[part], each.isSpaced));
const anchored = (part: 'subjects'): RegExp[] =>
  patterns(part).map(({ source }) => new RegExp(`^(?:${source})`, 'u'));

const SUBJECTS = anchored('subjects');
const AWAY = patterns('away');
const LEFT = patterns('left');
const RECEIVED = patterns('received');
const GENERATED = patterns('automatic');
const OPT_OUT = patterns('optOut');
const PERSONAL = patterns('personal');
const TALK = patterns('talk');
const KEEPS = patterns('keeps');
const URGENT = patterns('urgent');

/** Greek asks with `;`. */
const QUESTION = /[?؟]|[α-ω]\s*;(?:\s|$)/u;

const sentencesOf = (text: string): string[] =>
  text.split(/(?<=[!?。؟])|(?<=\D\.)(?=\s)|(?<=\d\.)(?=\s+\p{L}{2,}\s)/u);

const greets = (text: string, name: string): boolean =>
  name.length > 2 && new RegExp(`^(?:\\p{L}+[^\\p{L}]+){0,3}${name}(?!\\p{L})`, 'u').test(text);

/** The whole of a line, but for politeness. Lines of more are sentences. */
const MAX_LINE = 120;
/** Of a letter of this length at most the first lines may say it alone. */
const MAX_SHORT = 300;
const FIRST_LINES = 3;
/** `No thanks. Unsubscribe.` */
const MAX_TWO_SENTENCES = 100;

const wholes = (part: 'stop' | 'polite'): RegExp[] =>
  patterns(part).map(({ source }) => new RegExp(`^(?:${source})$`, 'u'));
const STOP = wholes('stop');
const POLITE = wholes('polite');
const POLITE_ENDS = LANGUAGES.map(({ polite, isSpaced }) => {
  // As few words as may be: what follows a greeting may be the wish itself.
  const { source } = patternOf(polite, isSpaced);
  const least = source.replaceAll(/\{\d,\d\}/g, '$&?');
  return new RegExp(`^(?:${least})${isSpaced ? '(?!\\p{L})' : ''} *| *(?:${least})$`, 'u');
});

/** One part of the line asks for it, and the others are polite. */
function saysItAlone(line: string): boolean {
  if (line.length > MAX_LINE) return false;
  const parts = line.split(/["'()]|[,.!:;。、،，！]+| - |\s-+\s?/).map((part) => part.trim());
  const others = parts.filter((part) => part !== '' && !POLITE.some((each) => each.test(part)));
  return others.length === 1 && isStop(others[0]!);
}

function isStop(part: string): boolean {
  let rest = part;
  for (let more = MAX_POLITE; more >= 0; more -= 1) {
    if (STOP.some((pattern) => pattern.test(rest))) return true;
    const end = POLITE_ENDS.find((pattern) => pattern.test(rest));
    if (!end) return false;
    rest = rest.replace(end, '').trim();
  }
  return false;
}

const MAX_POLITE = 4;

/** Who also says what interests them, or how else to talk, did not mean all letters. */
function isOptOut(words: string, text: string): boolean {
  if (text === '' || OPPOSITE.test(text)) return false;
  const lines = words.split('\n').map((line) => folded(line).trim());
  const first = lines.filter((line) => line !== '').slice(0, FIRST_LINES);
  const candidates = text.length <= MAX_SHORT ? [text, ...first] : first.slice(0, 1);
  if (text.length <= MAX_TWO_SENTENCES) candidates.push(...sentencesOf(text));
  const isAlone = candidates.some(saysItAlone);
  if (!isAlone && !OPT_OUT.some((pattern) => pattern.test(text))) return false;
  return !text.split(CLAUSES).some(keepsTalking);
}

const keepsTalking = (clause: string): boolean =>
  !NOT.test(clause) &&
  KEEPS.some((pattern) => pattern.test(clause)) &&
  !OPT_OUT.some((pattern) => pattern.test(clause));

/** Where one wish ends and the next begins. */
const CLAUSES =
  /[,;:.!?。、،؛؟()]| - |(?<!\p{L})(?=(?:but|however|just|rather|instead|sondern|aber|lieber|mais|plutot|pero|sino|mejor|ma|meglio|mas|melhor|maar|liever|ale|tylko|lepiej|но|лучше|але|краще|hanem|inkabb|dar|mai bine|αλλα|καλυτερα|אלא|אבל|עדיף|لكن|ولكن|بل|ama|fakat|men|utan)(?!\p{L}))|(?=但|而|可以)/u;

/** `I don't want your offer` is no interest. */
const NOT =
  /(?<!\p{L})(?:not?|never|dont|neither|nor|without|ohne|sans|sin|senza|sem|zonder|bez|без|fara|χωρις|ללא|بدون|stop|nicht|kein\p{L}*|nie|niemals|ne|n'|pas|plus|jamais|nunca|ni|non|nao|nem|niet|geen|nooit|не|нет|никогда|ні|ніколи|nu|δεν|μην?|לא|אל|אין|inte|ikke|aldrig|لا|لم|لن|عدم)(?!\p{L})|n't\b|[不别別勿没沒]|ない|なく|ません|不要|m[ae]yin|istemiyor|degil/u;

const OPPOSITE =
  /(?<!\p{L})(?:don't|do not|never|didn't|can't|cannot|won't|wouldn't|ne|nicht|no|non|please don't) (?:please |ever )?(?:want to |wish to |need to |have to )?(?:stop|unsubscribe|remove (?:me|us) from)(?!\p{L})/u;
