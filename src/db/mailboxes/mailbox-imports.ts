/** Files of mailboxes: what is to be done of them, and what became of each row. Choice 120. */
import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';
import type { Cipher } from '../../domain/cipher.ts';
import {
  hostsOf,
  MAILBOX_ROW_STATES,
  type MailboxRowCounts,
  type MailboxRowOrder,
  type MailboxRowState,
  type RefusedMailboxRow,
} from '../../domain/mailboxes/mailbox-imports.ts';
import type { Database } from '../tables.ts';
import type { MailboxImportRowsTable, MailboxImportsTable } from './mailbox-import-tables.ts';

export type MailboxImport = Selectable<MailboxImportsTable>;
export type MailboxImportRow = Selectable<MailboxImportRowsTable>;

/** A row of an import. */
export interface RowId {
  importId: number;
  row: number;
}

/** What the sealed password of a row is bound to. */
export const rowPasswordBinding = ({ importId, row }: RowId) =>
  `mailbox-import:${importId}:row:${row}:password`;

export const insertMailboxImport = (
  trx: Transaction<Database>,
  of: { userId: string; fileName: string | null; totalRows: number },
): Promise<MailboxImport> =>
  trx
    .insertInto('mailbox_imports')
    .values({ user_id: of.userId, file_name: of.fileName, total_rows: of.totalRows })
    .returningAll()
    .executeTakeFirstOrThrow();

/** Rows to be connected, with their passwords sealed. */
export async function insertWaitingRows(
  trx: Transaction<Database>,
  { importId, cipher }: { importId: number; cipher: Cipher },
  orders: readonly MailboxRowOrder[],
): Promise<void> {
  const rows = orders.map(({ row, password, ...order }) => ({
    row,
    ...order,
    sealed: cipher.seal(password, rowPasswordBinding({ importId, row })).toString('hex'),
  }));
  // As one JSON document: a statement takes at most 65,535 parameters.
  await sql`insert into mailbox_import_rows
      (import_id, row_number, state, email, password, preset, servers, sender_name, daily_limit)
    select ${importId}, "row", 'waiting', email, decode(sealed, 'hex'), preset, servers, "senderName", "dailyLimit"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given ("row" int, email text, sealed text,
      preset text, servers jsonb, "senderName" text, "dailyLimit" int)`.execute(trx);
}

/** Rows that are over before they begin. */
export async function insertRefusedRows(
  trx: Transaction<Database>,
  importId: number,
  rows: readonly RefusedMailboxRow[],
): Promise<void> {
  await sql`insert into mailbox_import_rows
      (import_id, row_number, state, email, field, error_code, error_message, ended_at)
    select ${importId}, "row", state, email, field,
      case when state = 'invalid' then 'VALIDATION_ERROR' end, problem, now()
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given ("row" int, state text, email text,
      field text, problem text)`.execute(trx);
}

/** A row that is not over yet. */
export interface OpenRow {
  row: number;
  hosts: string[];
  /** Its mailbox is made, and may have been sent its message. */
  isBegun: boolean;
}

/** The next rows, those that were begun first. */
export async function listOpenRows(
  db: Kysely<Database>,
  importId: number,
  limit: number,
): Promise<OpenRow[]> {
  const rows = await db
    .selectFrom('mailbox_import_rows')
    .select(['row_number', 'servers', 'state'])
    .where('import_id', '=', importId)
    .where('state', 'in', ['waiting', 'connecting'])
    .orderBy(sql`state = 'waiting'`)
    .orderBy('row_number')
    .limit(limit)
    .execute();
  return rows.map(({ row_number: row, servers, state }) => ({
    row,
    hosts: hostsOf(servers!),
    isBegun: state === 'connecting',
  }));
}

/** Locked until the transaction ends. */
export const lockImportRow = (
  trx: Transaction<Database>,
  { importId, row }: RowId,
): Promise<MailboxImportRow> =>
  trx
    .selectFrom('mailbox_import_rows')
    .selectAll()
    .where('import_id', '=', importId)
    .where('row_number', '=', row)
    .forUpdate()
    .executeTakeFirstOrThrow();

export async function updateImportRow(
  db: Kysely<Database>,
  { importId, row }: RowId,
  change: Partial<Omit<MailboxImportRow, 'import_id' | 'row_number' | 'servers'>>,
): Promise<void> {
  await db
    .updateTable('mailbox_import_rows')
    .set(change)
    .where('import_id', '=', importId)
    .where('row_number', '=', row)
    .execute();
}

/** Notes that rows were worked off. */
export async function touchImport(db: Kysely<Database>, importId: number): Promise<void> {
  await db
    .updateTable('mailbox_imports')
    .set({ updated_at: new Date() })
    .where('id', '=', importId)
    .where('status', '=', 'processing')
    .execute();
}

/** How many rows are in each state, by import. */
export async function countRows(
  db: Kysely<Database>,
  importIds: readonly number[],
): Promise<Map<number, MailboxRowCounts>> {
  const none = () => Object.fromEntries(MAILBOX_ROW_STATES.map((state) => [state, 0]));
  const counts = new Map(importIds.map((id) => [id, none() as MailboxRowCounts]));
  if (importIds.length === 0) return counts;
  const rows = await db
    .selectFrom('mailbox_import_rows')
    .select(({ fn }) => ['import_id', 'state', fn.countAll<number>().as('rows')])
    .where('import_id', 'in', [...importIds])
    .groupBy(['import_id', 'state'])
    .execute();
  for (const { import_id: id, state, rows: count } of rows) counts.get(id)![state] = Number(count);
  return counts;
}

/** A page of the rows, in the order of the file. */
export async function listImportRows(
  db: Kysely<Database>,
  importId: number,
  page: { states?: readonly MailboxRowState[] | undefined; limit: number; offset: number },
): Promise<{ rows: MailboxImportRow[]; total: number }> {
  let query = db.selectFrom('mailbox_import_rows').where('import_id', '=', importId);
  if (page.states !== undefined) query = query.where('state', 'in', [...page.states]);
  const [rows, count] = await Promise.all([
    query.selectAll().orderBy('row_number').limit(page.limit).offset(page.offset).execute(),
    query.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return { rows, total: Number(count.total) };
}
