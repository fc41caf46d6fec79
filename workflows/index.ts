/** The workflows that can be started; every export here is one, so nothing else may be exported. */
export { buyDomain } from './buy-domain.ts';
export { createMailbox } from './create-mailbox.ts';
export { discoverLeads } from './discover-leads.ts';
export { enrichWebsites } from './enrich-websites.ts';
export { importLeads } from './import-leads.ts';
export { importPlaces } from './import-places.ts';
export { provisionCluster } from './provision-cluster.ts';
export { reconcile } from './reconcile.ts';
export { scrapeMaps } from './scrape-maps.ts';
export { verifyEmails } from './verify-emails.ts';
