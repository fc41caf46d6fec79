/** Keeps the rows of operations in step with their workflows. */
import type { Transaction } from 'kysely';
import type { Context } from '../../src/context.ts';
import { insertMissingInboxSyncs } from '../../src/db/inbox/inbox-sync-operations.ts';
import { releaseHold } from '../../src/db/wallet/ledger.ts';
import {
  endOperation,
  updateProgress,
  type OperationEnd,
} from '../../src/db/operations/operation-progress.ts';
import { resetProgress } from '../../src/db/operations/operation-workflows.ts';
import {
  getOperation,
  insertOperationEvent,
  type Operation,
} from '../../src/db/operations/operations.ts';
import type { Database } from '../../src/db/tables.ts';
import { removeJobOf } from '../../src/db/shards/shard-jobs.ts';
import { findFlow } from '../../src/domain/operations/flows.ts';
import { stepMessage } from '../../src/domain/operations/operations.ts';
import type {
  OperationState,
  ResolutionAction,
  StepProgress,
} from '../../src/domain/operations/operations.ts';
import { judgeEnd } from './judged-ends.ts';
import { ENDINGS } from './operation-outcomes.ts';
import { jobRows } from '../engine/jobs.ts';
import { handPlaceOn, type PlaceContext } from './places.ts';
import type { BlockedStep } from '../../workflows/contracts/operator.ts';

type OperationsContext = PlaceContext & Pick<Context, 'operationEnds'>;

interface ProgressInput {
  operationId: number;
  number: number;
  /** The run that numbers its writes; not given by runs of before. */
  run?: string;
  state: OperationState;
  step: string;
  steps: StepProgress[];
  /** Given once: why everything is undone from here on. */
  cause?: string;
}

export const operationActivities = (context: OperationsContext) => ({
  /** Shows in the row which step runs, or is undone. */
  async recordProgress({ cause, ...input }: ProgressInput): Promise<void> {
    const { operationId, step } = input;
    const progress = { ...input, message: stepMessage(step, input.state), error: null };
    if (cause === undefined) return void (await updateProgress(context.db, progress));
    await context.db.transaction().execute(async (trx) => {
      // A repeat finds its number in the row.
      if (!(await updateProgress(trx, progress))) return;
      const words = { actor: 'system', reason: cause };
      await insertOperationEvent(trx, { operationId, kind: 'given_up', step, ...words });
    });
  },

  /** Shows that a step waits for a person, and why. */
  async recordBlocked(input: {
    operationId: number;
    number: number;
    run?: string;
    blocked: BlockedStep;
    steps: StepProgress[];
    isUndo: boolean;
  }): Promise<void> {
    const { operationId, number, run, blocked, steps, isUndo } = input;
    const { step, error } = blocked;
    // Choice 13: a compensation that is itself blocked shows as `compensating`.
    const state = isUndo ? 'compensating' : 'blocked';
    await context.db.transaction().execute(async (trx) => {
      await updateProgress(trx, {
        operationId,
        number,
        run,
        state,
        step,
        steps,
        message: stepMessage(step, state, true),
        error: { code: error.code, message: error.message },
      });
      await insertOperationEvent(trx, {
        operationId,
        kind: 'blocked',
        step,
        actor: 'system',
        reason: error.message,
        detail: {
          type: error.type,
          hint: error.hint,
          actions: blocked.actions,
          vendors: error.vendors ?? [],
        },
      });
    });
    context.logger.warn({ operationId, step, type: error.type }, 'operation is blocked');
    await handPlaceOn(context, await getOperation(context.db, operationId));
  },

  /** Records who answered what, and why. */
  async recordResolution(input: {
    operationId: number;
    number: number;
    run?: string;
    step: string;
    resolution: { action: ResolutionAction; actor: string; reason: string };
    state: OperationState;
    steps: StepProgress[];
  }): Promise<void> {
    const { operationId, resolution, ...progress } = input;
    const { step, state } = progress;
    await context.db.transaction().execute(async (trx) => {
      const message = stepMessage(step, state);
      await updateProgress(trx, { ...progress, operationId, message, error: null });
      await insertOperationEvent(trx, {
        operationId,
        kind: 'resolved',
        step,
        actor: resolution.actor,
        reason: resolution.reason,
        detail: { action: resolution.action },
      });
    });
  },

  /** The run begins anew from its rows, which had forgotten a part of it. Safe to repeat. */
  async startOver(input: { operationId: number; undoOnly: boolean }): Promise<void> {
    const { operationId, undoOnly } = input;
    await resetProgress(context.db, operationId);
    const reason = undoOnly
      ? 'run and row were found apart after a restore: it is undone'
      : 'the row had lost what its run wrote: started over from the rows';
    const event = { operationId, kind: 'recovered', step: null, actor: 'system', reason } as const;
    await insertOperationEvent(context.db, event);
  },

  /** Ends the operation and settles the row it worked on. */
  async finishOperation(input: OperationEnd): Promise<void> {
    const { operationId, outcome, error } = input;
    const ended = await context.db.transaction().execute(async (trx) => {
      const isEnded = await endOperation(trx, input);
      await removeJobOf(trx, operationId);
      if (!isEnded) return undefined;
      const operation = await getOperation(trx, operationId);
      await settleResource(trx, operation, outcome, error);
      return { operation, end: await judgeEnd(trx, operation, input) };
    });
    if (ended) {
      // A worker that dies here does not count it: no second end would.
      if (ended.end) context.operationEnds?.note(ended.end);
      await handPlaceOn(context, ended.operation);
    }
    if (outcome === 'succeeded') await startSync(context, operationId);
  },
});

/** Starts the sync of an inbox's first mailbox. Never throws: the reconciler starts missed ones. */
async function startSync(context: OperationsContext, operationId: number): Promise<void> {
  try {
    const { resource_type, resource_id } = await getOperation(context.db, operationId);
    if (resource_type !== 'mailbox') return;
    const missing = await insertMissingInboxSyncs(context.db, { mailboxId: resource_id });
    for (const operation of missing) await context.startOperation(operation);
  } catch (error) {
    context.logger.warn({ operationId, err: error }, 'the sync of a mailbox is not started yet');
  }
}

async function settleResource(
  trx: Transaction<Database>,
  operation: Operation,
  outcome: 'succeeded' | 'failed',
  error: { code: string; message: string } | undefined,
): Promise<void> {
  const { id, kind, resource_id, hold_id } = operation;
  if (hold_id !== null) {
    // A skipped step leaves its part of the hold uncaptured: it is released, so that no hold stays open.
    const operationKey = `operation:${id}:release`;
    await releaseHold(trx, { holdId: hold_id, operationKey, description: 'Not needed' });
  }
  const flow = findFlow(kind);
  // Only a newer worker knows the flow: the activity is retried until one runs it.
  if (!flow) throw new Error(`There is no flow of the kind ${kind}`);
  if (flow.outcome === 'ending') return ENDINGS[flow.kind](trx, operation, { outcome, error });
  await jobRows[flow.resource].settle(trx, resource_id, { outcome, error, operationId: id });
}
