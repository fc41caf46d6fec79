/** Starts the workflow of an operation's row; a second caller finds it started. */
import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  WorkflowIdReusePolicy,
} from '@temporalio/client';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { opsState, resourceId, tenantId } from '../../workflows/contracts/search-attributes.ts';
import { markOperationStarted } from '../db/operations/operation-workflows.ts';
import type { Operation } from '../db/operations/operations.ts';
import type { Database } from '../db/tables.ts';

/** A Temporal that hangs must not hold the request: the reconciler starts the workflow later. */
const START_DEADLINE_MS = 3_000;

/**
 * Safe to repeat: the workflow's id is derived from the row. Never throws: the row is kept, and the
 * reconciler's Schedule starts what has no workflow. False when that is left to it.
 * docs/workflow-rules.md#the-row-comes-first. `undoOnly`: the previous run is lost; this one only undoes.
 * `restart`: it is lost; this one continues.
 */
export async function startOperation(
  { temporal, db, logger }: { temporal: Client; db: Kysely<Database>; logger: Logger },
  operation: Operation,
  again: { undoOnly?: boolean; restart?: boolean } = {},
): Promise<boolean> {
  const { id: operationId, workflow_id: workflowId } = operation;
  try {
    await temporal
      .withDeadline(Date.now() + START_DEADLINE_MS, () =>
        temporal.workflow.start(operation.kind, startOptions(operation, again)),
      )
      .catch((error: unknown) => {
        if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      });
    await markOperationStarted(db, operationId);
    return true;
  } catch (error) {
    logger.warn({ operationId, workflowId, err: error }, 'workflow not started yet');
    return false;
  }
}

/** How an operation's workflow is started. */
function startOptions(operation: Operation, { undoOnly = false, restart = false }) {
  const resource = `${operation.resource_type}/${operation.resource_id}`;
  const { id: operationId, user_id: userId } = operation;
  return {
    workflowId: operation.workflow_id,
    taskQueue: operation.task_queue,
    args: [{ ...operation.input, operationId, userId, resource, ...(undoOnly && { undoOnly }) }],
    // A lost run's id may be used again; otherwise an id is used once.
    workflowIdReusePolicy:
      undoOnly || restart
        ? WorkflowIdReusePolicy.ALLOW_DUPLICATE
        : WorkflowIdReusePolicy.REJECT_DUPLICATE,
    staticSummary: operation.summary,
    typedSearchAttributes: [
      { key: opsState, value: 'Running' },
      { key: tenantId, value: userId },
      { key: resourceId, value: resource },
    ],
  };
}
