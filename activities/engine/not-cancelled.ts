/** Work that was taken for dead and wakes up again: what it made after its undo would stay for ever. */
import type { Context } from '../../src/context.ts';
import { findOperationState } from '../../src/db/operations/operation-states.ts';
import { invalid } from '../../src/domain/errors.ts';

/**
 * To be called within a turn at the thing, right before it is changed: an undo takes the same turn,
 * and the row says that an operation is undone before its first undo runs. Throws 400 INVALID_STATE
 * (not repeated) where the operation is being undone, or has ended.
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
