/**
 * The port of registrars. Names of records are kept in one inner form: the label relative to the
 * domain, `@` for the apex; TXT values are one joined string. Adapters convert at the edge.
 * Every operation throws only `ProviderError`.
 */
import type { AskableAccount } from '../../domain/operations/account-questions.ts';
import type { DnsRecordType } from '../../domain/domains/dns-plan.ts';

/** What a registration would cost now. `premium` names are never bought. */
export interface DomainQuote {
  available: boolean;
  premium: boolean;
  /** Price of the first term in cents; null when the registrar does not sell the name. */
  priceCents: number | null;
  renewalCents: number | null;
  termYears: number;
}

/** A domain that the account at the registrar owns. Timestamps are ISO 8601 UTC. */
export interface OwnedDomain {
  domain: string;
  purchasedAt: string;
  expiresAt: string;
}

/** A domain out of the list of the account. */
export interface ListedDomain extends OwnedDomain {
  /** The registrar would renew it by itself, at our cost. */
  renewsItself?: boolean;
}

/** A finished registration. `chargedCents` is what the registrar took from us. */
export interface Registration extends OwnedDomain {
  orderRef: string;
  chargedCents: number;
}

/** A quote out of a list. */
export interface NamedQuote extends DomainQuote {
  domain: string;
  /** The registrar never sells this name through its API, whoever owns it (its registry, mostly). */
  restricted?: boolean;
}

/**
 * A renewed domain. `orderRef` and `chargedCents` are null when an earlier call (or a person) had
 * renewed it: nothing was spent by this one.
 */
export interface Renewal extends OwnedDomain {
  orderRef: string | null;
  chargedCents: number | null;
}

/** An order for one domain, as the registrar's own records show it. */
export interface RegistrarOrder {
  orderRef: string;
  domain: string;
  kind: 'registration' | 'renewal';
  /**
   * `pending`: it may still be carried out, and charged. `failed`: it was refused or taken back, at once or
   * later, by the registrar or its registry; nothing is charged.
   */
  state: 'pending' | 'done' | 'failed';
  /** ISO 8601; the latest moment that the registrar's own date can mean. */
  placedAt: string;
  chargedCents: number;
}

/** A record as it should be; `priority` only for MX and SRV. */
export interface DnsRecordInput {
  type: DnsRecordType;
  name: string;
  value: string;
  priority?: number;
  /** Seconds; adapters raise it to the provider's minimum. */
  ttl?: number;
}

/** A record as the registrar holds it. */
export interface DnsRecord extends DnsRecordInput {
  /** The registrar's own id. */
  id: string;
  ttl: number;
}

export interface Registrar extends AskableAccount {
  readonly name: string;
  /** Record types that the registrar's DNS can hold. */
  readonly recordTypes: readonly DnsRecordType[];

  /** MUST NOT buy anything. MUST report a name that is taken as `available: false`, not throw. */
  quote(domain: string): Promise<DomainQuote>;

  /** How many names one request of `quoteAll` asks for; unset = all of them. */
  readonly namesAtOnce?: number;

  /**
   * Up to 50 names, answered in the order asked. MUST NOT throw for a single odd name: what cannot be
   * registered is `available: false`. Names that the registrar's rate limit keeps from being asked
   * within `withinMs` milliseconds are left out at the end; `rate_limited` where that is every name.
   */
  quoteAll(domains: readonly string[], withinMs?: number): Promise<NamedQuote[]>;

  /** MUST answer null for a name that this account does not own. */
  find(domain: string): Promise<OwnedDomain | null>;

  /**
   * Registers the name for its minimum term. MUST NOT spend more than `maxCents` (`rejected`,
   * clientCode PRICE_ABOVE_CAP). MUST be safe to repeat with one `key` inside the provider's window.
   * MUST throw `outcome_unknown` when the request left and no answer came. Callers call `find` first:
   * the window is short (1 h at Name.com). The registrar's own automatic renewal MUST be off
   * afterwards: renewing is the product's work.
   */
  register(domain: string, maxCents: number, key: string): Promise<Registration>;

  /**
   * How long the first answer to a key of `register` is given again. Set where there is no `listOrders`: a purchase
   * whose answer was lost is then asked for again with its own key, instead of being taken for absent.
   */
  readonly remembersKeysMs?: number;

  /**
   * One more term for a domain of this account that still ends at `expiresAt` (ISO 8601). MUST read the
   * domain first, and answer it when it already ends later. MUST NOT spend more than `maxCents`
   * (`rejected`, clientCode PRICE_ABOVE_CAP), by the price read at the provider. MUST throw
   * `outcome_unknown` when the request left and no answer came; repeating it is safe once the provider
   * shows the new end.
   */
  renew(domain: string, maxCents: number, key: string, expiresAt: string): Promise<Renewal>;

  /**
   * True where the provider honours no key for renewals: each request is another term. Callers look for
   * what a lost answer has done for `RENEWAL_LAG_SECONDS`, instead of repeating it after seconds.
   */
  readonly renewsWithoutKey?: boolean;

  /**
   * Registrations and renewals that were ordered at or after `since`, of one domain or of all; every page.
   * MUST contain those that are under way and those that failed.
   */
  listOrders?(since: Date, domain?: string): Promise<RegistrarOrder[]>;

  /** All records, every page. */
  listRecords(domain: string): Promise<DnsRecord[]>;

  /** Adds one record and touches no other. */
  createRecord(domain: string, record: DnsRecordInput): Promise<DnsRecord>;

  /** Replaces one record and touches no other. `rejected`, clientCode RECORD_NOT_FOUND when it is gone. */
  updateRecord(domain: string, recordId: string, record: DnsRecordInput): Promise<DnsRecord>;

  /** MUST succeed when the record is gone already. */
  deleteRecord(domain: string, recordId: string): Promise<void>;

  /** Every domain of our account, every page; for comparing vendor records with ours. */
  listDomains?(): Promise<ListedDomain[]>;

  /** Ends the registrar's own automatic renewal of a domain that `listDomains` shows as `renewsItself`. */
  stopRenewingItself?(domain: string): Promise<void>;
}
