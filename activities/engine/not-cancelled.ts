/** An attempt that was taken for dead may wake up: what it made after its undo would stay for ever. */
import type { Context } from '../../src/context.ts';
import { findOperationState } from '../../src/db/operations/operation-states.ts';
import { invalid } from '../../src/domain/errors.ts';

/**
 * Call it while holding the lock of the thing, right before changing it: an undo takes the same lock,
 * and the row says that an operation is undone before its first undo runs. Throws 400 INVALID_STATE (not
 * retried) where the operation is being undone, or has ended.
 */
export async function assertNotCancelled(
  { db }: Pick<Context, 'db'>,
  { operationId }: { operationId: number },
): Promise<void> {
  const state = await findOperationState(db, operationId);
  if (state === 'compensating' || state === 'failed' || state === 'succeeded') {
    throw invalid('INVALID_STATE', 'The operation has been given up meanwhile');
  }
}
