/** P10's workflow as the product writes one: the policy of its own writes. */
import { proxyActivities } from '@temporalio/workflow';
import { policies } from '../workflows/engine/policies.ts';
import type { NoOpActivities } from './p10-worker.ts';

const { dbWrite } = policies({
  retryPace: 1,
  heartbeatSeconds: 10,
  blockedTimeoutSeconds: 86_400,
});
const { greet } = proxyActivities<NoOpActivities>(dbWrite);

/** `atOnce` = all activities at the same time, else one after the other. */
export async function noOps(input: { activities: number; atOnce: boolean }): Promise<void> {
  if (input.atOnce) {
    await Promise.all(Array.from({ length: input.activities }, () => greet('Temporal')));
    return;
  }
  for (let n = 0; n < input.activities; n += 1) await greet('Temporal');
}
