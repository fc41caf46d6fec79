/** Closes the gaps that empty values leave in a text. Choice 9. */

/** Stands for an empty value until the text is complete; no template and no value can contain it. */
export const NOTHING = '\u0000';

/** One blank: of any width, or as HTML has it. */
const BLANK = '(?:[\\t\\p{Zs}]|&nbsp;)';
const COMMAS = ',，、،';
/** Marks that follow a word without a blank. */
const STOPS = `${COMMAS}.;:!?)…。．；：！？）؛؟۔।॥`;
/** Marks before which some languages write a blank. */
const SPACED_STOPS = ';:!?»';
const DASHES = '—―–';

/** An empty value, or several, with the blanks around. */
const EMPTY = `${BLANK}*\\0(?:\\0|${BLANK})*`;
/** Before a mark; a blank that the template has before one of some languages stays. */
const keepingBlank = (stop: string) => `(?:(?<=(${BLANK}))(?=[${SPACED_STOPS}])|(?=${stop}))`;

const pattern = (source: string) => new RegExp(source, 'gu');

const IN_BRACKETS = pattern(`(?<!${BLANK})${BLANK}*[(（]\\0+[)）]`);
const OWN_LINE = pattern(`(^|\\n)${EMPTY}(?:\\r?\\n|$)`);
const AT_BEGIN = pattern(
  `(^|\\n|>)${EMPTY}(?:[${COMMAS};:!；：！؛]|[${DASHES}-](?=${BLANK}))?${BLANK}*`,
);
/** `Thanks, {{firstName}}!` The comma before a line end stays: `Best regards, {{senderName}}`. */
const BEHIND_COMMA = pattern(`[${COMMAS}]${EMPTY}${keepingBlank(`[${STOPS}]`)}`);
const BEFORE_STOP = pattern(`(?<!${BLANK}|\\0)${EMPTY}${keepingBlank(`[${STOPS}\\r\\n<]|$`)}`);
const BEFORE_DASH = pattern(`(?<!${BLANK}|\\0)${BLANK}*\\0+(?=[${DASHES}])`);
const BETWEEN_WORDS = pattern(`(?<!${BLANK})(${BLANK})${EMPTY}`);

/**
 * "Hi {{firstName}}, ..." without a name becomes "Hi, ...". Each pattern begins where its run of blanks does: begun at
 * each of them, a long run takes n² steps.
 */
export function withoutGaps(text: string): string {
  if (!text.includes(NOTHING)) return text;
  return text
    .replaceAll(IN_BRACKETS, '')
    .replaceAll(OWN_LINE, '$1')
    .replaceAll(AT_BEGIN, '$1')
    .replaceAll(BEHIND_COMMA, '$1')
    .replaceAll(BEFORE_STOP, '$1')
    .replaceAll(BEFORE_DASH, '')
    .replaceAll(BETWEEN_WORDS, '$1')
    .replaceAll(NOTHING, '');
}
