/** Row shapes of domains, their renewals, and the records published for them. */
import type { ColumnType, Generated } from 'kysely';
import type { TrackingDomainStatus } from '../../domain/domains/tracking-domains.ts';

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

/** A client's name for the links in their messages, with its certificate. */
export interface TrackingDomainsTable {
  id: ColumnType<number, never, never>;
  user_id: string;
  name: string;
  /** The first label of the name that its CNAME record has to point to: who sets it owns the name. */
  dns_token: string;
  status: Generated<TrackingDomainStatus>;
  /** How many workflows it has had. */
  run: Generated<number>;
  error_code: Generated<string | null>;
  error_message: Generated<string | null>;
  /** When its record was last looked for. */
  checked_at: Generated<Date | null>;
  /** When its record was last found with a certificate at hand. Of several accounts the latest has the name. */
  proven_at: Generated<Date | null>;
  certificate_pem: Generated<string | null>;
  /** See `trackingKeyBinding`. */
  certificate_key: Generated<Buffer | null>;
  certificate_expires_at: Generated<Date | null>;
  /** The order that is under way at the authority, and the key of its certificate. */
  order_url: Generated<string | null>;
  order_key: Generated<Buffer | null>;
  /** What the authority asks for at the name (RFC 8555, section 8.3). */
  challenge_token: Generated<string | null>;
  challenge_answer: Generated<string | null>;
  /** Refusals of the authority in a row. */
  refusals: Generated<number>;
  refused_at: Generated<Date | null>;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
  /** Its certificate still serves links of messages that were sent. */
  deleted_at: ColumnType<Date | null, never, Date>;
}

/** Our account at a certificate authority, made once. */
export interface AcmeAccountsTable {
  directory_url: string;
  /** See `acmeAccountBinding`. */
  private_key: Buffer;
  created_at: CreatedAt;
}

export interface DomainTables {
  tracking_domains: TrackingDomainsTable;
  acme_accounts: AcmeAccountsTable;
  domains: DomainsTable;
  domain_renewals: DomainRenewalsTable;
  published_records: PublishedRecordsTable;
}
