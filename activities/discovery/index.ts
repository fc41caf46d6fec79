/** Discovery: pages of ads, companies, contacts, leads. One activity per step of a pass. */
import { attachLeads } from './attach-leads.ts';
import { enrichContacts } from './enrich-contacts.ts';
import { extractCompanies } from './extract-companies.ts';
import type { DiscoveryContext, DiscoveryInput } from './process.ts';
import { endSearches, searchAds } from './search-ads.ts';
import { validateEmails } from './validate-emails.ts';

/** Each may run twice, and again after a crash at any line: what is done is in the database. */
export const discoveryActivities = (context: DiscoveryContext) => ({
  searchAds: (input: DiscoveryInput) => searchAds(context, input),
  extractCompanies: (input: DiscoveryInput) => extractCompanies(context, input),
  enrichContacts: (input: DiscoveryInput) => enrichContacts(context, input),
  validateEmails: (input: DiscoveryInput) => validateEmails(context, input),
  attachLeads: (input: DiscoveryInput) => attachLeads(context, input),
  endSearches: (input: DiscoveryInput) => endSearches(context, input),
});
