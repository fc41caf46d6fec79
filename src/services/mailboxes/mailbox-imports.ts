/** Files of mailboxes elsewhere: the rows are stored with their import, a workflow connects them. Choice 120. */
import { setImmediate as yieldToEvents } from 'node:timers/promises';
import type { Transaction } from 'kysely';
import type { Context } from '../../context.ts';
import { noteChange } from '../../db/accounts/audit-log.ts';
import { commitOnce } from '../../db/accounts/request-effects.ts';
import {
  countRows,
  insertMailboxImport,
  insertRefusedRows,
  insertWaitingRows,
  listImportRows,
  type MailboxImport,
  type MailboxImportRow,
} from '../../db/mailboxes/mailbox-imports.ts';
import {
  findLatestOperation,
  insertOperation,
  type Operation,
} from '../../db/operations/operations.ts';
import type { Database } from '../../db/tables.ts';
import { invalid, notFound } from '../../domain/errors.ts';
import { importMailboxesFlow } from '../../domain/mailboxes/flows.ts';
import type {
  MailboxImportStatus,
  MailboxRowCounts,
  MailboxRowOrder,
  MailboxRowState,
  RefusedMailboxRow,
} from '../../domain/mailboxes/mailbox-imports.ts';
import { workflowIdOf } from '../../domain/operations/run-keys.ts';
import {
  endMailboxImport,
  findMailboxImport,
  listMailboxImports as listImports,
  lockMailboxImport,
} from '../../transactions/mailboxes/mailbox-imports.ts';
import { ACTOR } from '../accounts/actors.ts';
import { tellJob } from '../operations/jobs.ts';
import { paceOf } from '../operations/operations.ts';
import { orderOnce } from '../operations/order-once.ts';

type Needs = Pick<Context, 'db' | 'config' | 'cipher' | 'temporal' | 'startOperation'>;

/** Rows that are sealed at a time: other requests are served in between. */
const BATCH = 1_000;

/** A file that was read: each of its rows is in one of the two lists. */
export interface MailboxFile {
  fileName?: string | undefined;
  orders: readonly MailboxRowOrder[];
  refused: readonly RefusedMailboxRow[];
}

/** An import with how many of its rows are in each state. */
export interface MailboxImportView {
  row: MailboxImport;
  counts: MailboxRowCounts;
}

/** Stores the rows and starts their import. */
export async function importMailboxes(
  context: Needs,
  userId: string,
  file: MailboxFile,
  requestKey?: string,
): Promise<{ view: MailboxImportView; workflowId: string }> {
  const operation = await orderOnce(context, { userId, requestKey }, (trx) =>
    beginImport(context, trx, { userId, file, requestKey }),
  );
  const view = await getMailboxImport(context, userId, operation.resource_id);
  return { view, workflowId: workflowIdOf(operation) };
}

async function beginImport(
  context: Needs,
  trx: Transaction<Database>,
  of: { userId: string; file: MailboxFile; requestKey?: string | undefined },
): Promise<Operation> {
  const { userId, file, requestKey } = of;
  const { orders, refused, fileName = null } = file;
  const totalRows = orders.length + refused.length;
  const { id: importId } = await insertMailboxImport(trx, { userId, fileName, totalRows });
  for (let at = 0; at < orders.length; at += BATCH) {
    const { cipher } = context;
    await insertWaitingRows(trx, { importId, cipher }, orders.slice(at, at + BATCH));
    await yieldToEvents();
  }
  await insertRefusedRows(trx, importId, refused);
  noteChange({ resourceId: importId, after: { rows: totalRows, leftOut: ['password'] } });
  const input = { importId, pace: paceOf(context) };
  return insertOperation(trx, importMailboxesFlow, input, {
    userId,
    summary: `Connect ${totalRows} mailboxes of a file`,
    requested: { actor: ACTOR.user(userId), reason: 'created' },
    requestKey,
  });
}

export async function getMailboxImport(
  { db }: Pick<Context, 'db'>,
  userId: string,
  id: number,
): Promise<MailboxImportView> {
  const row = await findMailboxImport(db, userId, id);
  if (!row) throw notFound('mailbox import');
  return { row, counts: (await countRows(db, [id])).get(id)! };
}

export async function listMailboxImports(
  { db }: Pick<Context, 'db'>,
  userId: string,
  page: { status?: MailboxImportStatus | undefined; limit: number; offset: number },
): Promise<{ views: MailboxImportView[]; total: number }> {
  const { rows, total } = await listImports(db, userId, page);
  const counts = await countRows(
    db,
    rows.map(({ id }) => id),
  );
  return { views: rows.map((row) => ({ row, counts: counts.get(row.id)! })), total };
}

/** What became of the rows, in the order of the file. */
export async function listMailboxImportRows(
  context: Pick<Context, 'db'>,
  { userId, id }: { userId: string; id: number },
  page: { states?: readonly MailboxRowState[] | undefined; limit: number; offset: number },
): Promise<{ rows: MailboxImportRow[]; total: number }> {
  if (!(await findMailboxImport(context.db, userId, id))) throw notFound('mailbox import');
  return listImportRows(context.db, id, page);
}

/** Mailboxes that are connected stay. Repeating it is a no-op; an import that has ended stays as it is. */
export async function cancelMailboxImport(
  context: Pick<Context, 'db' | 'temporal'>,
  userId: string,
  id: number,
): Promise<MailboxImportView> {
  await commitOnce(context.db, async (trx) => {
    const row = await lockMailboxImport(trx, userId, id);
    if (!row) throw notFound('mailbox import');
    if (row.status === 'cancelled') return;
    if (row.status !== 'processing') {
      throw invalid('INVALID_STATE', `An import that is ${row.status} cannot be cancelled`);
    }
    noteChange({ before: { status: row.status }, after: { status: 'cancelled' } });
    await endMailboxImport(trx, id, { status: 'cancelled' });
    const operation = await findLatestOperation(trx, 'mailbox_import', id);
    if (operation) await tellJob(context, trx, operation, 'cancel');
  });
  return getMailboxImport(context, userId, id);
}
