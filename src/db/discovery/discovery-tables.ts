/** Row shapes of discovery processes, what they found, and the contacts that were bought. */
import type { ColumnType, Generated } from 'kysely';
import type { DiscoveryStep, LeadProcessStatus } from '../../domain/discovery/discovery.ts';

type CreatedAt = ColumnType<Date, never, never>;
type UpdatedAt = ColumnType<Date, never, Date>;

export interface LeadProcessesTable {
  id: ColumnType<number, never, never>;
  user_id: string;
  /** Null once the list was deleted. */
  lead_list_id: number | null;
  search_term: string;
  /** The maximum wanted. */
  lead_count: number;
  countries: string[];
  status: Generated<LeadProcessStatus>;
  step: DiscoveryStep | null;
  /** Contacts that were processed: found, duplicates and rejected ones. */
  processed_leads: Generated<number>;
  /** Leads that this process created. */
  found_leads: Generated<number>;
  /** Contacts that already were leads of their company in the list. */
  duplicate_leads: Generated<number>;
  /** Never goes down. */
  progress_percent: Generated<number>;
  note: string | null;
  error_code: string | null;
  error_message: string | null;
  created_at: CreatedAt;
  started_at: Date | null;
  completed_at: Date | null;
  updated_at: UpdatedAt;
}

export interface LeadProcessSourcesTable {
  id: ColumnType<number, never, never>;
  process_id: number;
  /**
   * Random, so that no other row's search ever had the same name at a library: `searchKey`, written with the first note
   * that it is asked. Null before, and where a process of before has asked: its search has none in its name.
   */
  run_key: ColumnType<string | null, undefined, string>;
  vendor: string;
  countries: string[];
  state: Generated<'waiting' | 'begun' | 'ended' | 'failed'>;
  /** When the search was requested of the library; its answer may have been lost. */
  asked_at: Date | null;
  cursor: string | null;
  ads: Generated<number>;
  /** Since the last answer. */
  failures: Generated<number>;
  note: string | null;
  error_code: string | null;
  updated_at: UpdatedAt;
}

export interface LeadProcessFindersTable {
  process_id: number;
  /** `website`, or the name of a contact finder. */
  vendor: string;
  /** In the order in which they are asked. */
  place: Generated<number>;
  /** `stopped`: not asked again for this process; `note` says why. */
  state: Generated<'active' | 'stopped'>;
  /** Companies that were looked up. */
  asked: Generated<number>;
  contacts: Generated<number>;
  /** Companies whose contacts had been bought before. */
  reused: Generated<number>;
  credits: Generated<number>;
  note: string | null;
}

export interface LeadProcessAdsTable {
  process_id: number;
  ad_id: string;
  vendor: string;
  page_id: string;
  page_name: string;
  landing: string | null;
  ad_url: string | null;
}

export interface LeadProcessCompaniesTable {
  id: ColumnType<number, never, never>;
  process_id: number;
  /** Identifies the company within its process. */
  key: string;
  name: string;
  /** Registrable, lower case, punycode; null when its ads lead to a platform. */
  domain: string | null;
  website: string | null;
  country_code: string | null;
  ad_id: string;
  ad_url: string | null;
  /** The ad library. */
  vendor: string;
  /** `found`: its site was not visited yet; `unusable`: there is no site. */
  state: Generated<'found' | 'visited' | 'unusable'>;
  /** Why its own site yielded no contact. */
  reason: string | null;
  phone: string | null;
  /** Contact finders that need not be asked again. */
  asked: Generated<string[]>;
}

export interface LeadProcessContactsTable {
  id: ColumnType<number, never, never>;
  process_id: number;
  company_id: number;
  /** Lower case. */
  email: string;
  first_name: string;
  last_name: string;
  position: string | null;
  phone: string | null;
  profile_url: string | null;
  /** `website`, or the name of a contact finder. */
  source: string;
  /** The page that shows the address. */
  page: string | null;
  found_at: CreatedAt;
  state: Generated<'new' | 'checked' | 'rejected' | 'attached'>;
  /** Of attached ones: `created`, `found` (already in the account), `erased`. */
  outcome: string | null;
  score: number | null;
  status: string | null;
  reason: string | null;
  checked_at: Date | null;
}

export interface ContactPurchasesTable {
  user_id: string;
  vendor: string;
  domain: string;
  /** `uncertain`: the answer was lost; this vendor is not asked again. */
  state: Generated<'asked' | 'answered' | 'uncertain'>;
  process_id: number | null;
  /** The run of the activity that asked. */
  attempt: string;
  /** `FinderPerson[]` of the port, as JSON. */
  people: ColumnType<BoughtPerson[], string | undefined, string>;
  credits: Generated<number>;
  asked_at: ColumnType<Date, Date | undefined, Date>;
  answered_at: Date | null;
}

/** A bought contact as it is kept, for 90 days at most. */
export interface BoughtPerson {
  firstName: string;
  lastName: string;
  email: string;
  position: string | null;
  phone: string | null;
  profileUrl: string | null;
}

export interface DiscoveryTables {
  lead_processes: LeadProcessesTable;
  lead_process_sources: LeadProcessSourcesTable;
  lead_process_finders: LeadProcessFindersTable;
  lead_process_ads: LeadProcessAdsTable;
  lead_process_companies: LeadProcessCompaniesTable;
  lead_process_contacts: LeadProcessContactsTable;
  contact_purchases: ContactPurchasesTable;
}
