/** No row stays without a workflow: what was never started is started, a lost run is undone. */
import { WorkflowNotFoundError } from '@temporalio/client';
import type { Context } from '../../src/context.ts';
import { insertMissingInboxSyncs } from '../../src/db/inbox/inbox-sync-operations.ts';
import {
  listOperationsNotStarted,
  listOperationsUnseen,
  markWorkflowSeen,
  resetProgress,
} from '../../src/db/operations/operation-workflows.ts';
import { insertOperationEvent } from '../../src/db/operations/operations.ts';
import type { Operation } from '../../src/db/operations/operations.ts';
import { listDueRecharges } from '../../src/db/wallet/auto-recharges.ts';
import { insertRecharge } from '../../src/transactions/recharge-wallet.ts';
import { findFlow } from '../../src/domain/operations/flows.ts';

/** A row younger than this is still being started by the request that wrote it. */
const START_GRACE_MS = 5_000;

/** How often the workflow of an unfinished row is checked. */
const LOOK_AFTER_MS = 60_000;

/** Rows per run; the next run follows within seconds. */
const BATCH = 200;

type RecoveryContext = Pick<
  Context,
  'db' | 'config' | 'payments' | 'temporal' | 'startOperation' | 'logger' | 'clock'
>;

export const recoveryActivities = (context: RecoveryContext) => ({
  /**
   * Starts the workflow of every row that has none (Temporal was down), and the sync of clusters that
   * now have their first mailbox, and recharges of wallets that have fallen below their threshold. Safe to repeat.
   */
  async startMissingWorkflows(): Promise<{ started: number }> {
    const unread = await insertMissingInboxSyncs(context.db);
    for (const operation of unread) await context.startOperation(operation);
    const recharges = await beginDueRecharges(context);
    for (const operation of recharges) await context.startOperation(operation);
    const before = new Date(context.clock.now().getTime() - START_GRACE_MS);
    const waiting = await listOperationsNotStarted(context.db, before, BATCH);
    for (const operation of waiting) await context.startOperation(operation);
    return { started: waiting.length + unread.length + recharges.length };
  },

  /**
   * A run that was terminated, or that Temporal has lost, may hold money, a server and DNS records: it
   * is started once more, only to undo and refund; sending and reading mail continues instead. Safe to
   * repeat.
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
      const goesOn = findFlow(operation.kind)?.direction === 'forward';
      context.logger.error({ operationId, workflowId, goesOn }, 'the workflow is gone');
      await resetProgress(context.db, operationId);
      await context.startOperation(operation, goesOn ? { restart: true } : { undoOnly: true });
      await insertOperationEvent(context.db, {
        operationId,
        kind: 'recovered',
        step,
        actor: 'system',
        reason: goesOn
          ? 'the workflow was gone while the row was unfinished: started again'
          : 'the workflow was gone while the row was unfinished: undone and refunded',
      });
      undone += 1;
    }
    return { undone };
  },
});

/** One transaction each: a user that cannot be charged keeps nobody waiting. */
async function beginDueRecharges(context: RecoveryContext): Promise<Operation[]> {
  const { db, config, clock } = context;
  if (!context.payments) return [];
  const pace = {
    retryPace: config.RETRY_PACE,
    heartbeatSeconds: config.HEARTBEAT_TIMEOUT_SECONDS,
    blockedTimeoutSeconds: config.BLOCKED_STEP_TIMEOUT_SECONDS,
  };
  const begun: Operation[] = [];
  for (const userId of await listDueRecharges(db, clock.now(), BATCH)) {
    const operation = await db
      .transaction()
      .execute((trx) => insertRecharge(trx, { userId, pace, now: clock.now() }));
    if (operation) begun.push(operation);
  }
  return begun;
}

async function isOpen({ temporal }: RecoveryContext, workflowId: string): Promise<boolean> {
  try {
    const { status } = await temporal.workflow.getHandle(workflowId).describe();
    return status.name === 'RUNNING' || status.name === 'CONTINUED_AS_NEW';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}
