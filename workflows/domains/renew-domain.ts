/** Renews one domain, at most once per expiry; what an operator must fix blocks it. */
import type { WorkflowInput } from '../contracts/workflow-input.ts';
import { domainRenewalStep } from './domain-steps.ts';
import { runSaga } from '../engine/saga.ts';
import { walletHoldStep } from '../clusters/steps.ts';

export async function renewDomain(input: WorkflowInput<'renewDomain'>): Promise<void> {
  await runSaga(input, [walletHoldStep(input, input.charged), domainRenewalStep(input)]);
}
