/** The turn of each row of a file of mailboxes, its end, and the end of the whole. Choice 120. */
import type { Transaction } from 'kysely';
import { jobTable } from '../../db/job-tables.ts';
import {
  lockImportRow,
  rowPasswordBinding,
  updateImportRow,
  type MailboxImportRow,
  type RowId,
} from '../../db/mailboxes/mailbox-imports.ts';
import { getMailbox, updateMailbox } from '../../db/mailboxes/mailboxes.ts';
import type { Database } from '../../db/tables.ts';
import type { Cipher } from '../../domain/cipher.ts';
import { insertConnectedMailbox, noteProven, noteUnproven } from './connections.ts';

type Trx = Transaction<Database>;

/** What has to be known of a row's mailbox to go on with it. */
export interface BegunRow {
  mailboxId: number;
  sentAt: Date | null;
}

/**
 * The row's turn: its mailbox is made, and has the password from now on. Undefined where the row is over, also since
 * the address is taken. A row that was begun before goes on with the mailbox that it has.
 */
export async function beginRow(
  trx: Trx,
  { cipher, operationId, userId }: { cipher: Cipher; operationId: number; userId: string },
  id: RowId,
): Promise<BegunRow | undefined> {
  const row = await lockImportRow(trx, id);
  if (row.state === 'connecting') return { mailboxId: row.mailbox_id!, sentAt: row.sent_at };
  if (row.state !== 'waiting') return undefined;
  const password = cipher.open(row.password!, rowPasswordBinding(id));
  const mailbox = await insertConnectedMailbox(
    trx,
    { cipher, userId },
    {
      email: row.email!,
      password,
      servers: row.servers!,
      preset: row.preset,
      senderName: row.sender_name,
      dailyLimit: row.daily_limit,
    },
  );
  if (typeof mailbox === 'string') {
    await endTaken(trx, { id, userId, email: row.email! }, mailbox);
    return undefined;
  }
  const { id: mailboxId } = mailbox;
  await updateMailbox(trx, mailboxId, { operation_id: operationId });
  await updateImportRow(trx, id, {
    state: 'connecting',
    mailbox_id: mailboxId,
    password: null,
    begun_at: new Date(),
  });
  return { mailboxId, sentAt: null };
}

/** Which account has an address is told to that account alone. */
async function endTaken(
  trx: Trx,
  { id, userId, email }: { id: RowId; userId: string; email: string },
  message: string,
): Promise<void> {
  const own = await trx
    .selectFrom('mailboxes')
    .select('id')
    .where('email', '=', email)
    .where('user_id', '=', userId)
    .where('status', 'in', ['pending', 'active', 'deleting'])
    .executeTakeFirst();
  const now = new Date();
  const over = { password: null, begun_at: now, ended_at: now };
  await updateImportRow(
    trx,
    id,
    own
      ? { ...over, state: 'already_connected', mailbox_id: own.id, error_message: message }
      : { ...over, state: 'failed', error_code: 'MAILBOX_EXISTS', error_message: message },
  );
}

export type RowError = { code: string; message: string };

/** Ends a row and the proof of its mailbox. Safe to repeat; nothing for a row that has ended meanwhile. */
export async function endRow(trx: Trx, id: RowId, error: RowError | undefined): Promise<void> {
  const row = await lockImportRow(trx, id);
  if (row.state !== 'connecting') return;
  const mailboxId = row.mailbox_id!;
  if (error) await noteUnproven(trx, mailboxId, error);
  else await noteProven(trx, mailboxId);
  const { status } = await getMailbox(trx, mailboxId);
  const reason = status === 'deleted' || status === 'deleting' ? DELETED : error;
  await updateImportRow(trx, id, {
    state: reason ? 'failed' : 'connected',
    error_code: reason?.code ?? null,
    error_message: reason?.message ?? null,
    ended_at: new Date(),
  });
}

const DELETED: RowError = {
  code: 'MAILBOX_NOT_FOUND',
  message: 'The mailbox has been deleted meanwhile',
};
const CANCELLED: RowError = { code: 'CANCELLED', message: 'The import has ended before its proof' };

/** A row whose password cannot be opened would stop all others. */
export async function failWaitingRow(trx: Trx, id: RowId, error: RowError): Promise<void> {
  const row = await lockImportRow(trx, id);
  if (row.state !== 'waiting') return endRow(trx, id, error);
  const now = new Date();
  await updateImportRow(trx, id, {
    state: 'failed',
    password: null,
    error_code: error.code,
    error_message: error.message,
    begun_at: now,
    ended_at: now,
  });
}

/** It cannot be paused. Whatever it ends by, what is left has ended with it, and no password is left in its rows. */
const table = jobTable('mailbox_imports', {
  open: 'processing',
  endedAt: 'finished_at',
  whenCancelled: () => ({ status: 'cancelled' }),
  async whenEnded(trx, importId) {
    const now = new Date();
    const over = { state: 'cancelled' as const, ended_at: now };
    await trx
      .updateTable('mailbox_import_rows')
      .set({ ...over, password: null })
      .where('import_id', '=', importId)
      .where('state', '=', 'waiting')
      .execute();
    const begun = await trx
      .selectFrom('mailbox_import_rows')
      .selectAll()
      .where('import_id', '=', importId)
      .where('state', '=', 'connecting')
      .orderBy('row_number')
      .forUpdate()
      .execute();
    for (const row of begun) await cancelRow(trx, row);
  },
});

async function cancelRow(trx: Trx, row: MailboxImportRow): Promise<void> {
  await noteUnproven(trx, row.mailbox_id!, CANCELLED);
  const change = { state: 'cancelled' as const, ended_at: new Date() };
  const id = { importId: row.import_id, row: row.row_number };
  await updateImportRow(trx, id, change);
}

export const mailboxImportRows = table.rows;
export const findMailboxImport = table.find;
export const lockMailboxImport = table.lockOwn;
export const listMailboxImports = table.list;
export const lockImport = table.lock;
export const endMailboxImport = table.end;
export const stateOfImport = table.stateOf;
