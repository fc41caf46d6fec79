/** The flows of a domain: it is bought at most once, and each term is paid at most once. */
import { defineFlow, pendingSteps, type FlowOrder } from '../operations/define-flow.ts';
import { WORKFLOW_QUEUE } from '../operations/queues.ts';

export interface DomainPurchaseOrder extends FlowOrder {
  domainId: number;
  domain: string;
  /** The vendor, whose queue takes the purchase; absent in older runs. */
  registrar?: string;
  /** True where the client named no registrar: an alternate may be asked. */
  failsOver?: boolean;
  /** False where the price is $0.00: there is no hold to confirm. */
  charged: boolean;
  /** Fixed when the hold was taken. */
  price: { domainCents: number };
}

/** One name at one registrar. */
export const buyDomainFlow = defineFlow<DomainPurchaseOrder>()({
  kind: 'buyDomain',
  queue: WORKFLOW_QUEUE,
  resource: 'domain',
  resourceId: ({ domainId }) => domainId,
  workflowId: ({ domainId }: { domainId: number }) => `domain/${domainId}`,
  steps: () => pendingSteps('wallet_hold', 'domain_purchase'),
  outcome: 'ending',
  direction: 'back',
  priority: 'high',
});

export interface DomainRenewalOrder extends FlowOrder {
  renewalId: number;
  domain: string;
  /** The vendor, whose queue takes it; absent in older runs. */
  registrar?: string;
  /** False where the price is $0.00: there is no hold to confirm. */
  charged: boolean;
  /** Fixed when the hold was taken. */
  price: { domainCents: number };
}

/** One renewal of a domain. */
export const renewDomainFlow = defineFlow<DomainRenewalOrder>()({
  kind: 'renewDomain',
  queue: WORKFLOW_QUEUE,
  resource: 'domain_renewal',
  resourceId: ({ renewalId }) => renewalId,
  workflowId: ({ renewalId }: { renewalId: number }) => `domain-renewal/${renewalId}`,
  steps: ({ charged }) => [
    { name: 'wallet_hold', state: charged ? 'pending' : 'skipped' },
    ...pendingSteps('domain_renewal'),
  ],
  outcome: 'ending',
  direction: 'back',
  priority: 'high',
});

export interface TrackingDomainUpkeep extends FlowOrder {
  trackingDomainId: number;
  name: string;
}

/**
 * Keeps a client's name for links: looks for its record, gets its certificate, and renews that until the name is
 * deleted. `run` counts from 1: one that has failed is started again by a request.
 */
export const tendTrackingDomainFlow = defineFlow<TrackingDomainUpkeep>()({
  kind: 'tendTrackingDomain',
  queue: WORKFLOW_QUEUE,
  resource: 'tracking_domain',
  resourceId: ({ trackingDomainId }) => trackingDomainId,
  workflowId: ({ trackingDomainId, run }: { trackingDomainId: number; run: number }) =>
    `tracking-domain/${trackingDomainId}/${run}`,
  outcome: 'job',
  direction: 'forward',
  priority: 'normal',
});
