/** Contract of `buyDomain`: one name at one registrar, bought at most once. */
import type { OperationInput } from './operator.ts';

export const buyDomainType = 'buyDomain';
export const buyDomainWorkflowId = (domainId: number) => `domain/${domainId}`;

export interface BuyDomainInput extends OperationInput {
  domainId: number;
  domain: string;
  /** False where the price is $0.00: there is no hold to confirm. */
  charged: boolean;
}
