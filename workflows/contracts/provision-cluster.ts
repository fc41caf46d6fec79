/** Contract of `provisionCluster`: a domain, a server and a mail host become a cluster. */
import type { OperationInput } from './operator.ts';

export const provisionClusterType = 'provisionCluster';
export const provisionClusterWorkflowId = (clusterId: number, attempt: number) =>
  `cluster/${clusterId}/${attempt}`;

export interface ProvisionClusterInput extends OperationInput {
  clusterId: number;
  domainId: number;
  domain: string;
  /** False where the domain is the account's already: nothing is bought. */
  buyDomain: boolean;
  /** False on an existing server: nothing is rented, its PTR stays. */
  rentServer: boolean;
}
