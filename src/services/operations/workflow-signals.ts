/** Signals from requests to the workflows of operations. */
import { WorkflowNotFoundError } from '@temporalio/client';
import type { Context } from '../../context.ts';
import type { Operation } from '../../db/operations/operations.ts';
import { upstreamUnavailable } from '../../domain/errors.ts';
import { workflowIdOf } from '../../domain/operations/run-keys.ts';

/** A signal must not block the request when Temporal hangs. */
const SIGNAL_DEADLINE_MS = 5_000;

type Handle = ReturnType<Context['temporal']['workflow']['getHandle']>;

/**
 * A workflow that has ended, or that is not started yet, needs no signal: it reads the row. Throws `upstream` (502)
 * where Temporal does not answer.
 */
export async function signalWorkflow(
  { temporal }: Pick<Context, 'temporal'>,
  operation: Pick<Operation, 'workflow_id' | 'run_key'>,
  send: (handle: Handle) => Promise<void>,
): Promise<void> {
  const handle = temporal.workflow.getHandle(workflowIdOf(operation));
  try {
    await temporal.withDeadline(Date.now() + SIGNAL_DEADLINE_MS, () => send(handle));
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return;
    throw upstreamUnavailable('The workflow engine is not reachable; try again shortly');
  }
}
