/** Contract of `provisionCluster`: a domain, a server and a mail host become a cluster. */
import type { OperationInput } from './operator.ts';

export const provisionClusterType = 'provisionCluster';
export const provisionClusterWorkflowId = (clusterId: number, attempt: number) =>
  `cluster/${clusterId}/${attempt}`;

export interface ProvisionClusterInput extends OperationInput {
  clusterId: number;
  domainId: number;
  domain: string;
  /** The domain's vendor, whose queue takes purchase and records; runs of before do not know it. */
  registrar?: string;
  /** True where the client named no registrar: an alternate may be asked. */
  failsOver?: boolean;
  /** False where the domain is the account's already: nothing is bought. */
  buyDomain: boolean;
  /** False on an existing server: nothing is rented, its PTR stays. */
  rentServer: boolean;
  /** True where the owner sets the DNS records, elsewhere: that takes a person's time. Choice 64. */
  manualDns?: boolean;
}
