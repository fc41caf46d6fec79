/** What becomes of a run whose row, or which itself, was put back to an earlier moment. docs/workflow-rules.md#after-a-restore. */
import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  continueAsNew,
  proxyActivities,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import { PUT_BACK_FAILURES, type PutBackFailure } from '../../src/domain/operations/restores.ts';
import type { OperationInput } from '../contracts/operator.ts';
import { opsState, opsStep } from '../contracts/search-attributes.ts';
import { buildOn } from './built-on.ts';
import { policies } from './policies.ts';

/** The failure's type where an activity found run and row apart; undefined for any other error. */
export function putBackOf(error: unknown): PutBackFailure | undefined {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  const type = cause instanceof ApplicationFailure ? cause.type : undefined;
  return PUT_BACK_FAILURES.find((known) => known === type);
}

/**
 * Runs an operation to its end. Where row and run were found apart, the run goes on anew from its rows (to undo
 * only, where `isUndone` or the row says so), or ends without having touched what is another one's.
 */
export async function withPutBacks(
  input: OperationInput,
  isUndone: () => boolean,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const found = putBackOf(error);
    if (!found) throw error;
    await CancellationScope.nonCancellable(() =>
      found === 'RowsBehind' || found === 'RunBehind'
        ? startOver(input, found === 'RunBehind' || isUndone())
        : giveWay(error),
    );
  }
}

async function startOver(input: OperationInput, undoOnly: boolean): Promise<never> {
  buildOn({ number: 0, isUndone: undoOnly });
  const { operationId, pace } = input;
  const { startOver: note } = proxyActivities<Activities>(policies(pace).dbWrite);
  const summary = 'run and row were found apart: it starts over';
  const noted = note.executeWithOptions({ summary }, [{ operationId, undoOnly }]);
  await noted.catch(async (error: unknown) => {
    if (putBackOf(error)) await giveWay(error);
    throw error;
  });
  const { undoOnly: before, ...same } = input;
  return continueAsNew({
    ...same,
    ...(undoOnly || before === true ? { undoOnly: true } : { restored: true }),
  });
}

/** Fails the run, as what it found: nothing is undone, and no row is changed. */
export async function giveWay(error: unknown): Promise<never> {
  upsertSearchAttributes([
    { key: opsState, value: null },
    { key: opsStep, value: null },
  ]);
  const cause = error instanceof ActivityFailure ? error.cause : error;
  const message = cause instanceof Error ? cause.message : String(cause);
  throw ApplicationFailure.nonRetryable(message, putBackOf(error));
}
