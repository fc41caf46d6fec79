/** The flows of a cluster: it is provisioned, one run per attempt, and deleted once. Choice 13. */
import { defineFlow, type FlowOrder } from '../operations/define-flow.ts';
import {
  DESTROY_STEPS,
  destroyStepApplies,
  PROVISION_STEPS,
  provisionStepApplies,
} from '../operations/operations.ts';
import { WORKFLOW_QUEUE } from '../operations/queues.ts';
import type { ClusterPrice } from '../wallet/prices.ts';

export interface ClusterProvisioning extends FlowOrder {
  clusterId: number;
  domainId: number;
  domain: string;
  /** The domain's vendor, whose queue takes purchase and records; absent in older runs. */
  registrar?: string;
  /** True where the client named no registrar: an alternate may be asked. */
  failsOver?: boolean;
  /** False where the account already has the domain: nothing is bought. */
  buyDomain: boolean;
  /** False on an existing server: nothing is rented, its PTR stays. */
  rentServer: boolean;
  /** True where the owner sets the DNS records elsewhere: that takes a person's time. Choice 64. */
  manualDns?: boolean;
  /** Fixed when the hold was taken. */
  price: ClusterPrice;
}

/** Makes a cluster of a domain, a server and a mail host; `attempt` counts from 1. */
export const provisionClusterFlow = defineFlow<ClusterProvisioning>()({
  kind: 'provisionCluster',
  queue: WORKFLOW_QUEUE,
  resource: 'cluster',
  resourceId: ({ clusterId }) => clusterId,
  workflowId: ({ clusterId, attempt }: { clusterId: number; attempt: number }) =>
    `cluster/${clusterId}/${attempt}`,
  steps: ({ buyDomain, rentServer }) =>
    PROVISION_STEPS.map((name) => ({
      name,
      state: provisionStepApplies(name, { domain: buyDomain, server: rentServer })
        ? 'pending'
        : 'skipped',
    })),
  outcome: 'ending',
  direction: 'back',
  priority: 'high',
});

export interface ClusterTeardown extends FlowOrder {
  clusterId: number;
  /** Decided, under the server's lock, when the deletion was requested. */
  deletesServer: boolean;
  /** The vendors of its domain and server, whose queues enforce their limits; absent in older runs. */
  registrar?: string;
  vps?: string;
}

/** Deletes a cluster, once, and its server where no other cluster needs it. */
export const destroyClusterFlow = defineFlow<ClusterTeardown>()({
  kind: 'destroyCluster',
  queue: WORKFLOW_QUEUE,
  resource: 'cluster',
  resourceId: ({ clusterId }) => clusterId,
  workflowId: ({ clusterId }: { clusterId: number }) => `cluster-destroy/${clusterId}`,
  steps: (input) =>
    DESTROY_STEPS.map((name) => ({
      name,
      state: destroyStepApplies(name, input) ? 'pending' : 'skipped',
    })),
  outcome: 'ending',
  direction: 'forward',
  priority: 'normal',
});
