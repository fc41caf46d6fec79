/** Writes rows as CSV that spreadsheets open as text: no cell is a formula. */

/** Excel shows letters outside ASCII only behind this mark. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** What makes a spreadsheet read a cell as a formula; also behind blanks and our own apostrophes. */
const FORMULA = /^[\s']*[=+\-@＝＋－＠]/;
/** A telephone number stays readable, and a sum of nothing does no harm. */
const PHONE = /^\+[\d ]+$/;
const NEEDS_QUOTES = /[",;|\t\r\n]|^\s|\s$/;

export type CsvValue = string | number | boolean | null;

/** Lines of comma-separated cells by RFC 4180. */
export const csvText = (rows: readonly (readonly CsvValue[])[]): string =>
  rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');

/** The same with every cell as it is, for programs: a password with an apostrophe in front is wrong. */
export const exactCsvText = (rows: readonly (readonly CsvValue[])[]): string =>
  rows.map((row) => `${row.map((value) => quoted(String(value ?? ''))).join(',')}\r\n`).join('');

/** Text that would be a formula gets an apostrophe in front, which `plainCell` takes away again. */
function csvCell(value: CsvValue): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const text = FORMULA.test(value) && !PHONE.test(value) ? `'${value}` : value;
  return quoted(text);
}

const quoted = (text: string): string =>
  NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/** A cell as it was before it was written safely, without blanks around it. */
export const plainCell = (cell: string): string => {
  const text = cell.trim();
  return text.startsWith("'") && FORMULA.test(text) ? text.slice(1).trim() : text;
};
