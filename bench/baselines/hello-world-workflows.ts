/** The baseline's workflow, as Temporal's hello-world sample calls an activity. */
import { proxyActivities } from '@temporalio/workflow';
import type * as activities from './hello-world-activities.ts';

const { greet } = proxyActivities<typeof activities>({ startToCloseTimeout: '1 minute' });

/** `atOnce` = all activities at the same time, else one after the other. */
export async function noOps(input: { activities: number; atOnce: boolean }): Promise<void> {
  if (input.atOnce) {
    await Promise.all(Array.from({ length: input.activities }, () => greet('Temporal')));
    return;
  }
  for (let n = 0; n < input.activities; n += 1) await greet('Temporal');
}
