/** Reads delimiter-separated values, by RFC 4180 and as real programs write them. */

export const DELIMITERS = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

export interface CsvRecord {
  cells: string[];
  /** Where the next record begins; the text's length after the last one. */
  end: number;
}

/** The maximum length of a quoted cell: an unmatched quotation mark would swallow the rest of the file. */
const MAX_QUOTED_LENGTH = 65_536;
/** More columns than any spreadsheet of leads has; further ones are dropped. */
export const MAX_CELLS = 1_000;

const QUOTE = 0x22;
const CARRIAGE_RETURN = 0x0d;
const LINE_FEED = 0x0a;
const SPACE = 0x20;

/**
 * The record that begins at `start`. Any text can be read: a quotation mark without a partner at the end of a
 * cell is a literal. A library that reads byte by byte costs as much per row as storing it, and gives up all
 * rows after a stray quotation mark; the tests compare this reader with csv-parse.
 */
export function readRecord(text: string, start: number, delimiter: Delimiter): CsvRecord {
  const separator = delimiter.charCodeAt(0);
  const { length } = text;
  const cells: string[] = [];
  let at = start;
  for (;;) {
    const quote = quoteAt(text, at);
    const closing = quote === -1 ? -1 : closingQuote(text, quote, separator);
    let end = closing === -1 ? at : closing + 1;
    let code = text.charCodeAt(end);
    while (end < length && code !== separator && code !== LINE_FEED && code !== CARRIAGE_RETURN) {
      code = text.charCodeAt((end += 1));
    }
    if (cells.length < MAX_CELLS) {
      cells.push(
        closing === -1 ? text.slice(at, end) : text.slice(quote + 1, closing).replaceAll('""', '"'),
      );
    }
    if (end < length && code === separator) {
      at = end + 1;
      continue;
    }
    const isPair = code === CARRIAGE_RETURN && text.charCodeAt(end + 1) === LINE_FEED;
    return { cells, end: Math.min(end + (isPair ? 2 : 1), length) };
  }
}

/** Only blanks in all cells, as spreadsheets write emptied rows. */
export const isBlank = (cells: readonly string[]): boolean =>
  cells.every((cell) => cell.trim() === '');

/**
 * The delimiter that the first record uses most, outside quotation marks; a comma where there is none.
 * Excel's own line `sep=;` counts as a record: see `skipSeparatorLine`.
 */
export function sniffDelimiter(text: string): Delimiter {
  const announced = SEPARATOR_LINE.exec(text)?.[1];
  if (announced !== undefined) return announced as Delimiter;
  const bare = text.slice(0, MAX_QUOTED_LENGTH).replaceAll(/"[^"]*"/g, '');
  const [line = ''] = bare.trimStart().split(/[\r\n]/, 1);
  const counts = DELIMITERS.map((delimiter) => [delimiter, line.split(delimiter).length] as const);
  return counts.reduce((best, next) => (next[1] > best[1] ? next : best))[0];
}

/** Where the file begins after Excel's line `sep=;`, which no other program understands. */
export const skipSeparatorLine = (text: string): number =>
  SEPARATOR_LINE.exec(text)?.[0].length ?? 0;

const SEPARATOR_LINE = /^"?sep=([,;\t|])"?(?:\r\n|\n|\r|$)/i;

/** The position of the cell's opening quotation mark, after blanks; -1 without one. */
function quoteAt(text: string, start: number): number {
  let at = start;
  let code = text.charCodeAt(at);
  while (code === SPACE) code = text.charCodeAt((at += 1));
  return code === QUOTE ? at : -1;
}

/**
 * The mark that closes the one at `open`, followed by at most blanks before the cell's end; doubled marks are
 * literals. -1: the one at `open` is a literal.
 */
function closingQuote(text: string, open: number, separator: number): number {
  const limit = open + MAX_QUOTED_LENGTH;
  let at = text.indexOf('"', open + 1);
  while (at !== -1 && at < limit && text.charCodeAt(at + 1) === QUOTE) {
    at = text.indexOf('"', at + 2);
  }
  if (at === -1 || at >= limit) return -1;
  let next = at + 1;
  while (text.charCodeAt(next) === SPACE) next += 1;
  const code = text.charCodeAt(next);
  const isEnd = next === text.length || code === separator || code === LINE_FEED;
  return isEnd || code === CARRIAGE_RETURN ? at : -1;
}
