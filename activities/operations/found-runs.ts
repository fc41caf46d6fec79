/** How the run of an operation is found in Temporal: open, at its end, or not at all. */
import { WorkflowNotFoundError } from '@temporalio/client';
import type { Context } from '../../src/context.ts';
import type { Operation } from '../../src/db/operations/operations.ts';
import type { FoundRun, RunEnd } from '../../src/domain/operations/restores.ts';
import { workflowIdOf } from '../../src/domain/operations/run-keys.ts';

type RunsContext = Pick<Context, 'temporal'>;

/** Only an answer of Temporal counts: throws where it does not answer. */
export async function findRun(
  { temporal }: RunsContext,
  operation: Operation,
): Promise<{ found: FoundRun; end?: RunEnd }> {
  const handle = temporal.workflow.getHandle(workflowIdOf(operation));
  try {
    const { status } = await handle.describe();
    if (status.name === 'RUNNING' || status.name === 'CONTINUED_AS_NEW') return { found: 'open' };
    if (status.name !== 'COMPLETED') return { found: 'failed' };
    // Those of earlier versions say nothing: only what succeeded, or was cancelled by its client, completes.
    const end = ((await handle.result()) ?? undefined) as RunEnd | undefined;
    return { found: 'completed', ...(end && { end }) };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return { found: 'lost' };
    throw error;
  }
}
