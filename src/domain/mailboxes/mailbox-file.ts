/** Reads a file of mailboxes: one row each, columns by their headers. Nothing of a row is ever repeated in an error. */
import { isBlank, readRecord, skipSeparatorLine, sniffDelimiter, type Delimiter } from '../csv.ts';
import { validationError } from '../errors.ts';
import { headerWord } from '../leads/lead-file-columns.ts';
import { MAX_FILE_ROWS } from '../leads/lead-imports.ts';

/** Usual headers, as `headerWord` writes them. */
const HEADERS = {
  email: ['email', 'emailaddress', 'address', 'mailbox', 'mail', 'emailadresse'],
  password: ['password', 'apppassword', 'pass', 'smtppassword', 'imappassword', 'passwort'],
  username: ['username', 'user', 'login', 'smtpusername', 'imapusername', 'benutzername'],
  preset: ['preset', 'provider', 'vendor'],
  smtpHost: ['smtphost', 'smtpserver', 'smtp'],
  smtpPort: ['smtpport'],
  smtpTls: ['smtptls', 'smtpsecurity', 'smtpencryption'],
  imapHost: ['imaphost', 'imapserver', 'imap'],
  imapPort: ['imapport'],
  imapTls: ['imaptls', 'imapsecurity', 'imapencryption'],
  senderName: ['sendername', 'displayname', 'fromname', 'name'],
  dailyLimit: ['dailylimit', 'dailysendinglimit', 'limit', 'maxperday'],
} as const;

export type MailboxField = keyof typeof HEADERS;
export const MAILBOX_FIELDS = Object.keys(HEADERS) as MailboxField[];

/** A row with the cells that are not empty, without the blanks around them. */
export interface MailboxFileRow {
  row: number;
  cells: Partial<Record<MailboxField, string>>;
}

/** First bytes of a ZIP archive and of a compound file, when read as text (Windows-1252). */
const WORKBOOK_STARTS = ['PK\u0003\u0004', '\u00d0\u00cf\u0011\u00e0'];
/** Some programs write notes above the header. */
const MAX_LINES_ABOVE_HEADER = 10;

/**
 * The rows below the header, at most 100,000. Throws 400 VALIDATION_ERROR for a file without the two columns that it
 * needs; it shows no headers, since a file without any has a password in its first row.
 */
export function readMailboxFile(text: string, given?: Delimiter): MailboxFileRow[] {
  if (WORKBOOK_STARTS.some((start) => text.startsWith(start))) {
    throw refused('is a workbook (.xlsx or .xls): save the sheet as CSV');
  }
  const delimiter = given ?? sniffDelimiter(text);
  const header = findHeader(text, delimiter);
  const rows: MailboxFileRow[] = [];
  let number = header.row;
  for (let at = header.end; at < text.length; number += 1) {
    const { cells, end } = readRecord(text, at, delimiter);
    at = end;
    if (isBlank(cells)) continue;
    if (rows.length === MAX_FILE_ROWS) {
      throw refused(`has more than ${MAX_FILE_ROWS.toLocaleString('en')} rows`);
    }
    rows.push({ row: number, cells: cellsOf(cells, header.columns) });
  }
  if (rows.length === 0) throw refused('has no rows below its header');
  return rows;
}

type Columns = Partial<Record<MailboxField, number>>;

function findHeader(text: string, delimiter: Delimiter) {
  let at = skipSeparatorLine(text);
  let row = at === 0 ? 1 : 2;
  let hasEmail = false;
  for (let seen = 0; at < text.length && seen < MAX_LINES_ABOVE_HEADER; row += 1) {
    const { cells, end } = readRecord(text, at, delimiter);
    at = end;
    if (isBlank(cells)) continue;
    seen += 1;
    const columns = columnsOf(cells);
    if (columns.email === undefined) continue;
    hasEmail = true;
    if (columns.password !== undefined) return { columns, end, row: row + 1 };
  }
  if (text.trim() === '') throw refused('is empty');
  throw refused(
    hasEmail
      ? 'has no column "password" beside "email"'
      : 'has no header with "email" and "password"; further columns are ' +
          MAILBOX_FIELDS.slice(2).join(', '),
  );
}

function columnsOf(headers: readonly string[]): Columns {
  const words = headers.map(headerWord);
  const columns: Columns = {};
  for (const field of MAILBOX_FIELDS) {
    const name = HEADERS[field].find((one) => words.includes(one));
    if (name !== undefined) columns[field] = words.indexOf(name);
  }
  return columns;
}

function cellsOf(cells: readonly string[], columns: Columns): MailboxFileRow['cells'] {
  const found: MailboxFileRow['cells'] = {};
  for (const field of MAILBOX_FIELDS) {
    const column = columns[field];
    const cell = column === undefined ? '' : (cells[column] ?? '').trim();
    if (cell !== '') found[field] = cell;
  }
  return found;
}

const refused = (problem: string) => validationError([{ field: 'csv', message: `csv ${problem}` }]);
