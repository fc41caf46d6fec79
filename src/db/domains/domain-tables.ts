/** Row shapes of domains, their renewals, and the records published for them. */
import type { ColumnType, Generated } from 'kysely';

type CreatedAt = ColumnType<Date, never, never>;
type UpdatedAt = ColumnType<Date, never, Date>;

export interface DomainsTable {
  id: ColumnType<number, never, never>;
  user_id: string;
  name: string;
  provider: string;
  /** `unverified`: an import without proof of ownership; it claims nothing. */
  status: Generated<'unverified' | 'pending' | 'active' | 'failed'>;
  purchased_at: Date | null;
  expires_at: Date | null;
  order_ref: string | null;
  cost_cents: number | null;
  dkim_selector: string | null;
  dkim_private_key: Buffer | null;
  dkim_public_key: string | null;
  /** When messages began to be signed with it. */
  dkim_since: Date | null;
  /** The next key: made, published, not yet signed with. */
  next_dkim_selector: string | null;
  next_dkim_private_key: Buffer | null;
  next_dkim_public_key: string | null;
  /** When resolvers first showed its record. */
  next_dkim_seen_at: Date | null;
  /** The key before this one, whose record stays published until then. */
  old_dkim_selector: string | null;
  old_dkim_until: Date | null;
  /** What its announced MTA-STS policy says: mode and host. */
  mta_sts_policy: string | null;
  /** The plan whose later records it was given: they are published once, not again when they are gone. */
  record_plan: string | null;
  auto_renew: Generated<boolean>;
  /** What the owner of an import publishes to prove it. */
  verification_token: string | null;
  /** The expiry that clients were notified of. */
  expiring_told_for: Date | null;
  /** When clients were told that its records fail; null = they were not. */
  dns_failing_since: Date | null;
  /** When clients were told that messages of its own server fail DMARC; null = they were not. */
  alignment_failing_since: Date | null;
  error_code: string | null;
  error_message: string | null;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
}

/** One attempt to renew a domain for one term. */
export interface DomainRenewalsTable {
  id: ColumnType<number, never, never>;
  user_id: string;
  domain_id: number;
  /** The expiry that the renewal extends. */
  expires_at: Date;
  state: Generated<'pending' | 'done' | 'failed'>;
  new_expires_at: Date | null;
  order_ref: string | null;
  cost_cents: number | null;
  error_code: string | null;
  error_message: string | null;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
}

export interface PublishedRecordsTable {
  id: ColumnType<number, never, never>;
  operation_id: number;
  domain_id: number;
  type: string;
  name: string;
  value: string;
  priority: number | null;
  /** When its creation was last requested at the registrar. */
  asked_at: Date;
  /** When it was seen there before its deletion; null since its creation was last requested. */
  seen_at: Date | null;
}

export interface DomainTables {
  domains: DomainsTable;
  domain_renewals: DomainRenewalsTable;
  published_records: PublishedRecordsTable;
}
