/** Starts the workflow that an operation's row asks for; whoever comes second finds it started. */
import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  WorkflowIdReusePolicy,
} from '@temporalio/client';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { markOperationStarted, type Operation } from './db/operations.ts';
import type { Database } from './db/tables.ts';
import { opsState, resourceId, tenantId } from '../workflows/contracts/search-attributes.ts';

/** A Temporal that hangs must not hold the request: the reconciler starts the workflow later. */
const START_DEADLINE_MS = 3_000;

/**
 * Safe to repeat: the workflow's id is derived from the row. Never throws: the row is kept, and the
 * reconciler's Schedule starts what has no workflow. Workflows: W1.
 */
export async function startOperation(
  { temporal, db, logger }: { temporal: Client; db: Kysely<Database>; logger: Logger },
  operation: Operation,
): Promise<void> {
  const { id: operationId, workflow_id: workflowId } = operation;
  const resource = `${operation.resource_type}/${operation.resource_id}`;
  try {
    await temporal.withDeadline(Date.now() + START_DEADLINE_MS, () =>
      temporal.workflow.start(operation.kind, {
        workflowId,
        taskQueue: operation.task_queue,
        args: [{ ...operation.input, operationId, userId: operation.user_id, resource }],
        workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
        staticSummary: operation.summary,
        typedSearchAttributes: [
          { key: opsState, value: 'Running' },
          { key: tenantId, value: operation.user_id },
          { key: resourceId, value: resource },
        ],
      }),
    );
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) {
      logger.warn({ operationId, workflowId, err: error }, 'workflow not started yet');
      return;
    }
  }
  await markOperationStarted(db, operationId);
}
