/** What a failed activity means to a saga: who can cure it, and what the client reads. */
import {
  ActivityFailure,
  ApplicationFailure,
  isCancellation,
  TimeoutFailure,
} from '@temporalio/workflow';
import type { FailureFacts } from '../../src/domain/failures.ts';
import { CLIENT_FAILURES, OPERATOR_FAILURES } from '../../src/domain/failures.ts';

/**
 * - `client`: only the client can cure it
 * - `operator`: a person who runs the product can
 * - `unknown`: nobody can say whether it happened; check before anything else
 * - `exhausted`: it kept failing in a way that usually heals alone
 * - `overdue`: what was waited for did not come in time
 */
export type Cure = 'client' | 'operator' | 'unknown' | 'exhausted' | 'overdue';

export interface StepFailure {
  cure: Cure;
  type: string;
  message: string;
  facts: FailureFacts;
}

/** Reads a failure; cancellations are not failures and must be sorted out before. */
export function readFailure(error: unknown): StepFailure {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (cause instanceof TimeoutFailure) {
    // A wait that timed out carries what it was waiting for in its cause.
    const last = cause.cause instanceof ApplicationFailure ? cause.cause : undefined;
    const isWait = cause.timeoutType === 'SCHEDULE_TO_CLOSE';
    const message = `${cause.message}${last ? `: ${last.message}` : ''}`;
    return {
      cure: isWait ? 'overdue' : 'unknown',
      type: 'TimedOut',
      message,
      facts: factsOf(last),
    };
  }
  if (cause instanceof ApplicationFailure) {
    const type = cause.type ?? 'Unknown';
    const facts = factsOf(cause);
    return { cure: cureOf(type, facts), type, message: cause.message, facts };
  }
  const message = cause instanceof Error ? cause.message : String(cause);
  return { cure: 'exhausted', type: 'Unknown', message, facts: {} };
}

/** True for a cancel of the scope or of the whole workflow. */
export const isCancelled = (error: unknown) => isCancellation(error);

/** What the client reads in `provisioning.error`. */
export function clientError(failure: StepFailure): { code: string; message: string } {
  const code = failure.facts.clientCode ?? failure.type.replace(/(?<=[a-z])(?=[A-Z])/g, '_');
  return { code: code.toUpperCase(), message: failure.message };
}

function cureOf(type: string, facts: FailureFacts): Cure {
  if (type === 'OutcomeUnknown') return 'unknown';
  // A refusal without a code of ours is about our settings or our request, not the client's.
  if (type === 'ProviderRejected' && facts.clientCode === undefined) return 'operator';
  if ((CLIENT_FAILURES as readonly string[]).includes(type)) return 'client';
  if ((OPERATOR_FAILURES as readonly string[]).includes(type)) return 'operator';
  return 'exhausted';
}

function factsOf(failure: ApplicationFailure | undefined): FailureFacts {
  const [details] = failure?.details ?? [];
  return typeof details === 'object' && details !== null ? (details as FailureFacts) : {};
}
