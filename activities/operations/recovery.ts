/** No row stays without a workflow: what was never started is started, a row that lost its run is settled. */
import { ServiceError } from '@temporalio/client';
import type { Context } from '../../src/context.ts';
import { isHostBack } from '../../src/db/clusters/server-access.ts';
import { insertMissingInboxSyncs } from '../../src/db/inbox/inbox-sync-operations.ts';
import { listWaitingAccounts } from '../../src/db/operations/operation-places.ts';
import {
  listOperationsNotStarted,
  listOperationsUnseen,
  markWorkflowSeen,
  resetProgress,
} from '../../src/db/operations/operation-workflows.ts';
import { getOperation, insertOperationEvent } from '../../src/db/operations/operations.ts';
import type { BlockedStepSignal } from '../../workflows/contracts/operator.ts';
import type { Operation } from '../../src/db/operations/operations.ts';
import { listDueRecharges } from '../../src/db/wallet/auto-recharges.ts';
import { insertRecharge } from '../../src/transactions/recharge-wallet.ts';
import { isDownForAll } from '../../src/domain/database-down.ts';
import { findFlow } from '../../src/domain/operations/flows.ts';
import type { StepState } from '../../src/domain/operations/operations.ts';
import { recoveryOf } from '../../src/domain/operations/restores.ts';
import { workflowIdOf } from '../../src/domain/operations/run-keys.ts';
import { findRun } from './found-runs.ts';
import { operationActivities } from './operations.ts';
import { fillPlaces } from './places.ts';
import { keepSchedules } from '../schedules/schedules.ts';
import { isWhole } from './whole-rows.ts';

/** A row younger than this is still being started by the request that wrote it. */
const START_GRACE_MS = 5_000;

/** How often the workflow of an unfinished row is checked. */
const LOOK_AFTER_MS = 60_000;

/** The activity has 30 s for all that it does. */
const FILL_MS = 10_000;

/** Rows per run; the next run follows within seconds. */
const BATCH = 200;

type RecoveryContext = Pick<
  Context,
  | 'db'
  | 'config'
  | 'payments'
  | 'temporal'
  | 'startOperation'
  | 'operationEnds'
  | 'keepSchedule'
  | 'logger'
  | 'clock'
>;

export const recoveryActivities = (context: RecoveryContext) => ({
  /**
   * Starts the workflow of every row that has none (Temporal was down), and the sync of clusters that
   * now have their first mailbox, and recharges of wallets that have fallen below their threshold; and brings the
   * Schedules of clients to their rows. Safe to repeat.
   */
  async startMissingWorkflows(): Promise<{ started: number }> {
    const unread = await insertMissingInboxSyncs(context.db);
    for (const operation of unread) await context.startOperation(operation);
    const recharges = await beginDueRecharges(context);
    for (const operation of recharges) await context.startOperation(operation);
    const before = new Date(context.clock.now().getTime() - START_GRACE_MS);
    const waiting = await listOperationsNotStarted(context.db, before, BATCH);
    for (const operation of waiting) await context.startOperation(operation);
    await keepSchedules(context);
    await fillAllPlaces(context);
    return { started: waiting.length + unread.length + recharges.length };
  },

  /**
   * An unfinished row whose run is over. A run that failed or was terminated may hold money, a server and DNS
   * records: it is started once more, only to undo and refund. One that completed settles its row, which a
   * restore has put back; one that Temporal has lost goes on from its rows. Safe to repeat.
   * docs/workflow-rules.md#after-a-restore.
   */
  async undoLostWorkflows(): Promise<{ undone: number }> {
    const before = new Date(context.clock.now().getTime() - LOOK_AFTER_MS);
    let undone = 0;
    for (const operation of await listOperationsUnseen(context.db, before, BATCH)) {
      try {
        if (await recover(context, operation)) undone += 1;
      } catch (error) {
        if (concernsAll(error)) throw error;
        // Such as a memo that no key opens any more. It is the first one of the next look again, and holds up nobody.
        const { id: operationId } = operation;
        context.logger.error({ operationId, err: error }, 'an operation could not be looked after');
      }
    }
    return { undone };
  },
});

/** Temporal or Postgres is away, or another worker has the work by now. */
const concernsAll = (error: unknown): boolean =>
  error instanceof ServiceError ||
  isDownForAll(error) ||
  (error instanceof Error && error.name === 'AbortError');

/** Some seconds of it: the next run goes on. */
async function fillAllPlaces(context: RecoveryContext): Promise<void> {
  const { db, config, clock } = context;
  const until = clock.now().getTime() + FILL_MS;
  const places = config.ACCOUNT_RUNNING_JOBS;
  for (const userId of await listWaitingAccounts(db, { places, limit: BATCH })) {
    if (clock.now().getTime() >= until) return;
    await fillPlaces(context, userId);
  }
}

/** False where its run is open, or where only a newer build knows what is to be done. */
async function recover(context: RecoveryContext, operation: Operation): Promise<boolean> {
  const { db, logger } = context;
  const { id: operationId, state, step } = operation;
  const { found, end, waitsAt } = await findRun(context, operation);
  const flow = findFlow(operation.kind);
  const isCancelled = end?.outcome === 'failed';
  const row = { state, isWhole: isCancelled || (await isWhole(db, operation)) };
  const recovery = recoveryOf(flow, found, row);
  if (recovery === 'keep') {
    if (found !== 'open') {
      logger.warn({ operationId, kind: operation.kind, found }, 'left to workers of a newer build');
    }
    await markWorkflowSeen(db, operationId);
    if (waitsAt !== undefined) await remindOfBlock(context, operationId, waitsAt);
    return false;
  }
  logger.error({ operationId, workflowId: workflowIdOf(operation), found, recovery }, 'no run');
  await insertOperationEvent(db, {
    operationId,
    kind: 'recovered',
    step,
    actor: 'system',
    reason: REASONS[recovery],
    detail: { run: found },
  });
  if (recovery === 'settle') {
    const steps = operation.steps.map((one) => ({ ...one, state: doneState(one.state) }));
    const settled = { operationId, ...(end ?? { outcome: 'succeeded' as const, steps }) };
    await operationActivities(context).finishOperation(settled);
    return true;
  }
  await resetProgress(db, operationId);
  await context.startOperation(operation, AGAIN[recovery]);
  return true;
}

/**
 * A run that waits for a person does nothing by which it could notice that its row has forgotten that: nobody would
 * find it. The step is tried again: it starts over from its rows, or is blocked anew, where people see it. So is one
 * that was blocked while its host was made anew, where the end of that came before the block was written.
 */
async function remindOfBlock(
  { db, temporal, logger }: RecoveryContext,
  operationId: number,
  step: string,
): Promise<void> {
  // Read after the run was looked at: its block may have been written meanwhile.
  const operation = await getOperation(db, operationId);
  if (operation.finished_at !== null) return;
  const isForgotten = operation.blocked_at === null;
  if (!isForgotten && !(await isHostBack(db, operation.error_message ?? ''))) return;
  const answer: BlockedStepSignal = {
    step,
    action: 'retry',
    actor: 'system',
    reason: isForgotten
      ? 'the row had forgotten that the run waits for a person: tried again'
      : 'the mail host is back',
  };
  if (isForgotten) logger.error({ operationId, step }, 'a block that its row had forgotten');
  const handle = temporal.workflow.getHandle(workflowIdOf(operation));
  await handle.signal('resolveBlockedStep', answer);
}

const REASONS = {
  settle: 'the run had come to its end and the row had forgotten it: settled as the run ended',
  again: 'the workflow was gone while the row was unfinished: started again',
  undo: 'the workflow was gone while the row was unfinished: undone and refunded',
};

const AGAIN = { again: { restart: true }, undo: { undoOnly: true } };

const doneState = (state: StepState): StepState => (state === 'skipped' ? 'skipped' : 'completed');

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
