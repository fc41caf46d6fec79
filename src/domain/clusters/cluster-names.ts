/** The display names of clusters. Spec: PATCH /clusters/:id/rename. */

/** In characters. */
export const MAX_CLUSTER_NAME = 100;

/** The name that a new cluster has: its domain, as far as a name may reach. */
export const firstClusterName = (domain: string): string =>
  Array.from(domain).slice(0, MAX_CLUSTER_NAME).join('');
