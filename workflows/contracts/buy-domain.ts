/** Contract of `buyDomain`: one name at one registrar, bought at most once. */
import type { OperationInput } from './operator.ts';

export const buyDomainType = 'buyDomain';
export const buyDomainWorkflowId = (domainId: number) => `domain/${domainId}`;

export interface BuyDomainInput extends OperationInput {
  domainId: number;
  domain: string;
  /** The vendor, whose queue takes the purchase; runs of before do not know it. */
  registrar?: string;
  /** True where the client named no registrar: an alternate may be asked. */
  failsOver?: boolean;
  /** False where the price is $0.00: there is no hold to confirm. */
  charged: boolean;
}
