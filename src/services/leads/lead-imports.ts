/** Imports of lead files: the file is stored with its row, a workflow reads it. Spec: Leads. */
import type { Transaction } from 'kysely';
import type { Context } from '../../context.ts';
import { noteChange } from '../../db/accounts/audit-log.ts';
import { commitOnce } from '../../db/accounts/request-effects.ts';
import {
  endLeadImport,
  findLeadImport,
  insertLeadImport,
  listLeadImports as listLeadImportRows,
  lockLeadImport,
  readImportErrors,
  type LeadImport,
  type LeadImportError,
} from '../../db/leads/lead-imports.ts';
import { listCustomFields } from '../../db/leads/custom-fields.ts';
import { lockUserLeadList } from '../../db/leads/lead-lists.ts';
import {
  findLatestOperation,
  insertOperation,
  type Operation,
} from '../../db/operations/operations.ts';
import { keysetPages } from '../../db/pages.ts';
import type { Database } from '../../db/tables.ts';
import type { Delimiter } from '../../domain/csv.ts';
import { invalid, notFound } from '../../domain/errors.ts';
import { importLeadsFlow } from '../../domain/leads/flows.ts';
import type { LeadImportStatus } from '../../domain/leads/lead-imports.ts';
import { ACTOR } from '../accounts/actors.ts';
import { tellJob } from '../operations/jobs.ts';
import { readLeadFile, type LeadFile } from './lead-files.ts';
import { paceOf } from '../operations/operations.ts';
import { orderOnce } from '../operations/order-once.ts';
import { workflowIdOf } from '../../domain/operations/run-keys.ts';

type Needs = Pick<Context, 'db' | 'config' | 'temporal' | 'startOperation'>;

export interface LeadUpload {
  text: string;
  fileName?: string | undefined;
  leadListId?: number | undefined;
  source?: string | undefined;
  delimiter?: Delimiter | undefined;
  /** Headers by field, custom fields as `custom.name`; undefined: the columns are detected. */
  named?: Readonly<Record<string, string | undefined>> | undefined;
  /** From the client's `Idempotency-Key`: a repeat is answered with what a process wrote before it died. */
  requestKey?: string | undefined;
}

/** Stores the file and starts its import. 400 for an unreadable file, 404 for the list. */
export async function importLeadFile(
  context: Needs,
  userId: string,
  upload: LeadUpload,
): Promise<{ row: LeadImport; workflowId: string }> {
  const fields = await listCustomFields(context.db, userId);
  const file = await readLeadFile(upload.text, { ...upload, fields });
  const { requestKey } = upload;
  const operation = await orderOnce(context, { userId, requestKey }, (trx) =>
    beginImport(context, trx, { userId, upload, file }),
  );
  const row = await getLeadImport(context, userId, operation.resource_id);
  return { row, workflowId: workflowIdOf(operation) };
}

async function beginImport(
  context: Needs,
  trx: Transaction<Database>,
  { userId, upload, file }: { userId: string; upload: LeadUpload; file: LeadFile },
): Promise<Operation> {
  const { leadListId = null, fileName = null, source = null } = upload;
  if (leadListId !== null && !(await lockUserLeadList(trx, userId, leadListId))) {
    throw notFound('lead list', { field: 'leadListId', ids: [leadListId] });
  }
  const row = await insertLeadImport(trx, { userId, leadListId, fileName, source, ...file });
  const { total_rows: rows } = row;
  noteChange({ resourceId: row.id, after: { rows, leadListId } });
  const input = { importId: row.id, pace: paceOf(context) };
  return insertOperation(trx, importLeadsFlow, input, {
    userId,
    summary: `Import ${file.totalRows} rows of leads`,
    requested: { actor: ACTOR.user(userId), reason: 'created' },
    requestKey: upload.requestKey,
  });
}

export async function getLeadImport(
  context: Pick<Context, 'db'>,
  userId: string,
  id: number,
): Promise<LeadImport> {
  const row = await findLeadImport(context.db, userId, id);
  if (!row) throw notFound('lead import');
  return row;
}

export const listLeadImports = (
  context: Pick<Context, 'db'>,
  userId: string,
  page: { status?: LeadImportStatus | undefined; limit: number; offset: number },
) => listLeadImportRows(context.db, userId, page);

/** Keeps existing leads. Repeating it is a no-op; a finished import stays as it is. Choice 19. */
export async function cancelLeadImport(
  context: Needs,
  userId: string,
  id: number,
): Promise<LeadImport> {
  await commitOnce(context.db, async (trx) => {
    const row = await lockLeadImport(trx, userId, id);
    if (!row) throw notFound('lead import');
    if (row.status === 'cancelled') return;
    if (row.status !== 'processing') {
      throw invalid('INVALID_STATE', `An import that is ${row.status} cannot be cancelled`);
    }
    noteChange({ before: { status: row.status }, after: { status: 'cancelled' } });
    await endLeadImport(trx, id, { status: 'cancelled' });
    const operation = await findLatestOperation(trx, 'lead_import', id);
    if (operation) await tellJob(context, trx, operation, 'cancel');
  });
  return getLeadImport(context, userId, id);
}

/** The rows that failed, page by page. */
export const pagesOfImportErrors = (
  context: Pick<Context, 'db'>,
  importId: number,
): AsyncGenerator<LeadImportError[]> =>
  keysetPages(
    (after: number | undefined, limit) => readImportErrors(context.db, importId, after, limit),
    ({ row_number }) => row_number,
  );
