/** The workflows that can be started; every export here is one, so nothing else may be exported. */
export { buyDomain } from './buy-domain.ts';
export { createMailbox } from './create-mailbox.ts';
export { provisionCluster } from './provision-cluster.ts';
export { reconcile } from './reconcile.ts';
