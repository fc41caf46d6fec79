/** Writes rows as CSV that spreadsheets read as text: no cell is a formula. */

/** Excel shows non-ASCII letters only after this mark. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** What makes a spreadsheet treat a cell as a formula; also after blanks and our own apostrophes. */
const FORMULA = /^[\s']*[=+\-@＝＋－＠]/;
/**
 * Excel of a country that writes 1,5 cuts the lines of a comma-separated file at semicolons, and quotation marks in a
 * cell do not keep it from that: a formula behind one, or behind a tab, a bar or a line end, is one as well.
 */
const INNER_FORMULA =
  /([;|\t\r\n])(?=(?:[^\S\t\r\n]|['"])*[=+\-@＝＋－＠])(?!\s*\+[\d ]+(?:[;|\t\r\n]|$))/g;
/** What was put before one. */
const INNER_APOSTROPHE = /(?<=[;|\t\r\n])'(?=(?:[^\S\t\r\n]|['"])*[=+\-@＝＋－＠])/g;
/** A phone number stays readable; as a formula it would be harmless. */
const PHONE = /^\+[\d ]+$/;
const NEEDS_QUOTES = /[",;|\t\r\n]|^\s|\s$/;

export type CsvValue = string | number | boolean | null;

/** Lines of comma-separated cells by RFC 4180. */
export const csvText = (rows: readonly (readonly CsvValue[])[]): string =>
  rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');

/** The same with unchanged cells, for programs: an added apostrophe would make a password wrong. */
export const exactCsvText = (rows: readonly (readonly CsvValue[])[]): string =>
  rows.map((row) => `${row.map((value) => quoted(String(value ?? ''))).join(',')}\r\n`).join('');

/** Text that would be a formula gets an apostrophe before it, which `plainCell` removes. */
function csvCell(value: CsvValue): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const text = FORMULA.test(value) && !PHONE.test(value) ? `'${value}` : value;
  return quoted(text.replaceAll(INNER_FORMULA, "$1'"));
}

const quoted = (text: string): string =>
  NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/** A cell as it was before escaping, without surrounding blanks and invisible marks. */
export const plainCell = (cell: string): string => {
  const text = trimmed(cell.replaceAll(INNER_APOSTROPHE, ''));
  return text.startsWith("'") && FORMULA.test(text) ? trimmed(text.slice(1)) : text;
};

/** What programs put around copied addresses and names: marks of the text direction and of no width. */
const UNSEEN = /[\s\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/;

function trimmed(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && UNSEEN.test(text[start]!)) start += 1;
  while (end > start && UNSEEN.test(text[end - 1]!)) end -= 1;
  return text.slice(start, end);
}
