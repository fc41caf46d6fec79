/** What the product charges. Spec: Limits. */

/** Domain purchase charge: create cluster with a new domain. */
export const DOMAIN_PRICE_CENTS = 1_600;

/** VPS server charge: both cluster operations, when `useExistingVps` is false. */
export const SERVER_PRICE_CENTS = 2_500;

/** The parts of a cluster's price; a part that does not apply is 0. */
export interface ClusterPrice {
  domainCents: number;
  serverCents: number;
  totalCents: number;
}

/**
 * Price of a cluster: $41.00, $16.00, $25.00 or $0.00. Spec: Limits. A part that was paid already (a retry
 * after the domain was bought) is passed as false.
 */
export function clusterPrice(needs: { domain: boolean; server: boolean }): ClusterPrice {
  const domainCents = needs.domain ? DOMAIN_PRICE_CENTS : 0;
  const serverCents = needs.server ? SERVER_PRICE_CENTS : 0;
  return { domainCents, serverCents, totalCents: domainCents + serverCents };
}
