/** Row shapes of lead lists, companies, leads, suppressions and tombstones. */
import type { ColumnType, Generated } from 'kysely';
import type { CustomType, CustomValues } from '../../domain/leads/custom-fields.ts';
import type { PlainColumn } from '../../domain/leads/lead-fields.ts';
import type { LeadStatus, Provenance } from '../../domain/leads/leads.ts';

type CreatedAt = ColumnType<Date, never, never>;
type UpdatedAt = ColumnType<Date, never, Date>;

export interface LeadListsTable {
  id: ColumnType<number, never, never>;
  user_id: string;
  name: string;
  description: string | null;
  source: string | null;
  /** When its deletion was requested: it is hidden since then; its rows are still being removed. */
  deleted_at: ColumnType<Date | null, never, Date>;
  /** How many leads it had, and how many of them are removed. */
  deleted_leads: ColumnType<number, never, number>;
  removed_leads: ColumnType<number, never, number>;
  /** Those with smaller ids are still to be looked at for `hidden_ranges`; null: all of them. */
  hidden_leads_from: ColumnType<number | null, never, number>;
  hidden_companies_from: ColumnType<number | null, never, number>;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
}

/** All leads, or companies, of the account with ids from `from_id` to `to_id` are of lists that are being deleted. */
export interface HiddenRangesTable {
  user_id: string;
  kind: 'leads' | 'companies';
  lead_list_id: number;
  from_id: number;
  to_id: number;
}

export interface CompaniesTable {
  id: ColumnType<number, never, never>;
  user_id: string;
  lead_list_id: number | null;
  name: string;
  name_key: string;
  domain: string | null;
  domain_key: string | null;
  website: string | null;
  phone: string | null;
  address: string | null;
  city: string | null;
  state: string | null;
  country_code: string | null;
  category: string | null;
  rating: number | null;
  reviews_count: number | null;
  source: string | null;
  maps_url: string | null;
  place_id: string | null;
  provenance: ColumnType<Provenance, string | undefined, string>;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
}

/** The columns of plain fields follow from their declaration. */
export interface LeadsTable extends Record<PlainColumn, string | null> {
  id: ColumnType<number, never, never>;
  user_id: string;
  company_id: number | null;
  first_name: Generated<string>;
  last_name: Generated<string>;
  name_key: string;
  email: string | null;
  email_key: string | null;
  phone: string | null;
  phone_key: string | null;
  social_profile_url: string | null;
  profile_key: string | null;
  status: Generated<LeadStatus>;
  /** Its status before it was suppressed, bounced or unsubscribed; set by a trigger. */
  status_before: ColumnType<LeadStatus | null, never, never>;
  source: string | null;
  /** 0-100; null = never validated. */
  validation_score: number | null;
  email_valid: boolean | null;
  validation_status: string | null;
  /** The reason of the verdict, such as `catch_all`. */
  validation_reason: string | null;
  validated_at: Date | null;
  provenance: ColumnType<Provenance, string | undefined, string>;
  /** By the ids of their fields, deleted ones too; null: none. */
  custom: ColumnType<CustomValues | null, string | null | undefined, string | null>;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
}

export interface CustomFieldsTable {
  id: ColumnType<number, never, never>;
  user_id: string;
  name: string;
  label: string;
  type: CustomType;
  /** What a text may be; null: anything. */
  choices: string[] | null;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
  /** Hidden since then; its values are being removed. */
  deleted_at: ColumnType<Date | null, never, Date>;
}

/** The values of leads by field: their index, which triggers keep. */
export interface CustomValuesTable {
  field_id: ColumnType<number, never, never>;
  lead_id: ColumnType<number, never, never>;
  text: ColumnType<string | null, never, never>;
  number: ColumnType<number | null, never, never>;
}

/** Triggers maintain both. Without a list: the whole account. */
export interface LeadCountersTable {
  id: ColumnType<number, never, never>;
  user_id: ColumnType<string, never, never>;
  lead_list_id: ColumnType<number | null, never, never>;
  companies: ColumnType<number, never, never>;
  leads: ColumnType<number, never, never>;
}

/** The leads of a list in the orders of its pages. */
export interface LeadListMembersTable {
  lead_list_id: ColumnType<number, never, never>;
  lead_id: ColumnType<number, never, never>;
  name_key: ColumnType<string, never, never>;
}

/** Non-ASCII letters in searched texts, of all accounts; triggers add them. */
export interface SearchLettersTable {
  letter: ColumnType<string, never, never>;
}

/** Who asked that a suppression be lifted, where a record of it is required. */
export interface LiftedSuppressionsTable {
  id: ColumnType<number, never, never>;
  user_id: string;
  suppression_id: number;
  kind: 'email' | 'domain';
  value: string;
  reason: SuppressionsTable['reason'];
  note: string;
  lifted_leads: number;
  lifted_at: CreatedAt;
  /** `recipient`: they took their unsubscription back. */
  lifted_by: 'owner' | 'recipient';
}

export interface SuppressionsTable {
  id: ColumnType<number, never, never>;
  user_id: string;
  kind: 'email' | 'domain';
  /** Lower case, domains in punycode. */
  value: string;
  reason: 'unsubscribe' | 'bounce' | 'complaint' | 'manual' | 'erasure';
  note: string | null;
  /** An unsubscription by the link of a message, and nothing else: the recipient may take it back. Choice 155. */
  by_link: ColumnType<boolean, boolean | undefined, boolean>;
  /** When a weightier reason took the place of the first one. */
  weightier_at: ColumnType<Date | null, never, Date | null>;
  /** Its transaction; null: one that ended long ago. */
  written_by: ColumnType<string | null, never, never>;
  created_at: CreatedAt;
}

/** Domains whose leads get their status portion by portion, after what was suppressed or lifted. */
export interface DomainWalksTable {
  id: ColumnType<number, never, never>;
  user_id: string;
  domain: string;
  /** Each request begins it anew. */
  requests: ColumnType<number, never, number>;
  /** Of entries that were lifted since it began. */
  lifted_reasons: SuppressionsTable['reason'][];
  /** The row of `lifted_suppressions` that counts who comes back. */
  lifted_id: number | null;
  lifted_at: Date | null;
  /** How many the domain has, once they are counted. */
  leads: ColumnType<number | null, never, number | null>;
  walked: ColumnType<number, never, number>;
  /** Behind which address, read backwards, it goes on. */
  after_key: ColumnType<string, never, string>;
  asked_at: CreatedAt;
}

/** How many suppressions there are: a row for each concurrent writer, kept by triggers; their sum counts. */
export interface SuppressionCountersTable {
  id: ColumnType<number, never, never>;
  user_id: string;
  kind: SuppressionsTable['kind'];
  reason: SuppressionsTable['reason'];
  entries: ColumnType<number, never, never>;
}

/** The same of those that were lifted. */
export type LiftedSuppressionCountersTable = SuppressionCountersTable;

/** Leads that a transaction stores as not suppressed; checked again at its commit. */
export interface SuppressionRechecksTable {
  id: ColumnType<number, never, never>;
  user_id: string;
  /** Suppressions of transactions before this one (xid8) are visible. */
  since: ColumnType<string, string | undefined, never>;
  first_lead_id: number | null;
  last_lead_id: number | null;
  lead_ids: number[];
}

/** Leads of campaigns that have got an address; their recipients are looked at again. */
export interface FilledAddressesTable {
  id: ColumnType<number, never, never>;
  user_id: string;
  lead_id: number;
}

export interface ErasureTombstonesTable {
  user_id: string;
  key_hash: Buffer;
  erased_at: CreatedAt;
}

export interface LeadTables {
  lead_lists: LeadListsTable;
  hidden_ranges: HiddenRangesTable;
  lead_counters: LeadCountersTable;
  lead_list_members: LeadListMembersTable;
  search_letters: SearchLettersTable;
  companies: CompaniesTable;
  leads: LeadsTable;
  custom_fields: CustomFieldsTable;
  custom_values: CustomValuesTable;
  suppressions: SuppressionsTable;
  suppression_counters: SuppressionCountersTable;
  suppression_rechecks: SuppressionRechecksTable;
  lifted_suppressions: LiftedSuppressionsTable;
  lifted_suppression_counters: LiftedSuppressionCountersTable;
  domain_walks: DomainWalksTable;
  filled_addresses: FilledAddressesTable;
  erasure_tombstones: ErasureTombstonesTable;
}
