/**
 * Compares the vendor records on an operator's request; a worker does it, since it has the vendors'
 * secrets.
 */
import { WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '@temporalio/client';
import { WORKFLOW_QUEUE } from '../../domain/operations/queues.ts';
import {
  reconcileBooksByHandId,
  reconcileBooksType,
  type ReconcileBooksInput,
} from '../../../workflows/contracts/reconcile.ts';
import type { Context } from '../../context.ts';
import {
  listBookChecks,
  listClosedFindings,
  listOpenFindings,
} from '../../db/operations/findings.ts';
import { upstreamUnavailable } from '../../domain/errors.ts';
import { awaitRun, REQUEST_DEADLINE_MS } from './runs-by-hand.ts';

/** A comparison reads every page of each vendor's lists. */
const COMPARED_WITHIN_MS = 10 * 60_000;

export interface Reconciled {
  /** False: no worker finished it in time; it goes on in the background. */
  isDone: boolean;
  /** Findings that are open now. */
  open: Awaited<ReturnType<typeof listOpenFindings>>;
  /** Findings that were closed since the comparison began. */
  closed: Awaited<ReturnType<typeof listClosedFindings>>;
  /** The last comparison of each set of records. */
  books: Awaited<ReturnType<typeof listBookChecks>>;
}

/**
 * Compares all vendor records and waits for the end. A second call for the same while one runs waits for
 * that run. The result is read from Postgres. Throws `upstream` when Temporal does not answer.
 */
export async function reconcileBooks(
  context: Pick<Context, 'db' | 'temporal'>,
  input: ReconcileBooksInput,
  limitMs = COMPARED_WITHIN_MS,
): Promise<Reconciled> {
  const { db, temporal } = context;
  const startedAt = new Date();
  const deadline = Date.now() + limitMs;
  let isDone = false;
  try {
    const handle = await temporal.withDeadline(Date.now() + REQUEST_DEADLINE_MS, () =>
      temporal.workflow.start(reconcileBooksType, {
        workflowId: reconcileBooksByHandId(input),
        taskQueue: WORKFLOW_QUEUE,
        args: [input],
        workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
        workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
        staticSummary: 'Compare the books',
      }),
    );
    isDone = (await awaitRun(context, handle, deadline)) !== undefined;
  } catch (error) {
    throw upstreamUnavailable('Temporal does not answer; nothing was compared', error);
  }
  const [open, closed, books] = await Promise.all([
    listOpenFindings(db),
    listClosedFindings(db, startedAt),
    listBookChecks(db),
  ]);
  return { isDone, open, closed, books };
}
