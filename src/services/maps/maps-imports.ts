/**
 * Imports of a run's places into a lead list. Spec: POST /v1/maps-scraper/runs/:id/import-to-lead-list;
 * choices 33, 60.
 */
import type { Context } from '../../context.ts';
import { noteChange } from '../../db/accounts/audit-log.ts';
import { commitOnce } from '../../db/accounts/request-effects.ts';
import { findUserLeadList, lockUserLeadList } from '../../db/leads/lead-lists.ts';
import {
  countRemainingItems,
  findRunningImport,
  firstItemToImport,
  getMapsImport,
  insertMapsImport,
  type MapsImport,
} from '../../db/maps/maps-imports.ts';
import { findUserMapsRun, lockUserMapsRun } from '../../db/maps/maps-runs.ts';
import {
  findLatestOperation,
  getOperation,
  insertOperation,
  lockRequestedOperation,
  type Operation,
} from '../../db/operations/operations.ts';
import { invalid, notFound, OutreachError } from '../../domain/errors.ts';
import { problemOf } from '../../domain/client-words.ts';
import { importPlacesFlow } from '../../domain/maps/flows.ts';
import type { ImportOptions } from '../../domain/maps/maps.ts';
import { ACTOR } from '../accounts/actors.ts';
import { awaitOperation, paceOf } from '../operations/operations.ts';
import { workflowIdOf } from '../../domain/operations/run-keys.ts';

type Needs = Pick<Context, 'db' | 'config' | 'temporal' | 'startOperation'>;

export interface MapsImportOrder extends ImportOptions {
  leadListId: number | undefined;
  /** With the first place, whatever was handled. */
  startOver?: boolean;
  /** From the client's `Idempotency-Key`: a repeat is answered with what a process wrote before it died. */
  requestKey?: string | undefined;
}

/**
 * Waits 25 s for the end; after that the row shows the progress so far, and the import goes on by
 * itself. A repeat waits for it, or goes on behind the places that were handled; when all were, it finds the same leads and
 * duplicates none: (list, place, e-mail).
 */
export async function importMapsRun(
  context: Needs,
  userId: string,
  runId: number,
  order: MapsImportOrder,
): Promise<{
  row: MapsImport;
  leadListId: number;
  workflowId: string;
  remainingItems: number | null;
}> {
  const { operation, leadListId } = await beginMapsImport(context, userId, runId, order);
  // An import that could not be started yet is started by the reconciler: the request does not wait for
  // it.
  const isStarted = operation.started_at !== null || (await context.startOperation(operation));
  const now = isStarted ? await getOperation(context.db, operation.id) : operation;
  // One that waits for a place of its account may wait for long.
  const ended = isStarted && now.place !== 'waiting' ? await awaitOperation(context, now.id) : now;
  if (ended.state === 'failed') {
    throw (await whatIsGone(context, userId, { runId, leadListId }, ended)) ?? importError(ended);
  }
  const row = await getMapsImport(context.db, operation.resource_id);
  const remainingItems =
    row.status === 'running' ? null : await countRemainingItems(context.db, row);
  return { row, leadListId, workflowId: workflowIdOf(operation), remainingItems };
}

/** Inserts the row and its intent. 404 for the run or the list, 400 without any list. */
export async function beginMapsImport(
  context: Pick<Context, 'db' | 'config'>,
  userId: string,
  runId: number,
  order: MapsImportOrder,
): Promise<{ operation: Operation; leadListId: number }> {
  return commitOnce(context.db, async (trx) => {
    const run = await lockUserMapsRun(trx, userId, runId);
    if (!run) throw notFound('maps run');
    const { leadListId: given, requestKey, startOver, ...options } = order;
    const leadListId = given ?? run.lead_list_id;
    if (leadListId === null) {
      throw invalid('LEAD_LIST_REQUIRED', 'The run has no lead list: leadListId is required');
    }
    const earlier = requestKey && (await lockRequestedOperation(trx, userId, requestKey));
    if (earlier && earlier.state !== 'failed') return { operation: earlier, leadListId };
    if (!(await lockUserLeadList(trx, userId, leadListId))) throw noList(leadListId);
    const running = !startOver && (await findRunningImport(trx, { runId, leadListId, options }));
    if (running) {
      noteChange({ after: { importId: running, leadListId } });
      return { operation: (await findLatestOperation(trx, 'maps_import', running))!, leadListId };
    }
    const afterItemId = startOver
      ? 0
      : await firstItemToImport(trx, { runId, leadListId, options });
    const row = await insertMapsImport(trx, {
      userId,
      runId,
      leadListId,
      options: afterItemId === 0 ? options : { ...options, afterItemId },
    });
    noteChange({ after: { importId: row.id, leadListId } });
    const input = { importId: row.id, pace: paceOf(context) };
    const operation = await insertOperation(trx, importPlacesFlow, input, {
      userId,
      runId,
      summary: `Import places of run ${runId} into list ${leadListId}`,
      requested: { actor: ACTOR.user(userId), reason: 'requested through the API' },
      requestKey,
    });
    return { operation, leadListId };
  });
}

/** An import is cancelled when its list or run was deleted meanwhile; an operator may do so, too. */
async function whatIsGone(
  { db }: Needs,
  userId: string,
  { runId, leadListId }: { runId: number; leadListId: number },
  { error_code }: Operation,
): Promise<OutreachError | undefined> {
  if (error_code !== 'CANCELLED') return undefined;
  if (!(await findUserMapsRun(db, userId, runId))) return notFound('maps run');
  return (await findUserLeadList(db, userId, leadListId)) ? undefined : noList(leadListId);
}

const noList = (id: number) => notFound('lead list', { field: 'leadListId', ids: [id] });

/** By an error of ours, or cancelled by an operator. */
function importError({ error_code, error_message }: Operation): OutreachError {
  const why = problemOf({ error_code: error_code ?? 'UNKNOWN', error_message })!.message;
  const message = `The import ended early: ${why} Repeat it to go on`;
  return new OutreachError('upstream', 'IMPORT_FAILED', message);
}
