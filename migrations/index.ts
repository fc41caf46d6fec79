/** Every migration by name, in order; the name is what the database remembers. */
import type { Migration } from 'kysely';
import * as accounts from './0001-accounts.ts';
import * as httpStores from './0002-http-stores.ts';
import * as wallet from './0003-wallet.ts';
import * as provisioning from './0004-provisioning.ts';
import * as dnsLeases from './0005-dns-leases.ts';
import * as leads from './0006-leads.ts';
import * as leadImports from './0007-lead-imports.ts';
import * as discovery from './0008-discovery.ts';
import * as maps from './0009-maps.ts';
import * as emailValidation from './0010-email-validation.ts';
import * as importLeads from './0011-import-leads.ts';
import * as leadsElsewhere from './0012-leads-elsewhere.ts';

export const migrations: Record<string, Migration> = {
  '0001-accounts': accounts,
  '0002-http-stores': httpStores,
  '0003-wallet': wallet,
  '0004-provisioning': provisioning,
  '0005-dns-leases': dnsLeases,
  '0006-leads': leads,
  '0007-lead-imports': leadImports,
  '0008-discovery': discovery,
  '0009-maps': maps,
  '0010-email-validation': emailValidation,
  '0011-import-leads': importLeads,
  '0012-leads-elsewhere': leadsElsewhere,
};
