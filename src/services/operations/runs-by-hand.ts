/** Waits for a run that an operator has started; a worker does it, since it has the vendors' secrets. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkflowHandle } from '@temporalio/client';
import type { Context } from '../../context.ts';

/** A request must not block the engineer when Temporal hangs. */
export const REQUEST_DEADLINE_MS = 5_000;
const POLL_MS = 250;

/** How it ended, such as `COMPLETED`; undefined when `deadline` came first: it goes on in the background. */
export async function awaitRun(
  { temporal }: Pick<Context, 'temporal'>,
  handle: WorkflowHandle,
  deadline: number,
): Promise<string | undefined> {
  while (Date.now() < deadline) {
    const { status } = await temporal.withDeadline(Date.now() + REQUEST_DEADLINE_MS, () =>
      handle.describe(),
    );
    if (status.name !== 'RUNNING') return status.name;
    await sleep(POLL_MS);
  }
  return undefined;
}
