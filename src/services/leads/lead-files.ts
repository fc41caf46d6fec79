/** Reads an uploaded lead file: its columns, its number of rows, and the parts it is imported in. */
import { setImmediate as yieldToEvents } from 'node:timers/promises';
import type { FilePart } from '../../db/leads/lead-imports.ts';
import {
  isBlank,
  MAX_CELLS,
  readRecord,
  skipSeparatorLine,
  sniffDelimiter,
  type Delimiter,
} from '../../domain/csv.ts';
import { validationError } from '../../domain/errors.ts';
import {
  guessMapping,
  namedMapping,
  type ColumnNames,
  type LeadFileMapping,
} from '../../domain/leads/lead-file-columns.ts';
import type { CustomField } from '../../domain/leads/custom-fields.ts';
import {
  namedCustom,
  unknownCustom,
  withCustom,
  type CustomFileColumn,
} from '../../domain/leads/lead-file-custom.ts';
import { CONTACT_FIELDS } from '../../domain/leads/lead-file-fields.ts';
import { MAX_FILE_ROWS, PART_ROWS } from '../../domain/leads/lead-imports.ts';

/** Some programs write notes above the header. */
const MAX_LINES_ABOVE_HEADER = 10;
/** Characters per part: bounds the memory for one, however long the rows are. */
const PART_LENGTH = 1_000_000;
/** How many headers an error message shows. */
const SHOWN_HEADERS = 30;

/** First bytes of a ZIP archive and of a compound file, when read as text (Windows-1252). */
const WORKBOOK_STARTS = ['PK\u0003\u0004', '\u00d0\u00cf\u0011\u00e0'];

export interface LeadFile {
  delimiter: Delimiter;
  headers: string[];
  mapping: LeadFileMapping;
  /** Columns of custom fields. */
  custom: CustomFileColumn[];
  totalRows: number;
  parts: FilePart[];
}

/**
 * Undefined `named`: detected by the usual headers, custom fields (`fields`) by their names and labels. Throws 400 VALIDATION_ERROR naming what is missing
 * or too much. Choice 47: at most 100,000 rows.
 */
export async function readLeadFile(
  text: string,
  given: {
    delimiter?: Delimiter | undefined;
    named?: Named | undefined;
    fields?: readonly CustomField[];
  },
): Promise<LeadFile> {
  if (WORKBOOK_STARTS.some((start) => text.startsWith(start))) {
    throw refused('is a workbook (.xlsx or .xls): save the sheet as CSV');
  }
  const delimiter = given.delimiter ?? sniffDelimiter(text);
  const { named, fields = [] } = given;
  if (named) refuseUnknown(fields, named);
  const { headers, mapping, custom, end, row } = findHeader(text, delimiter, { named, fields });
  const { parts, totalRows } = await cutIntoParts(text, { delimiter, start: end, row });
  if (totalRows === 0) throw refused('has no rows below its header');
  return { delimiter, headers, mapping, custom, totalRows, parts };
}

/** Headers by field, as the client names them. */
type Named = Readonly<Record<string, string | undefined>>;

interface Wanted {
  named: Named | undefined;
  fields: readonly CustomField[];
}

interface Header {
  headers: string[];
  mapping: LeadFileMapping;
  custom: CustomFileColumn[];
  /** Where the first data row begins. */
  end: number;
  /** Row number, as a spreadsheet counts. */
  row: number;
}

/** The first row that names a contact column; if none does, the error says what the first row lacks. */
function findHeader(text: string, delimiter: Delimiter, wanted: Wanted): Header {
  let first: Header | undefined;
  let at = skipSeparatorLine(text);
  let row = at === 0 ? 1 : 2;
  for (let seen = 0; at < text.length && seen < MAX_LINES_ABOVE_HEADER; row += 1) {
    const { cells, end } = readRecord(text, at, delimiter);
    at = end;
    if (isBlank(cells)) continue;
    seen += 1;
    const headers = withoutEmptyEnd(cells.map((cell) => cell.trim()));
    const { missing, ...columns } = columnsOf(headers, wanted);
    const { mapping } = columns;
    const header = { headers, ...columns, end, row: row + 1 };
    first ??= header;
    if (missing.length > 0) continue;
    if (CONTACT_FIELDS.some((field) => mapping[field] !== undefined)) return checked(header);
  }
  throw noHeader(first?.headers, wanted);
}

function columnsOf(headers: readonly string[], { named, fields }: Wanted) {
  if (named === undefined) {
    return { ...withCustom(headers, guessMapping(headers), fields), missing: [] };
  }
  const { mapping, missing } = namedMapping(headers, named as ColumnNames);
  const own = namedCustom(headers, fields, named);
  return { mapping, custom: own.columns, missing: [...missing, ...own.missing] };
}

function refuseUnknown(fields: readonly CustomField[], named: Named): void {
  const problems = unknownCustom(fields, named).map((field) => {
    const path = `mapping.${field}`.slice(0, 200);
    return { field: path, message: `${path}: there is no such custom field` };
  });
  if (problems.length > 0) throw validationError(problems);
}

function checked(header: Header): Header {
  if (header.headers.length < MAX_CELLS) return header;
  throw refused(`has more than ${MAX_CELLS - 1} columns`);
}

const withoutEmptyEnd = (headers: string[]): string[] =>
  headers.slice(0, headers.findLastIndex((header) => header !== '') + 1);

async function cutIntoParts(
  text: string,
  { delimiter, start, row }: { delimiter: Delimiter; start: number; row: number },
): Promise<{ parts: FilePart[]; totalRows: number }> {
  const parts: FilePart[] = [];
  let totalRows = 0;
  let at = start;
  let number = row;
  while (at < text.length) {
    const from = at;
    const firstRow = number;
    let rows = 0;
    while (at < text.length && rows < PART_ROWS && at - from < PART_LENGTH) {
      const { cells, end } = readRecord(text, at, delimiter);
      at = end;
      number += 1;
      if (!isBlank(cells)) rows += 1;
    }
    totalRows += rows;
    if (totalRows > MAX_FILE_ROWS) {
      throw refused(`has more than ${MAX_FILE_ROWS.toLocaleString('en')} rows`);
    }
    if (rows > 0) parts.push({ firstRow, content: text.slice(from, at) });
    // Reading a large file takes a tenth of a second: other requests are served in between.
    await yieldToEvents();
  }
  return { parts, totalRows };
}

function noHeader(headers: string[] | undefined, wanted: Wanted) {
  if (!headers) return refused('is empty');
  const shown = headers.slice(0, SHOWN_HEADERS).join(', ').slice(0, 1_000);
  const { missing } = columnsOf(headers, wanted);
  if (missing.length > 0) {
    return validationError(
      missing.map(({ field, header }) => ({
        field: `mapping.${field}`,
        message: `mapping.${field}: the file has no column "${header}"; it has: ${shown}`,
      })),
    );
  }
  return wanted.named
    ? validationError([
        {
          field: 'mapping',
          message: `mapping must name at least one of ${CONTACT_FIELDS.join(', ')}`,
        },
      ])
    : refused(
        'has no column that is known to hold e-mail addresses, telephone numbers or profile ' +
          `URLs; say by mapping which one does. Its columns are: ${shown}`,
      );
}

const refused = (problem: string) => validationError([{ field: 'csv', message: `csv ${problem}` }]);
