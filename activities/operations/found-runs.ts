/** How the run of an operation is found in Temporal: open, at its end, or not at all. */
import { WorkflowNotFoundError, type WorkflowExecutionDescription } from '@temporalio/client';
import type { Context } from '../../src/context.ts';
import type { Operation } from '../../src/db/operations/operations.ts';
import type { FoundRun, RunEnd } from '../../src/domain/operations/restores.ts';
import { workflowIdOf } from '../../src/domain/operations/run-keys.ts';

type RunsContext = Pick<Context, 'temporal'>;

/**
 * Only an answer of Temporal counts: throws where it does not answer. `waitsAt`: the step at which an open run waits
 * for a person, with nothing under way.
 */
export async function findRun(
  { temporal }: RunsContext,
  operation: Operation,
): Promise<{ found: FoundRun; end?: RunEnd; waitsAt?: string }> {
  const handle = temporal.workflow.getHandle(workflowIdOf(operation));
  try {
    const run = await handle.describe();
    const { status } = run;
    if (status.name === 'RUNNING' || status.name === 'CONTINUED_AS_NEW') {
      const waitsAt = waitOf(run);
      return { found: 'open', ...(waitsAt !== undefined && { waitsAt }) };
    }
    if (status.name !== 'COMPLETED') return { found: 'failed' };
    // Those of earlier versions say nothing: only what succeeded, or was cancelled by its client, completes.
    const end = ((await handle.result()) ?? undefined) as RunEnd | undefined;
    return { found: 'completed', ...(end && { end }) };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return { found: 'lost' };
    throw error;
  }
}

function waitOf({ searchAttributes: shown, raw }: WorkflowExecutionDescription) {
  const [state, step] = [shown['OpsState']?.[0], shown['OpsStep']?.[0]];
  const isWaiting = String(state).endsWith('Blocked') && !raw.pendingActivities?.length;
  return isWaiting && typeof step === 'string' ? step : undefined;
}
