/** No row stays without a workflow: what was never started is started, what was lost is undone. */
import { WorkflowNotFoundError } from '@temporalio/client';
import type { Context } from '../src/context.ts';
import {
  listOperationsNotStarted,
  listOperationsUnseen,
  markWorkflowSeen,
  resetProgress,
} from '../src/db/operation-workflows.ts';
import { insertOperationEvent } from '../src/db/operations.ts';

/** A row younger than this is about to be started by the request that wrote it. */
const START_GRACE_MS = 5_000;

/** How often the workflow of an unfinished row is looked for. */
const LOOK_AFTER_MS = 60_000;

/** Most rows of one round; the next round follows within seconds. */
const BATCH = 200;

type RecoveryContext = Pick<Context, 'db' | 'temporal' | 'startOperation' | 'logger' | 'clock'>;

export const recoveryActivities = (context: RecoveryContext) => ({
  /** Starts the workflow of every row that has none (Temporal was down). Safe to repeat. */
  async startMissingWorkflows(): Promise<{ started: number }> {
    const before = new Date(context.clock.now().getTime() - START_GRACE_MS);
    const waiting = await listOperationsNotStarted(context.db, before, BATCH);
    for (const operation of waiting) await context.startOperation(operation);
    return { started: waiting.length };
  },

  /**
   * A run that was terminated, or that Temporal has lost, can hold money, a server and DNS records:
   * it is started once more, only to undo and refund. Safe to repeat.
   */
  async undoLostWorkflows(): Promise<{ undone: number }> {
    const before = new Date(context.clock.now().getTime() - LOOK_AFTER_MS);
    let undone = 0;
    for (const operation of await listOperationsUnseen(context.db, before, BATCH)) {
      const { id: operationId, workflow_id: workflowId, step } = operation;
      if (await isOpen(context, workflowId)) {
        await markWorkflowSeen(context.db, operationId);
        continue;
      }
      context.logger.error({ operationId, workflowId }, 'the workflow is gone: undoing');
      await resetProgress(context.db, operationId);
      await context.startOperation(operation, { undoOnly: true });
      await insertOperationEvent(context.db, {
        operationId,
        kind: 'recovered',
        step,
        actor: 'system',
        reason: 'the workflow was gone while the row was unfinished: undone and refunded',
      });
      undone += 1;
    }
    return { undone };
  },
});

async function isOpen({ temporal }: RecoveryContext, workflowId: string): Promise<boolean> {
  try {
    const { status } = await temporal.workflow.getHandle(workflowId).describe();
    return status.name === 'RUNNING' || status.name === 'CONTINUED_AS_NEW';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}
