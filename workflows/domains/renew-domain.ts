/** Renews one domain, at most once per expiry; what an operator must cure parks. */
import type { RenewDomainInput } from '../contracts/renew-domain.ts';
import { domainRenewalStep } from './domain-steps.ts';
import { runSaga } from '../engine/saga.ts';
import { walletHoldStep } from '../clusters/steps.ts';

export async function renewDomain(input: RenewDomainInput): Promise<void> {
  await runSaga(input, [walletHoldStep(input, input.charged), domainRenewalStep(input)]);
}
