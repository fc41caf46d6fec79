/** A vendor has something of an order, and our rows do not know it: only a person may decide what becomes of it. */
import { ApplicationFailure } from '@temporalio/common';
import type { FailureFacts, FailureType } from '../../src/domain/failures.ts';

/** Blocks the step without a limit of time. The hint says what each answer does. */
export function undecided(
  message: string,
  facts: FailureFacts & { provider: string; operatorHint: string },
): ApplicationFailure {
  const type: FailureType = 'Undecided';
  return ApplicationFailure.create({ type, nonRetryable: true, message, details: [facts] });
}
