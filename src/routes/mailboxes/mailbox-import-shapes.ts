/** Wire shapes of files of mailboxes. Choice 120. */
import { setImmediate as yieldToEvents } from 'node:timers/promises';
import { z } from 'zod';
import { problemOf } from '../../domain/client-words.ts';
import type { Delimiter } from '../../domain/csv.ts';
import { OutreachError, type FieldProblem } from '../../domain/errors.ts';
import {
  readMailboxFile,
  type MailboxField,
  type MailboxFileRow,
} from '../../domain/mailboxes/mailbox-file.ts';
import {
  endedRows,
  MAILBOX_IMPORT_STATUSES,
  MAILBOX_ROW_STATES,
  type MailboxRowOrder,
  type RefusedMailboxRow,
} from '../../domain/mailboxes/mailbox-imports.ts';
import { timestamp } from '../../http/schemas.ts';
import { checkFields } from '../../http/validation.ts';
import type {
  listMailboxImportRows,
  MailboxFile,
  MailboxImportView,
} from '../../services/mailboxes/mailbox-imports.ts';
import { addressOf, orderOf, type ConnectBody } from './connection-shapes.ts';

export const mailboxImport = z
  .object({
    id: z.int(),
    status: z.enum(MAILBOX_IMPORT_STATUSES),
    fileName: z.string().nullable(),
    totalRows: z.int(),
    processedRows: z.int().describe('Rows that are over, whatever became of them.'),
    counts: z
      .object(
        Object.fromEntries(MAILBOX_ROW_STATES.map((state) => [state, z.int()])) as Record<
          (typeof MAILBOX_ROW_STATES)[number],
          z.ZodInt
        >,
      )
      .describe('Rows by state; together `totalRows`.'),
    progressPercent: z.int(),
    message: z.string(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
    finishedAt: timestamp.nullable(),
  })
  .meta({ id: 'MailboxImport' });

export function presentMailboxImport({
  row,
  counts,
}: MailboxImportView): z.input<typeof mailboxImport> {
  const processedRows = endedRows(counts, row.total_rows);
  return {
    id: row.id,
    status: row.status,
    fileName: row.file_name,
    totalRows: row.total_rows,
    processedRows,
    counts,
    progressPercent: Math.floor((100 * processedRows) / row.total_rows),
    message: messageOf(processedRows, row.total_rows, counts),
    error: problemOf(row),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
  };
}

/** A summary for people, without zero counts. */
function messageOf(processed: number, total: number, counts: MailboxImportView['counts']): string {
  const parts = [
    [counts.connected, 'connected'],
    [counts.already_connected, 'connected already'],
    [counts.duplicate, 'twice in the file'],
    [counts.invalid, 'not readable'],
    [counts.failed, 'failed'],
    [counts.cancelled, 'cancelled'],
  ] as const;
  const phrases = parts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  const rows = `${processed} of ${total} rows are over`;
  return `${rows}${phrases.length > 0 ? `: ${phrases.join(', ')}` : ''}.`;
}

export const mailboxImportRow = z
  .object({
    row: z.int().describe('As a spreadsheet counts: the header is mostly row 1.'),
    state: z.enum(MAILBOX_ROW_STATES),
    email: z.string().nullable().describe('Null where the cell is no e-mail address.'),
    mailboxId: z.int().nullable(),
    field: z.string().nullable().describe('What is wrong in a row that is `invalid`.'),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    beganAt: timestamp.nullable(),
    endedAt: timestamp.nullable(),
  })
  .meta({ id: 'MailboxImportRow' });

type Row = Awaited<ReturnType<typeof listMailboxImportRows>>['rows'][number];

export const presentImportRow = (row: Row): z.input<typeof mailboxImportRow> => ({
  row: row.row_number,
  state: row.state,
  email: row.email,
  mailboxId: row.mailbox_id,
  field: row.field,
  error:
    row.error_message === null
      ? null
      : { code: row.error_code ?? row.state.toUpperCase(), message: row.error_message },
  beganAt: row.begun_at?.toISOString() ?? null,
  endedAt: row.ended_at?.toISOString() ?? null,
});

const ROWS_BETWEEN = 200;

/** Reads the file, and judges each row by what `POST /v1/mailboxes/connect` takes. */
export async function mailboxFileOf(
  given: { text: string; delimiter?: Delimiter | undefined; fileName?: string | undefined },
  body: ConnectBody,
): Promise<MailboxFile> {
  const orders: MailboxRowOrder[] = [];
  const refused: RefusedMailboxRow[] = [];
  const rowOf = new Map<string, number>();
  for (const [index, row] of readMailboxFile(given.text, given.delimiter).entries()) {
    // A large file takes seconds: other requests are served in between.
    if (index % ROWS_BETWEEN === 0) await yieldToEvents();
    const judged = judge(row, body);
    if ('problem' in judged) {
      refused.push(judged);
      continue;
    }
    const { email } = judged;
    const before = rowOf.get(email);
    if (before === undefined) {
      rowOf.set(email, row.row);
      orders.push({ ...judged, row: row.row });
    } else {
      const problem = `row ${before} has the same address`;
      refused.push({ row: row.row, state: 'duplicate', email, field: null, problem });
    }
  }
  return { fileName: given.fileName, orders, refused };
}

function judge({ row, cells }: MailboxFileRow, body: ConnectBody) {
  try {
    return orderOf(checkFields(body, bodyOf(cells)));
  } catch (error) {
    if (!(error instanceof OutreachError)) throw error;
    const problems = (error.details as FieldProblem[]).map(inColumns);
    const email = addressOf(cells.email);
    const problem = problems.map(({ message }) => message).join('; ');
    return { row, state: 'invalid' as const, email, field: problems[0]!.field, problem };
  }
}

/** The body that the single route would take. */
function bodyOf({ smtpHost, smtpPort, smtpTls, ...cells }: MailboxFileRow['cells']) {
  const { imapHost, imapPort, imapTls, dailyLimit, preset, ...rest } = cells;
  const server = (host?: string, port?: string, tls?: string) =>
    host === undefined ? undefined : { host, port: numberOf(port), tls: tls?.toLowerCase() };
  return {
    ...rest,
    preset: preset?.toLowerCase(),
    smtp: server(smtpHost, smtpPort ?? '465', smtpTls),
    imap: server(imapHost, imapPort ?? '993', imapTls),
    dailyLimit: numberOf(dailyLimit),
  };
}

const numberOf = (cell: string | undefined) =>
  cell !== undefined && /^\d{1,9}$/.test(cell) ? Number(cell) : cell;

const COLUMNS: Readonly<Record<string, MailboxField>> = {
  smtp: 'smtpHost',
  'smtp.host': 'smtpHost',
  'smtp.port': 'smtpPort',
  'smtp.tls': 'smtpTls',
  imap: 'imapHost',
  'imap.host': 'imapHost',
  'imap.port': 'imapPort',
  'imap.tls': 'imapTls',
};

/** `smtp.port must be ...` is `smtpPort must be ...` in a file. */
function inColumns({ field, message }: FieldProblem): FieldProblem {
  const column = COLUMNS[field] ?? field;
  const words = message.startsWith(`${field} ${field} `)
    ? message.slice(field.length * 2 + 2)
    : message.slice(field.length + 1);
  return { field: column, message: `${column} ${words}` };
}
