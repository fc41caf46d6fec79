/** Writes rows as CSV that spreadsheets read as text: no cell is a formula. */

/** Excel shows non-ASCII letters only after this mark. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** What makes a spreadsheet treat a cell as a formula; also after blanks and our own apostrophes. */
const FORMULA = /^[\s']*[=+\-@＝＋－＠]/;
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

/** Text that would be a formula gets a leading apostrophe, which `plainCell` removes. */
function csvCell(value: CsvValue): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const text = FORMULA.test(value) && !PHONE.test(value) ? `'${value}` : value;
  return quoted(text);
}

const quoted = (text: string): string =>
  NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/** A cell as it was before escaping, without surrounding blanks. */
export const plainCell = (cell: string): string => {
  const text = cell.trim();
  return text.startsWith("'") && FORMULA.test(text) ? text.slice(1).trim() : text;
};
