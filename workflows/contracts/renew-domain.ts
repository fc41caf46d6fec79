/** Contract of `renewDomain`: one more term for a domain, paid at most once. */
import type { OperationInput } from './operator.ts';

export const renewDomainType = 'renewDomain';
export const renewDomainWorkflowId = (renewalId: number) => `domain-renewal/${renewalId}`;

export interface RenewDomainInput extends OperationInput {
  renewalId: number;
  domain: string;
  /** Its queue; older runs have none. */
  registrar?: string;
  /** False where the price is $0.00: there is no hold to confirm. */
  charged: boolean;
}
