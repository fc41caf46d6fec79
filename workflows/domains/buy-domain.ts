/** Buys one domain, at most once, and frees the name when that was not possible. */
import type { WorkflowInput } from '../contracts/workflow-input.ts';
import { domainPurchaseStep } from './domain-steps.ts';
import { runSaga } from '../engine/saga.ts';
import { walletHoldStep } from '../clusters/steps.ts';

export async function buyDomain(input: WorkflowInput<'buyDomain'>): Promise<void> {
  await runSaga(input, [walletHoldStep(input, input.charged), domainPurchaseStep(input, true)]);
}
