/** Generated from the document of the API: `npm run openapi -- --client`. */
import type { List } from './pages.ts';
import type { CallOptions } from './settings.ts';

/**
 * The problem for programs. Codes may be added: treat an unknown one by its status.
 *
 * - `NOT_FOUND`: There is no such route
 * - `VALIDATION_ERROR`: Fields of the query or the body are not valid; `details` names them
 * - `INVALID_INPUT`: The request cannot be read: its path, its encoding, its size
 * - `IDEMPOTENCY_KEY_REUSED`: The `Idempotency-Key` was used for another request
 * - `ANSWER_ERASED`: The request was carried out, and its answer deleted when a person was erased; it is not carried out again
 * - `INVALID_STATE`: Not possible in its present state
 * - `INVALID_SIGNATURE`: The signature is missing, wrong or too old
 * - `UNAUTHORIZED`: The token is missing, not valid or expired
 * - `TEST_MODE_OFF`: The installation has no test mode: its operator sets `SANDBOX_URL`
 * - `IP_NOT_ALLOWED`: The key may not be used from this address
 * - `JWT_REQUIRED`: The operation needs a JWT, or a key with its scope
 * - `SCOPE_REQUIRED`: The key lacks the scope that the message names
 * - `INSUFFICIENT_BALANCE`: The wallet is short of money; `details` has the amounts
 * - `RATE_LIMITED`: Too many requests; see `Retry-After`
 * - `DOMAIN_SPENDING_LIMIT`: The limit of a day for domains is spent; `details` says until when
 * - `INTERNAL`: An error of ours
 * - `UPSTREAM_UNAVAILABLE`: A backing subsystem is unavailable; try again
 * - `CANCELLED`: It was cancelled meanwhile
 * - `PROVIDER_REJECTED`: A provider refuses the request for good
 * - `ACCOUNT_NOT_FOUND`: There is no such account
 * - `API_KEY_NOT_FOUND`: There is no such key
 * - `API_KEY_LIMIT`: The account has as many keys as it can have
 * - `CHECKOUT_SESSION_NOT_FOUND`: There is no such checkout session
 * - `NO_PAYMENT_METHOD`: No card is saved
 * - `SAVED_CARD_NOT_FOUND`: No card is saved
 * - `DOMAIN_NOT_FOUND`: There is no such domain
 * - `DOMAIN_ALREADY_OWNED`: The account has the domain already
 * - `DOMAIN_UNAVAILABLE`: Somebody else has the domain
 * - `DOMAIN_REJECTED`: The registrar does not accept the order
 * - `DOMAIN_NOT_VERIFIED`: The proof of ownership cannot be seen yet
 * - `DOMAIN_NOT_MANAGED`: The domain was imported and is managed elsewhere
 * - `DOMAIN_IN_USE`: The domain carries a cluster, or its server name is taken
 * - `PRICE_ABOVE_CAP`: The domain costs more than is allowed
 * - `RENEWAL_TOO_EARLY`: The domain lasts longer than a term
 * - `RECORD_NOT_FOUND`: There is no such DNS record
 * - `RECORD_IN_USE`: A cluster needs the DNS record; `force=true` changes it all the same
 * - `RECORD_TYPE_NOT_SUPPORTED`: The registrar has no such records
 * - `DUPLICATE_RECORD`: There is such a DNS record already
 * - `DUPLICATE_SPF`: There is an SPF record already
 * - `DUPLICATE_DMARC`: There is a DMARC record already
 * - `TRACKING_DOMAIN_NOT_FOUND`: There is no such tracking domain
 * - `TRACKING_DOMAIN_EXISTS`: The account has the tracking domain already
 * - `TRACKING_DOMAIN_IN_USE`: A campaign that is active has links on the domain; the message names it
 * - `TRACKING_DOMAINS_OFF`: The installation serves no links on other domains: its operator sets `LINKS_HOST`
 * - `TOO_MANY_TRACKING_DOMAINS`: The account has as many tracking domains as it can have
 * - `CLUSTER_NOT_FOUND`: There is no such cluster
 * - `SERVER_NOT_FOUND`: There is no such server
 * - `NO_EXISTING_VPS`: There is no server that could be used
 * - `MAILBOX_NOT_FOUND`: There is no such mailbox
 * - `MAILBOX_IMPORT_NOT_FOUND`: There is no such import
 * - `MAILBOX_EXISTS`: The address exists already, or its domain is on a cluster of another account
 * - `OAUTH_NOT_CONFIGURED`: The installation has no OAuth for that vendor
 * - `NOT_CONNECTED`: The mailbox is on a cluster, not connected from elsewhere
 * - `MAILBOX_NOT_ACTIVE`: The mailbox of the message is not active any more
 * - `MAIL_SERVER_NOT_READY`: The mail server of the cluster is not deployed
 * - `EMAIL_DOMAIN_MISMATCH`: The address is not at the domain of the cluster
 * - `PROCESS_NOT_FOUND`: There is no such discovery
 * - `PROCESS_NOT_ACTIVE`: The discovery has ended
 * - `LEAD_NOT_FOUND`: There is no such lead
 * - `LEAD_EXISTS`: Another lead is the same person; `details` names it
 * - `LEAD_IMPORT_NOT_FOUND`: There is no such import
 * - `PERSON_ERASED`: The person was erased from the account
 * - `PEOPLE_ERASED`: All of these people were erased from the account
 * - `COMPANY_NOT_FOUND`: There is no such company
 * - `COMPANY_EXISTS`: The list has the company already; `details` names it
 * - `LEAD_LIST_NOT_FOUND`: There is no such lead list
 * - `LEAD_LIST_REQUIRED`: Neither the request nor the run names a lead list
 * - `LEAD_LIST_DELETE_ERROR`: The list could not be deleted
 * - `CUSTOM_FIELD_NOT_FOUND`: There is no such custom field
 * - `CUSTOM_FIELD_EXISTS`: The account has a custom field of that name
 * - `CUSTOM_FIELD_IN_USE`: A campaign that sends has the custom field in a text; `details` names it
 * - `TOO_MANY_CUSTOM_FIELDS`: The account has as many custom fields as it can have
 * - `SUPPRESSION_NOT_FOUND`: There is no such suppression
 * - `AMBIGUOUS_PERSON`: Leads of several names fit; `details` names them
 * - `MAPS_RUN_NOT_FOUND`: There is no such run
 * - `SCHEDULE_NOT_FOUND`: There is no such schedule
 * - `PLACEMENT_SEED_NOT_FOUND`: There is no such seed mailbox
 * - `PLACEMENT_TEST_NOT_FOUND`: There is no such placement test
 * - `SEED_EXISTS`: The address is a seed of the account already
 * - `TOO_MANY_SEEDS`: The account has as many seeds as it can have
 * - `NO_SEEDS`: The account has no seed mailbox
 * - `TOO_MANY_SCHEDULES`: The account has as many schedules as it can have
 * - `IMPORT_FAILED`: The import ended early; repeating it goes on
 * - `EMAIL_VALIDATION_NOT_FOUND`: There is no such validation
 * - `CAMPAIGN_NOT_FOUND`: There is no such campaign
 * - `CAMPAIGN_NOT_READY`: The campaign lacks something; `details` names it
 * - `RECIPIENT_SUPPRESSED`: The address is on the suppression list
 * - `TEST_EMAIL_REFUSED`: The mail server refuses the message
 * - `MESSAGE_NOT_FOUND`: There is no such message
 * - `THREAD_NOT_FOUND`: There is no such thread
 * - `ATTACHMENT_NOT_FOUND`: There is no such attachment
 * - `ATTACHMENT_TOO_LARGE`: The attachment is too large to be passed on
 * - `TOO_MANY_SCHEDULED`: The account has as many messages that wait for their time as it can have
 * - `NO_RECIPIENT`: The message names no sender who could be answered
 * - `WEBHOOK_NOT_FOUND`: There is no such webhook
 * - `WEBHOOK_LIMIT`: The account has as many webhooks as it can have
 * - `DELIVERY_NOT_FOUND`: There is no such delivery
 * - `EVENT_NOT_FOUND`: There is no such event
 * - `OPERATION_NOT_FOUND`: There is no such operation
 */
export type ErrorCode =
  | 'NOT_FOUND'
  | 'VALIDATION_ERROR'
  | 'INVALID_INPUT'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'ANSWER_ERASED'
  | 'INVALID_STATE'
  | 'INVALID_SIGNATURE'
  | 'UNAUTHORIZED'
  | 'TEST_MODE_OFF'
  | 'IP_NOT_ALLOWED'
  | 'JWT_REQUIRED'
  | 'SCOPE_REQUIRED'
  | 'INSUFFICIENT_BALANCE'
  | 'RATE_LIMITED'
  | 'DOMAIN_SPENDING_LIMIT'
  | 'INTERNAL'
  | 'UPSTREAM_UNAVAILABLE'
  | 'CANCELLED'
  | 'PROVIDER_REJECTED'
  | 'ACCOUNT_NOT_FOUND'
  | 'API_KEY_NOT_FOUND'
  | 'API_KEY_LIMIT'
  | 'CHECKOUT_SESSION_NOT_FOUND'
  | 'NO_PAYMENT_METHOD'
  | 'SAVED_CARD_NOT_FOUND'
  | 'DOMAIN_NOT_FOUND'
  | 'DOMAIN_ALREADY_OWNED'
  | 'DOMAIN_UNAVAILABLE'
  | 'DOMAIN_REJECTED'
  | 'DOMAIN_NOT_VERIFIED'
  | 'DOMAIN_NOT_MANAGED'
  | 'DOMAIN_IN_USE'
  | 'PRICE_ABOVE_CAP'
  | 'RENEWAL_TOO_EARLY'
  | 'RECORD_NOT_FOUND'
  | 'RECORD_IN_USE'
  | 'RECORD_TYPE_NOT_SUPPORTED'
  | 'DUPLICATE_RECORD'
  | 'DUPLICATE_SPF'
  | 'DUPLICATE_DMARC'
  | 'TRACKING_DOMAIN_NOT_FOUND'
  | 'TRACKING_DOMAIN_EXISTS'
  | 'TRACKING_DOMAIN_IN_USE'
  | 'TRACKING_DOMAINS_OFF'
  | 'TOO_MANY_TRACKING_DOMAINS'
  | 'CLUSTER_NOT_FOUND'
  | 'SERVER_NOT_FOUND'
  | 'NO_EXISTING_VPS'
  | 'MAILBOX_NOT_FOUND'
  | 'MAILBOX_IMPORT_NOT_FOUND'
  | 'MAILBOX_EXISTS'
  | 'OAUTH_NOT_CONFIGURED'
  | 'NOT_CONNECTED'
  | 'MAILBOX_NOT_ACTIVE'
  | 'MAIL_SERVER_NOT_READY'
  | 'EMAIL_DOMAIN_MISMATCH'
  | 'PROCESS_NOT_FOUND'
  | 'PROCESS_NOT_ACTIVE'
  | 'LEAD_NOT_FOUND'
  | 'LEAD_EXISTS'
  | 'LEAD_IMPORT_NOT_FOUND'
  | 'PERSON_ERASED'
  | 'PEOPLE_ERASED'
  | 'COMPANY_NOT_FOUND'
  | 'COMPANY_EXISTS'
  | 'LEAD_LIST_NOT_FOUND'
  | 'LEAD_LIST_REQUIRED'
  | 'LEAD_LIST_DELETE_ERROR'
  | 'CUSTOM_FIELD_NOT_FOUND'
  | 'CUSTOM_FIELD_EXISTS'
  | 'CUSTOM_FIELD_IN_USE'
  | 'TOO_MANY_CUSTOM_FIELDS'
  | 'SUPPRESSION_NOT_FOUND'
  | 'AMBIGUOUS_PERSON'
  | 'MAPS_RUN_NOT_FOUND'
  | 'SCHEDULE_NOT_FOUND'
  | 'PLACEMENT_SEED_NOT_FOUND'
  | 'PLACEMENT_TEST_NOT_FOUND'
  | 'SEED_EXISTS'
  | 'TOO_MANY_SEEDS'
  | 'NO_SEEDS'
  | 'TOO_MANY_SCHEDULES'
  | 'IMPORT_FAILED'
  | 'EMAIL_VALIDATION_NOT_FOUND'
  | 'CAMPAIGN_NOT_FOUND'
  | 'CAMPAIGN_NOT_READY'
  | 'RECIPIENT_SUPPRESSED'
  | 'TEST_EMAIL_REFUSED'
  | 'MESSAGE_NOT_FOUND'
  | 'THREAD_NOT_FOUND'
  | 'ATTACHMENT_NOT_FOUND'
  | 'ATTACHMENT_TOO_LARGE'
  | 'TOO_MANY_SCHEDULED'
  | 'NO_RECIPIENT'
  | 'WEBHOOK_NOT_FOUND'
  | 'WEBHOOK_LIMIT'
  | 'DELIVERY_NOT_FOUND'
  | 'EVENT_NOT_FOUND'
  | 'OPERATION_NOT_FOUND'
  | (string & {});

/** Error */
export type Error = {
  success: false;
  /** The problem in words */
  error: string;
  code: ErrorCode;
  details?: Record<string, unknown>[];
  requestId: string;
};

/** Health */
export type Health = {
  status: 'ok' | 'ready';
  version: string;
  uptimeSeconds: number;
  checks: { database: 'up' | 'down'; temporal: 'up' | 'down' };
};

/** CreatedApiKey */
export type CreatedApiKey = {
  id: string;
  name: string;
  /** A key of `test` begins with `svc_test_`. */
  mode: 'live' | 'test';
  createdAt: string;
  ipWhitelist: string[];
  scopes: string[];
  /** All that its scopes let it do. */
  permissions: string[];
  expiresAt: string | null;
  /** The full key; shown here and never again */
  key: string;
};

/** ApiKey */
export type ApiKey = {
  id: string;
  name: string;
  /** A key of `test` begins with `svc_test_`. */
  mode: 'live' | 'test';
  createdAt: string;
  ipWhitelist: string[];
  scopes: string[];
  /** All that its scopes let it do. */
  permissions: string[];
  expiresAt: string | null;
  /** The first characters of the key */
  prefix: string;
  last4: string;
  lastUsedAt: string | null;
};

/** Pagination */
export type Pagination = {
  page: number;
  limit: number;
  total: number;
  totalPages: number;
  hasNext: boolean;
};

/** RotatedApiKey */
export type RotatedApiKey = {
  id: string;
  name: string;
  /** A key of `test` begins with `svc_test_`. */
  mode: 'live' | 'test';
  createdAt: string;
  ipWhitelist: string[];
  scopes: string[];
  /** All that its scopes let it do. */
  permissions: string[];
  expiresAt: string | null;
  /** The full key; shown here and never again */
  key: string;
  previousKeyExpiresAt: string;
};

/** Account */
export type Account = {
  userId: string;
  email: string;
  /** `test`: nothing of it is real or costs money. */
  mode: 'live' | 'test';
  senderName: string | null;
  postalAddress: string | null;
  timezone: string;
  useLanguageModel: boolean;
  createdAt: string;
};

/** CheckoutSession */
export type CheckoutSession = { checkoutUrl: string; sessionId: string };

/** CheckoutState */
export type CheckoutState = {
  sessionId: string;
  status: 'open' | 'complete' | 'expired';
  paymentStatus: 'paid' | 'unpaid' | 'no_payment_required';
  amountCents: number;
  credited: boolean;
};

/** WalletTransaction */
export type WalletTransaction = {
  id: number;
  type: 'credit' | 'hold' | 'capture' | 'release' | 'refund' | 'adjustment';
  amountCents: number;
  balanceAfterCents: number;
  status: 'completed';
  referenceType: string;
  referenceId: string;
  description: string;
  createdAt: string;
};

/** Wallet */
export type Wallet = {
  balanceCents: number;
  heldCents: number;
  availableCents: number;
  owedCents: number;
  balance: string;
  currency: 'USD';
  lowBalanceThresholdCents: number | null;
  hasPaymentMethod: boolean;
  autoRecharge: AutoRecharge | null;
};

/** AutoRecharge */
export type AutoRecharge = {
  thresholdCents: number;
  amountCents: number;
  monthlyLimitCents: number;
  status: 'active' | 'stopped' | 'limited';
  stopReason:
    | 'card_declined'
    | 'authentication_required'
    | 'payment_method_invalid'
    | 'processor_error'
    | 'payment_reversed'
    | 'monthly_limit'
    | null;
  stoppedAt: string | null;
  rechargedThisMonthCents: number;
};

/** Domain */
export type Domain = {
  id: number;
  domain: string;
  provider: string;
  isActive: boolean;
  status: 'unverified' | 'pending' | 'active' | 'failed';
  purchasedAt: string | null;
  expiresAt: string | null;
  autoRenew: boolean;
  renewal: {
    status: 'pending' | 'done' | 'failed';
    expiresAt: string;
    newExpiresAt: string | null;
    error: { code: string; message: string } | null;
  } | null;
  verification: { type: 'TXT'; name: string; value: string } | null;
  error: { code: string; message: string } | null;
  createdAt: string;
};

/** DomainAvailability */
export type DomainAvailability = {
  domain: string;
  available: boolean;
  priceCents: number | null;
  restricted?: boolean;
  unknown?: boolean;
};

/** DomainHealth */
export type DomainHealth = {
  domain: string;
  status: 'ok' | 'warning' | 'failing' | 'unknown';
  checkedAt: string;
  checks: {
    name:
      'delegation' | 'address' | 'mx' | 'spf' | 'dkim' | 'dmarc' | 'caa' | 'expiry' | 'alignment';
    state: 'ok' | 'warning' | 'failing' | 'unknown' | 'not_applicable';
    message: string;
  }[];
  requiredRecords: { type: string; name: string; value: string; priority?: number }[];
};

/** DnsRecord */
export type DnsRecord = {
  id: number | string;
  type: string;
  name: string;
  value: string;
  priority?: number;
  ttl: number;
};

/** TrackingDomain */
export type TrackingDomain = {
  id: number;
  name: string;
  /** `pending`: its record or its certificate is not there yet. `active`: new messages of campaigns that name it have their links on it. `failing`: it was active; new messages have links on the installation’s own name until it is again. */
  status: 'pending' | 'active' | 'failing';
  /** What you set in the DNS of the domain, and leave there. */
  record: { type: 'CNAME'; name: string; value: string };
  /** Why it is not active, or what hinders the renewal of its certificate: `CNAME_MISSING`, `CNAME_WRONG`, `DNS_UNAVAILABLE`, `CERTIFICATE_PENDING`, `CERTIFICATE_REFUSED`, `AUTHORITY_UNAVAILABLE`, `TRACKING_DOMAINS_OFF`, `WORK_FAILED`. */
  error: { code: string; message: string } | null;
  checkedAt: string | null;
  /** It is renewed with a third of its life left, at most 30 days before. */
  certificateExpiresAt: string | null;
  createdAt: string;
  updatedAt: string;
};

/** Deliverability */
export type Deliverability = {
  domain: string;
  alignment: {
    /** `unknown`: nobody has reported on its server in the last 7 days */
    state: 'ok' | 'warning' | 'failing' | 'unknown';
    failingSince: string | null;
    /** Addresses of its own server */
    sources: string[];
    messages: number;
    failed: number;
    reporters: number;
  };
  addresses: { address: string; readAt: string | null; failingSince: string | null }[];
  lines: {
    /** UTC */
    day: string;
    /** DMARC: the address that delivered the messages. TLS: the mail server, or the policy */
    source: string;
    /** It is the server of the domain's cluster */
    isOwnServer: boolean;
    /** DMARC: `pass` or `fail`. TLS: `success`, or the type of the failure (RFC 8460) */
    result: string;
    /** DMARC: what the receiver did */
    disposition: 'none' | 'pass' | 'quarantine' | 'reject' | null;
    /** DMARC: whether an aligned signature was valid */
    dkim: 'pass' | 'fail' | null;
    /** DMARC: whether an aligned envelope sender passed SPF */
    spf: 'pass' | 'fail' | null;
    /** DMARC: what was checked, of one record */
    authResults: string | null;
    /** TLS: connections */
    messages: number;
    /** At most 20, as they call themselves */
    reporters: string[];
  }[];
};

/** Cluster */
export type Cluster = {
  id: number;
  domain: string;
  name: string;
  status: 'provisioning' | 'active' | 'suspended' | 'failed' | 'deleting' | 'deleted';
  ipAddress: string | null;
  jobId: string;
  serverId: number | null;
  mailServer: { host: string; imapPort: number; smtpPort: number } | null;
  health: {
    outbound25: 'open' | 'blocked' | 'unknown';
    /** What keeps campaigns from sending, until it is gone; warm-up waits for the port, too. */
    sendingHold: 'port_25_closed' | 'rebuilding' | 'blocklisted' | null;
    /** Those that have the address of the server. */
    blocklists: string[];
  };
  mailboxesCount: number;
  provisioning: Provisioning;
  createdAt: string;
  updatedAt: string;
};

/** Provisioning */
export type Provisioning = {
  step: string | null;
  state: 'running' | 'blocked' | 'compensating' | 'completed' | 'failed';
  completedSteps: number;
  totalSteps: number;
  steps: {
    name: string;
    state: 'pending' | 'running' | 'blocked' | 'completed' | 'skipped' | 'failed' | 'undone';
    /** Deviations from the usual course. */
    note?: string;
  }[];
  message: string;
  error: { code: string; message: string } | null;
};

/** ClusterHealth */
export type ClusterHealth = {
  clusterId: number;
  state: 'ok' | 'warning' | 'failing' | 'unknown';
  lookedAt: string;
  server: { state: 'ok' | 'warning' | 'failing' | 'unknown'; message: string };
  host: { state: 'ok' | 'warning' | 'failing' | 'unknown'; message: string };
  imap: { state: 'ok' | 'warning' | 'failing' | 'unknown'; message: string };
  smtp: { state: 'ok' | 'warning' | 'failing' | 'unknown'; message: string };
  certificate: { state: 'ok' | 'warning' | 'failing' | 'unknown'; message: string };
  ptr: { state: 'ok' | 'warning' | 'failing' | 'unknown'; message: string };
  dns: { state: 'ok' | 'warning' | 'failing' | 'unknown'; message: string };
  outbound25: { state: 'ok' | 'warning' | 'failing' | 'unknown'; message: string };
  blocklists: { state: 'ok' | 'warning' | 'failing' | 'unknown'; message: string };
};

/** CreatedMailbox */
export type CreatedMailbox = {
  id: number;
  email: string;
  /** 0: a connected mailbox, on no cluster. */
  clusterId: number;
  isActive: boolean;
  status: 'pending' | 'active' | 'failed' | 'deleting' | 'deleted';
  senderName: string | null;
  signature: string | null;
  createdAt: string;
  password: string;
};

/** MailboxConnection */
export type MailboxConnection = {
  id: number;
  email: string;
  status: 'pending' | 'active' | 'failed' | 'deleting' | 'deleted';
  isActive: boolean;
  preset: string | null;
  /** By whose access tokens it is logged in to; null: by a password. */
  oauth: 'google' | 'microsoft' | null;
  username: string;
  smtp: { host: string; port: number; tls: 'tls' | 'starttls' };
  imap: { host: string; port: number; tls: 'tls' | 'starttls' };
  /** Of the last proof: a login, a message from the mailbox to itself, and that read. */
  state: 'proving' | 'blocked' | 'proven' | 'failed';
  step: string | null;
  message: string;
  error: { code: string; message: string } | null;
  /** What users of this vendor have to do first. */
  guidance: string | null;
  provenAt: string | null;
  /** When a proof last showed that mail to the address comes here; null: none has. */
  addressProvenAt: string | null;
  createdAt: string;
};

/** MailboxConsent */
export type MailboxConsent = {
  provider: 'google' | 'microsoft';
  authorizationUrl: string;
  expiresAt: string;
};

/** MailboxImport */
export type MailboxImport = {
  id: number;
  status: 'processing' | 'completed' | 'failed' | 'cancelled';
  fileName: string | null;
  totalRows: number;
  /** Rows that are over, whatever became of them. */
  processedRows: number;
  /** Rows by state; together `totalRows`. */
  counts: {
    waiting: number;
    connecting: number;
    connected: number;
    failed: number;
    already_connected: number;
    duplicate: number;
    invalid: number;
    cancelled: number;
  };
  progressPercent: number;
  message: string;
  error: { code: string; message: string } | null;
  createdAt: string;
  updatedAt: string;
  finishedAt: string | null;
};

/** MailboxImportRow */
export type MailboxImportRow = {
  /** As a spreadsheet counts: the header is mostly row 1. */
  row: number;
  state:
    | 'waiting'
    | 'connecting'
    | 'connected'
    | 'failed'
    | 'already_connected'
    | 'duplicate'
    | 'invalid'
    | 'cancelled';
  /** Null where the cell is no e-mail address. */
  email: string | null;
  mailboxId: number | null;
  /** What is wrong in a row that is `invalid`. */
  field: string | null;
  error: { code: string; message: string } | null;
  beganAt: string | null;
  endedAt: string | null;
};

/** Mailbox */
export type Mailbox = {
  id: number;
  email: string;
  /** 0: a connected mailbox, on no cluster. */
  clusterId: number;
  isActive: boolean;
  status: 'pending' | 'active' | 'failed' | 'deleting' | 'deleted';
  senderName: string | null;
  signature: string | null;
  createdAt: string;
};

/** MailboxCredentials */
export type MailboxCredentials = {
  id: number;
  email: string;
  username: string;
  password: string;
  imap: { host: string; port: number; secure: true };
  smtp: { host: string; port: number; secure: true };
};

/** RotatedMailbox */
export type RotatedMailbox = {
  id: number;
  email: string;
  /** 0: a connected mailbox, on no cluster. */
  clusterId: number;
  isActive: boolean;
  status: 'pending' | 'active' | 'failed' | 'deleting' | 'deleted';
  senderName: string | null;
  signature: string | null;
  createdAt: string;
  password: string;
  isInForce: boolean;
};

/** MailboxLimits */
export type MailboxLimits = { dailyLimit: number; hourlyLimit: number; minGapSeconds: number };

/** LeadProcess */
export type LeadProcess = {
  id: number;
  userId: string;
  /** Null once the list was deleted. */
  leadListId: number | null;
  leadCount: number;
  processedLeads: number;
  foundLeads: number;
  /** People who were leads of their company in the list before. */
  duplicateLeads: number;
  searchTerm: string;
  adReachedCountries: string[];
  status: 'processing' | 'paused' | 'completed' | 'failed' | 'cancelled';
  progressPercent: number;
  step:
    | 'search_ads'
    | 'extract_companies'
    | 'enrich_contacts'
    | 'validate_emails'
    | 'attach_leads'
    | null;
  error: { code: string; message: string } | null;
  startedAt: string | null;
  completedAt: string | null;
  createdAt: string;
  updatedAt: string;
};

/** LeadProcessStatus */
export type LeadProcessStatus = {
  id: number;
  userId: string;
  /** Null once the list was deleted. */
  leadListId: number | null;
  leadCount: number;
  processedLeads: number;
  foundLeads: number;
  /** People who were leads of their company in the list before. */
  duplicateLeads: number;
  searchTerm: string;
  adReachedCountries: string[];
  status: 'processing' | 'paused' | 'completed' | 'failed' | 'cancelled';
  progressPercent: number;
  step:
    | 'search_ads'
    | 'extract_companies'
    | 'enrich_contacts'
    | 'validate_emails'
    | 'attach_leads'
    | null;
  error: { code: string; message: string } | null;
  startedAt: string | null;
  completedAt: string | null;
  createdAt: string;
  updatedAt: string;
  adSources: {
    vendor: string;
    countries: string[];
    state: 'waiting' | 'running' | 'ended' | 'failed';
    ads: number;
  }[];
  contactSources: {
    /** `website` is the companies’ own sites. */
    vendor: string;
    state: 'active' | 'stopped';
    /** Companies looked up at this source. */
    companies: number;
    /** Companies whose contacts had been bought before. */
    reused: number;
    contacts: number;
    /** What the vendor charged, in its credits. */
    credits: number;
    /** Requests without an answer, which may have been charged, too. */
    uncertain: number;
  }[];
  /** What could not be done as requested, and what was done instead. */
  notes: string[];
};

/** LeadImport */
export type LeadImport = {
  id: number;
  status: 'processing' | 'completed' | 'failed' | 'cancelled';
  fileName: string | null;
  source: string | null;
  leadListId: number | null;
  /** Which column is read as which field */
  columns: {
    personFirstName?: string;
    personLastName?: string;
    personFullName?: string;
    personRole?: string;
    personTimezone?: string;
    personEmail?: string;
    personPhone?: string;
    socialProfileUrl?: string;
    companyName?: string;
    companyWebsite?: string;
    companyPhone?: string;
    companyAddress?: string;
    companyCity?: string;
    companyState?: string;
    companyCountryCode?: string;
    companyCategory?: string;
  };
  /** Which column is read as which custom field, by `custom.name`. */
  customColumns: Record<string, string>;
  ignoredColumns: string[];
  totalRows: number;
  processedRows: number;
  /** New leads. */
  importedLeads: number;
  /** Rows whose person was a lead of the company already. */
  foundLeads: number;
  /** Of `foundLeads`: something that was stored differs from the row, and stays. */
  differingLeads: number;
  /** New companies. */
  importedCompanies: number;
  /** Companies that the list, or the account, had before. */
  foundCompanies: number;
  /** Rows that added no lead. With `importedLeads` and `foundLeads`: `processedRows`. */
  skippedItems: number;
  /** Of `skippedItems`: see `/errors`. The others are people who were erased. */
  failedRows: number;
  progressPercent: number;
  message: string;
  error: { code: string; message: string } | null;
  createdAt: string;
  updatedAt: string;
  finishedAt: string | null;
};

/** Headers by field; custom fields as `custom.name`. */
export type LeadFileMapping = {
  personFirstName?: string;
  personLastName?: string;
  personFullName?: string;
  personRole?: string;
  personTimezone?: string;
  personEmail?: string;
  personPhone?: string;
  socialProfileUrl?: string;
  companyName?: string;
  companyWebsite?: string;
  companyPhone?: string;
  companyAddress?: string;
  companyCity?: string;
  companyState?: string;
  companyCountryCode?: string;
  companyCategory?: string;
};

/** AddedLeads */
export type AddedLeads = {
  company_id: number | null;
  company_name: string | null;
  lead_list_id: number | null;
  leads: NewLead[];
  /** Of `people`: new leads of the company. */
  importedLeads: number;
  /** Of `people`: were leads of the company before. */
  foundLeads: number;
  importedCompanies: number;
  foundCompanies: number;
  /** Of `people`: were erased, and are not stored again. */
  skippedItems: number;
};

/** NewLead */
export type NewLead = {
  id: number;
  personFirstName: string;
  personLastName: string;
  personRole: string | null;
  personTimezone: string | null;
  personEmail: string | null;
  personPhone: string | null;
  socialProfileUrl: string | null;
  /** Custom fields that the lead has a value of, by name. */
  custom?: Record<string, string | number | boolean>;
  status: string;
  leadSource: string | null;
  createdAt: string;
  /** Of a lead that was found: fields that differ from what was given, and stay. */
  kept?: string[];
};

/** Lead */
export type Lead = {
  id: number;
  personFirstName: string;
  personLastName: string;
  personRole: string | null;
  personTimezone: string | null;
  personEmail: string | null;
  personPhone: string | null;
  socialProfileUrl: string | null;
  status:
    | 'pending'
    | 'active'
    | 'contacted'
    | 'replied'
    | 'completed'
    | 'bounced'
    | 'unsubscribed'
    | 'suppressed';
  leadSource: string | null;
  validationScore: number | null;
  emailValid: boolean | null;
  companyId: number | null;
  companyName: string | null;
  leadListId: number | null;
  /** Custom fields that the lead has a value of, by name. */
  custom: Record<string, string | number | boolean>;
  createdAt: string;
  updatedAt: string;
};

/** CursorPagination */
export type CursorPagination = {
  page?: number;
  limit: number;
  total?: number;
  totalPages?: number;
  hasNext: boolean;
  /** Set where filters fit so many rows that `total` is a lower bound. */
  totalIsCapped?: boolean;
  nextCursor: string | null;
};

/** LeadWithProvenance */
export type LeadWithProvenance = {
  id: number;
  personFirstName: string;
  personLastName: string;
  personRole: string | null;
  personTimezone: string | null;
  personEmail: string | null;
  personPhone: string | null;
  socialProfileUrl: string | null;
  status:
    | 'pending'
    | 'active'
    | 'contacted'
    | 'replied'
    | 'completed'
    | 'bounced'
    | 'unsubscribed'
    | 'suppressed';
  leadSource: string | null;
  validationScore: number | null;
  emailValid: boolean | null;
  companyId: number | null;
  companyName: string | null;
  leadListId: number | null;
  /** Custom fields that the lead has a value of, by name. */
  custom: Record<string, string | number | boolean>;
  createdAt: string;
  updatedAt: string;
  provenance: Provenance;
};

/** Provenance */
export type Provenance = {
  fields: Record<string, { source: string; url?: string; at: string }>;
  import?: {
    runId?: number;
    processId?: number;
    importId?: number;
    mapsUrl?: string;
    searchString?: string;
    locationQuery?: string;
    contactSource?: string;
  };
};

/** CustomField */
export type CustomField = {
  id: number;
  name: string;
  label: string;
  type: 'text' | 'number' | 'date' | 'boolean' | 'url';
  choices: string[] | null;
  createdAt: string;
  updatedAt: string;
};

/** Company */
export type Company = {
  id: number;
  name: string;
  domain: string | null;
  website: string | null;
  phone: string | null;
  address: string | null;
  city: string | null;
  state: string | null;
  countryCode: string | null;
  category: string | null;
  rating: number | null;
  reviewsCount: number | null;
  source: string | null;
  mapsUrl: string | null;
  placeId: string | null;
  leadListId: number | null;
  leadsCount: number;
  createdAt: string;
  updatedAt: string;
};

/** CompanyWithProvenance */
export type CompanyWithProvenance = {
  id: number;
  name: string;
  domain: string | null;
  website: string | null;
  phone: string | null;
  address: string | null;
  city: string | null;
  state: string | null;
  countryCode: string | null;
  category: string | null;
  rating: number | null;
  reviewsCount: number | null;
  source: string | null;
  mapsUrl: string | null;
  placeId: string | null;
  leadListId: number | null;
  leadsCount: number;
  createdAt: string;
  updatedAt: string;
  provenance: Provenance;
};

/** LeadList */
export type LeadList = {
  id: number;
  name: string;
  description: string | null;
  source: string | null;
  companiesCount: number;
  leadsCount: number;
  createdAt: string;
  updatedAt: string;
};

/** Suppression */
export type Suppression = {
  id: number;
  kind: 'email' | 'domain';
  value: string;
  reason: 'unsubscribe' | 'bounce' | 'complaint' | 'manual' | 'erasure';
  note: string | null;
  /** Leads of the domain whose status does not say it yet: those of a large domain get theirs in the background. 0: all say it; null: not counted yet. The suppression holds for all of them from the beginning. */
  openLeads: number | null;
  createdAt: string;
};

/** NewSuppression */
export type NewSuppression = {
  email?: string;
  domain?: string;
  reason?: 'unsubscribe' | 'bounce' | 'complaint' | 'manual';
  note?: string | null;
};

/** LiftedSuppression */
export type LiftedSuppression = {
  id: number;
  suppressionId: number;
  kind: 'email' | 'domain';
  value: string;
  reason: 'unsubscribe' | 'bounce' | 'complaint' | 'manual' | 'erasure';
  /** Who asked for it. */
  note: string | null;
  /** `recipient`: they took their own unsubscription back. */
  liftedBy: 'owner' | 'recipient';
  liftedLeads: number;
  liftedAt: string;
};

/** Erasure */
export type Erasure = {
  leads: number;
  companies: number;
  suppressions: number;
  importErrors: number;
  importRows: number;
  discoveryContacts: number;
  discoveryCompanies: number;
  boughtContacts: number;
  mapsItems: number;
  emailValidations: number;
  letters: number;
  sends: number;
  events: number;
  warmupLetters: number;
};

/** MapsRun */
export type MapsRun = {
  id: number;
  leadListId: number | null;
  provider: string;
  status: 'queued' | 'running' | 'enriching' | 'completed' | 'failed' | 'cancelled';
  statusMessage: string;
  searchStrings: string[];
  startUrls: string[];
  placeIds: string[];
  locationQuery: string;
  countryCode: string;
  language: string;
  maxCrawledPlacesPerSearch: number;
  website: string;
  placeMinimumStars: number | null;
  categoryFilterWords: string[];
  skipClosedPlaces: boolean;
  scrapeContacts: boolean;
  verifyEmails: boolean;
  totalQueries: number;
  processedQueries: number;
  totalItems: number;
  savedItems: number;
  enrichedItems: number;
  failedItems: number;
  importedLeads: number;
  startedAt: string | null;
  completedAt: string | null;
  createdAt: string;
  updatedAt: string;
};

/** MapsItem */
export type MapsItem = {
  id: number;
  runId: number;
  placeId: string;
  title: string;
  category: string | null;
  address: string | null;
  city: string | null;
  state: string | null;
  postalCode: string | null;
  countryCode: string | null;
  website: string | null;
  phone: string | null;
  rating: number | null;
  reviewsCount: number | null;
  isClosed: boolean;
  mapsUrl: string | null;
  searchString: string | null;
  latitude: number | null;
  longitude: number | null;
  status: 'pending' | 'enriching' | 'enriched' | 'failed' | 'skipped';
  reason: string | null;
  emails: {
    email: string;
    kind: 'generic' | 'personal';
    name: string | null;
    page: string;
    form: string;
    validationScore: number | null;
    validationStatus: string | null;
    validationReason: string | null;
  }[];
  phones: { phone: string; isFax: boolean; page: string; form: string }[];
  profiles: { network: string; url: string; page: string }[];
  contactPages: string[];
  visitedPages: string[];
  bestContact: { type: 'email' | 'phone' | 'profile'; value: string; why: string } | null;
  enrichedAt: string | null;
  import: {
    status: 'imported' | 'skipped';
    reason: string | null;
    message: string | null;
    importId: number;
    leadIds: number[];
    at: string;
  } | null;
  createdAt: string;
};

/** MapsEnrichment */
export type MapsEnrichment = {
  id: number;
  status: 'queued' | 'running' | 'enriching' | 'completed' | 'failed' | 'cancelled';
  statusMessage: string;
  enrichedItems: number;
};

/** MapsImport */
export type MapsImport = {
  runId: number;
  leadListId: number;
  /** New leads. */
  importedLeads: number;
  /** New companies. */
  importedCompanies: number;
  /** Contacts that were leads of their company in the list already. */
  foundLeads: number;
  /** Of `foundLeads`: something that was stored differs from the place, and stays. */
  differingLeads: number;
  /** Companies that the list already had. */
  foundCompanies: number;
  /** Places that added no lead; `skippedReasons` says why. */
  skippedItems: number;
  importId: number;
  status: 'running' | 'completed';
  /** Places of the run that a repeat goes on with; null while the import goes on. */
  remainingItems: number | null;
  skippedReasons: { reason: string; message: string; items: number }[];
};

/** Schedule */
export type Schedule = {
  id: number;
  name: string;
  kind: 'maps_run' | 'lead_process' | 'placement_test';
  /** What each run orders. */
  mapsRun: Record<string, unknown> | null;
  /** What each run orders. */
  leadProcess: Record<string, unknown> | null;
  /** What each run orders. */
  placementTest: Record<string, unknown> | null;
  /** Null for all but maps runs. */
  onlyNewPlaces: boolean | null;
  times: {
    timeZone: string;
    time: string;
    weekdays: (
      'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday'
    )[];
    daysOfMonth: number[];
  };
  paused: boolean;
  createdAt: string;
  updatedAt: string;
};

/** ScheduleView */
export type ScheduleView = {
  id: number;
  name: string;
  kind: 'maps_run' | 'lead_process' | 'placement_test';
  /** What each run orders. */
  mapsRun: Record<string, unknown> | null;
  /** What each run orders. */
  leadProcess: Record<string, unknown> | null;
  /** What each run orders. */
  placementTest: Record<string, unknown> | null;
  /** Null for all but maps runs. */
  onlyNewPlaces: boolean | null;
  times: {
    timeZone: string;
    time: string;
    weekdays: (
      'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday'
    )[];
    daysOfMonth: number[];
  };
  paused: boolean;
  createdAt: string;
  updatedAt: string;
  /** Empty while it is paused; null where they cannot be told at the moment. */
  nextRuns: string[] | null;
};

/** ScheduleRun */
export type ScheduleRun = {
  id: number;
  scheduleId: number;
  outcome: 'started' | 'skipped' | 'failed';
  /** Why it was skipped, or has failed. */
  reason: string | null;
  mapsRunId: number | null;
  leadProcessId: number | null;
  placementTestId: number | null;
  /** Of the maps run, the discovery or the placement test. */
  status:
    | 'queued'
    | 'running'
    | 'enriching'
    | 'completed'
    | 'failed'
    | 'cancelled'
    | 'processing'
    | 'paused'
    | null;
  /** Of a placement test. */
  verdict: 'good' | 'bad' | 'unknown' | null;
  /** Seen by no earlier run of this schedule. */
  newPlaces: number | null;
  knownPlaces: number | null;
  newLeads: number | null;
  /** People who were leads of the list before. */
  knownLeads: number | null;
  createdAt: string;
};

/** EmailCheck */
export type EmailCheck = {
  email: string;
  status: 'valid' | 'risky' | 'invalid' | 'unknown' | 'pending';
  score: number;
  isValid: boolean;
  reason: string;
  checks: {
    syntax: boolean;
    mx: boolean | null;
    disposable: boolean | null;
    role: boolean | null;
    free: boolean | null;
    catchAll: boolean | null;
    smtp: boolean | null;
    fullInbox: boolean | null;
    disabled: boolean | null;
  };
  suggestion: string | null;
  checkedAt: string;
};

/** EmailValidation */
export type EmailValidation = {
  id: number;
  status: 'processing' | 'completed' | 'failed' | 'cancelled';
  leadListId: number | null;
  total: number;
  checked: number;
  progressPercent: number;
  counts: { valid: number; risky: number; invalid: number; unknown: number; pending: number };
  error: { code: string; message: string } | null;
  createdAt: string;
  updatedAt: string;
  completedAt: string | null;
};

/** EmailValidationResult */
export type EmailValidationResult = {
  email: string;
  status: 'valid' | 'risky' | 'invalid' | 'unknown' | 'pending';
  score: number | null;
  isValid: boolean | null;
  reason: string | null;
  checks: {
    syntax: boolean;
    mx: boolean | null;
    disposable: boolean | null;
    role: boolean | null;
    free: boolean | null;
    catchAll: boolean | null;
    smtp: boolean | null;
    fullInbox: boolean | null;
    disabled: boolean | null;
  } | null;
  suggestion: string | null;
  leadId: number | null;
  checkedAt: string | null;
  nextTryAt: string | null;
};

/** EnrolledCampaign */
export type EnrolledCampaign = {
  id: number;
  name: string;
  status: 'draft' | 'active' | 'paused' | 'completed' | 'cancelled';
  pauseReason:
    | 'user'
    | 'bounce_rate'
    | 'complaint_rate'
    | 'no_mailbox'
    | 'dns_failing'
    | 'insufficient_data'
    | 'bad_placement'
    | null;
  /** What a person should know while it runs. */
  warning: string | null;
  archived: boolean;
  subjectTemplate: string;
  bodyTemplate: string;
  variants: { subjectTemplate: string | null; bodyTemplate: string }[];
  timezone: string;
  activeDays: ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun')[];
  startTime: string;
  endTime: string;
  assignedMailboxes: string[];
  leadListIds: number[];
  maxFollowups: number;
  followupDelayDays: number;
  steps: {
    order: number;
    delayDays: number;
    subjectTemplate: string | null;
    bodyTemplate: string;
    variants: { subjectTemplate: string | null; bodyTemplate: string }[];
  }[];
  trackOpens: boolean;
  trackClicks: boolean;
  trackingDomainId: number | null;
  textOnly: boolean;
  /** As it was set, else as the first message reads. */
  language: string;
  minValidationScore: number | null;
  riskyAddresses: { catchAll: 'allow' | 'hold'; unknown: 'allow' | 'hold'; role: 'allow' | 'hold' };
  maxNewLeadsPerDay: number | null;
  newLeadShare: number | null;
  useRecipientTimezone: boolean;
  onlyNeverContacted: boolean;
  stopCompanyOnReply: boolean;
  /** When leads enter it by their answers. */
  startsOn: {
    campaignId: number | null;
    interest: (
      'interested' | 'meeting' | 'question' | 'not_now' | 'not_interested' | 'wrong_person'
    )[];
    afterDays: number;
  } | null;
  autoWinner: {
    metric: 'replied' | 'interested';
    minSends: number;
    confidence: number;
    afterDays: number;
  } | null;
  /** Steps of which one text alone is used; `variant: null`: somebody wants all of them. */
  winners: { step: number; variant: number | null }[];
  stats: CampaignStats;
  /** Leads of its lists are still being added, some thousand a minute at least; `stats.leads` says how many are in it. */
  enrolling: boolean;
  startedAt: string | null;
  pausedAt: string | null;
  completedAt: string | null;
  createdAt: string;
  updatedAt: string;
  /** How many leads of `leadListIds` were left out just now, by the first reason that fits. While it is `enrolling` the others follow; `GET /v1/campaigns/:id/leads/:leadId` says of each why it was left out. */
  skippedReasons: {
    not_found?: number;
    already_in_campaign?: number;
    removed?: number;
    erased?: number;
    suppressed?: number;
    no_email?: number;
    invalid_email?: number;
    duplicate_address?: number;
    already_contacted?: number;
    contacted_before?: number;
    in_other_campaign?: number;
    company_replied?: number;
  };
  /** The first 100 of `duplicate_address`: which lead was left out, and which lead of the campaign has its address. */
  duplicates?: { leadId: number; recipientLeadId: number }[];
};

/** CampaignStats */
export type CampaignStats = {
  /** Leads that are in it now. A deleted or removed one leaves this count, and stays in the others. */
  leads: number;
  /** Leads that are paused individually. */
  paused: number;
  /** Leads that were removed from it. */
  removed: number;
  /** Leads that were ended because somebody of their company has answered. */
  companyReplied: number;
  /** Leads that enter it later, by their answers (`startsOn`). */
  pendingStarts: number;
  /** Leads who got the first message, also those that were deleted since. */
  contacted: number;
  sent: number;
  failed: number;
  uncertain: number;
  /** By people, as far as it can be told. */
  opened: number;
  /** The same. */
  clicked: number;
  /** Fetched by a program: a security gateway, or mail loaded ahead. Counts nowhere else. */
  machineOpened: number;
  /** The same. */
  machineClicked: number;
  replied: number;
  autoReplied: number;
  bounced: number;
  /** Refused as spam or by a policy; refusals during the SMTP session are in `failed`, too. */
  rejected: number;
  unsubscribed: number;
  complained: number;
};

/** Campaign */
export type Campaign = {
  id: number;
  name: string;
  status: 'draft' | 'active' | 'paused' | 'completed' | 'cancelled';
  pauseReason:
    | 'user'
    | 'bounce_rate'
    | 'complaint_rate'
    | 'no_mailbox'
    | 'dns_failing'
    | 'insufficient_data'
    | 'bad_placement'
    | null;
  /** What a person should know while it runs. */
  warning: string | null;
  archived: boolean;
  subjectTemplate: string;
  bodyTemplate: string;
  variants: { subjectTemplate: string | null; bodyTemplate: string }[];
  timezone: string;
  activeDays: ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun')[];
  startTime: string;
  endTime: string;
  assignedMailboxes: string[];
  leadListIds: number[];
  maxFollowups: number;
  followupDelayDays: number;
  steps: {
    order: number;
    delayDays: number;
    subjectTemplate: string | null;
    bodyTemplate: string;
    variants: { subjectTemplate: string | null; bodyTemplate: string }[];
  }[];
  trackOpens: boolean;
  trackClicks: boolean;
  trackingDomainId: number | null;
  textOnly: boolean;
  /** As it was set, else as the first message reads. */
  language: string;
  minValidationScore: number | null;
  riskyAddresses: { catchAll: 'allow' | 'hold'; unknown: 'allow' | 'hold'; role: 'allow' | 'hold' };
  maxNewLeadsPerDay: number | null;
  newLeadShare: number | null;
  useRecipientTimezone: boolean;
  onlyNeverContacted: boolean;
  stopCompanyOnReply: boolean;
  /** When leads enter it by their answers. */
  startsOn: {
    campaignId: number | null;
    interest: (
      'interested' | 'meeting' | 'question' | 'not_now' | 'not_interested' | 'wrong_person'
    )[];
    afterDays: number;
  } | null;
  autoWinner: {
    metric: 'replied' | 'interested';
    minSends: number;
    confidence: number;
    afterDays: number;
  } | null;
  /** Steps of which one text alone is used; `variant: null`: somebody wants all of them. */
  winners: { step: number; variant: number | null }[];
  stats: CampaignStats;
  /** Leads of its lists are still being added, some thousand a minute at least; `stats.leads` says how many are in it. */
  enrolling: boolean;
  startedAt: string | null;
  pausedAt: string | null;
  completedAt: string | null;
  createdAt: string;
  updatedAt: string;
};

/** CampaignLead */
export type CampaignLead = {
  leadId: number;
  personFirstName: string;
  personLastName: string;
  personEmail: string | null;
  companyName: string | null;
  status:
    | 'queued'
    | 'in_progress'
    | 'completed'
    | 'replied'
    | 'bounced'
    | 'unsubscribed'
    | 'skipped'
    | 'paused'
    | 'failed'
    | 'removed';
  /** Position of the next message; 0 is the first one. */
  step: number;
  /** Chosen with the first message; follow-ups stay with it. */
  mailboxId: number | null;
  /** Not before then; null: nothing is to come. */
  nextSendAt: string | null;
  holdReason:
    | 'campaign_not_started'
    | 'campaign_paused'
    | 'campaign_cancelled'
    | 'outside_window'
    | 'mailbox_limit'
    | 'recipient_domain_limit'
    | 'warming_up'
    | 'no_mailbox'
    | 'mailbox_failing'
    | 'soft_bounce'
    | 'auto_reply'
    | 'delivery_uncertain'
    | 'delivery_refused'
    | 'policy_rejection'
    | 'provider_rejects'
    | 'suppressed'
    | 'no_email'
    | 'invalid_email'
    | 'catch_all_address'
    | 'unknown_address'
    | 'role_address'
    | 'score_too_low'
    | 'template_failed'
    | 'complained'
    | 'erased'
    | 'in_other_campaign'
    | 'duplicate_address'
    | 'already_contacted'
    | 'not_added'
    | 'template_empty'
    | 'needs_review'
    | 'lead_paused'
    | 'removed'
    | 'new_lead_limit'
    | 'contacted_before'
    | 'undelivered'
    | 'company_replied'
    | null;
  /** Why the lead is, or is not, written to: one sentence. */
  explanation: string;
  /** Null: it was never added. */
  addedAt: string | null;
  updatedAt: string;
};

/** PendingStart */
export type PendingStart = {
  leadId: number;
  personFirstName: string;
  personLastName: string;
  personEmail: string | null;
  /** What the answer means. */
  interest: 'interested' | 'meeting' | 'question' | 'not_now' | 'not_interested' | 'wrong_person';
  status: 'pending' | 'started' | 'cancelled';
  /** The lead enters the campaign within a minute of then; null: it is not to enter. */
  startsAt: string | null;
  /** What it waits for also when `startsAt` has passed: `PATCH /v1/inbox/:id {kind}`. */
  holdReason: 'needs_review' | null;
  /** Why it is not to enter any more; otherwise null. */
  cancelReason:
    | 'interest_changed'
    | 'answered_again'
    | 'rule_changed'
    | 'campaign_cancelled'
    | 'not_found'
    | 'already_in_campaign'
    | 'removed'
    | 'erased'
    | 'suppressed'
    | 'no_email'
    | 'invalid_email'
    | 'duplicate_address'
    | 'already_contacted'
    | 'contacted_before'
    | 'in_other_campaign'
    | 'company_replied'
    | null;
  /** Null: it is deleted. */
  answer: {
    /** Of the message: `GET /v1/inbox/:id`. */
    id: number;
    threadId: number;
    /** What was answered; null: it is deleted. */
    campaignId: number | null;
    receivedAt: string;
  } | null;
  /** When it was planned, moved or cancelled, or has entered. */
  updatedAt: string;
};

/** InboxMessage */
export type InboxMessage = {
  id: number;
  from: string;
  /** Addresses, separated by a comma. */
  to: string;
  subject: string;
  snippet: string;
  sent_at: string;
  is_read: boolean;
  direction: 'inbound' | 'outbound';
  has_attachments: boolean;
  thread_id: number;
  mailbox_id: number;
  from_name: string | null;
  kind:
    | 'message'
    | 'reply'
    | 'auto_reply'
    | 'bounce'
    | 'complaint'
    | 'unsubscribe_request'
    | 'needs_review';
  labels: string[];
  archived: boolean;
  snoozed_until: string | null;
  campaign_id: number | null;
  lead_id: number | null;
  /** What the answer of a person means; null for what is none, and where nobody is sure. */
  interest:
    'interested' | 'meeting' | 'question' | 'not_now' | 'not_interested' | 'wrong_person' | null;
};

/** InboxPagination */
export type InboxPagination = {
  page?: number;
  limit: number;
  total?: number;
  totalPages?: number;
  hasNext: boolean;
  /** Set where filters fit so many messages that `total` is a lower bound. */
  totalIsCapped?: boolean;
  nextCursor: string | null;
};

/** InboxSync */
export type InboxSync = {
  mailbox_id: number;
  /** The address of the mailbox. */
  mailbox: string;
  /** When it was last read to its end; up to five minutes before that while nothing comes in and nobody asks. */
  synced_at: string | null;
  failing_since: string | null;
  /** Why it cannot be read; null while it can. */
  reason: 'login_refused' | 'host_unreachable' | 'unreadable' | null;
  /** When somebody asked for it, until it was read. */
  asked_at: string | null;
};

/** InboxThread */
export type InboxThread = {
  id: number;
  subject: string;
  mailbox_id: number;
  campaign_id: number | null;
  lead_id: number | null;
  messages_count: number;
  unread_count: number;
  last_message_at: string;
  /** Of the last answer that has one. */
  interest:
    'interested' | 'meeting' | 'question' | 'not_now' | 'not_interested' | 'wrong_person' | null;
  last_message: { from: string; direction: 'inbound' | 'outbound'; snippet: string } | null;
};

/** InboxLetter */
export type InboxLetter = {
  id: number;
  from: string;
  /** Addresses, separated by a comma. */
  to: string;
  subject: string;
  snippet: string;
  sent_at: string;
  is_read: boolean;
  direction: 'inbound' | 'outbound';
  has_attachments: boolean;
  thread_id: number;
  mailbox_id: number;
  from_name: string | null;
  kind:
    | 'message'
    | 'reply'
    | 'auto_reply'
    | 'bounce'
    | 'complaint'
    | 'unsubscribe_request'
    | 'needs_review';
  labels: string[];
  archived: boolean;
  snoozed_until: string | null;
  campaign_id: number | null;
  lead_id: number | null;
  /** What the answer of a person means; null for what is none, and where nobody is sure. */
  interest:
    'interested' | 'meeting' | 'question' | 'not_now' | 'not_interested' | 'wrong_person' | null;
  /** The address of the mailbox. */
  mailbox: string;
  cc: string[];
  reply_to: string | null;
  message_id: string;
  in_reply_to: string | null;
  /** Who says so. What a client said is never judged again. */
  interest_by: 'rules' | 'model' | 'client' | null;
  /** Null where a client says so. */
  interest_confidence: number | null;
  text: string;
  /** Safe to show: it contains no scripts and loads nothing. */
  html: string | null;
  attachments: InboxAttachment[];
  /** Details from its text: the status of a bounce, the return date of an absence. */
  facts: Record<string, unknown>;
  campaign: { id: number; name: string } | null;
  lead: { id: number; first_name: string; last_name: string; email: string | null } | null;
  /** Of replies and forwards. `uncertain`: the connection was lost before the last answer; it may have arrived and is not sent again. `scheduled`: it waits for `send_at`. `cancelled`: it was taken back before it left, or `failure` says what came between. */
  delivery: {
    state: 'scheduled' | 'queued' | 'sending' | 'sent' | 'failed' | 'uncertain' | 'cancelled';
    failure: string | null;
    /** Of what is not sent at once: when it leaves. */
    send_at?: string;
    cancel_on_reply?: boolean;
  } | null;
};

/** InboxAttachment */
export type InboxAttachment = {
  id: number;
  filename: string;
  content_type: string;
  size_bytes: number;
  is_inline: boolean;
  content_id: string | null;
};

/** Warmup */
export type Warmup = {
  mailboxId: number;
  email: string;
  status: 'inactive' | 'warming' | 'active' | 'paused' | 'throttled' | 'quarantined';
  statusReason: string | null;
  settings: {
    startVolume: number;
    dailyIncrease: number;
    maxVolume: number;
    replyRate: number;
    weekdaysOnly: boolean;
  };
  day: number;
  dayVolume: number;
  sentToday: number;
  coldAllowance: number;
  health: 'unknown' | 'healthy' | 'throttled' | 'quarantined';
  healthScore: number | null;
  startedAt: string | null;
  pausedAt: string | null;
};

/** WarmupStats */
export type WarmupStats = {
  sent: number;
  received: number;
  inbox: number;
  spam: number;
  savedFromSpam: number;
  healthScore: number | null;
  from: string;
  to: string;
  days: {
    sent: number;
    received: number;
    inbox: number;
    spam: number;
    savedFromSpam: number;
    healthScore: number | null;
    date: string;
  }[];
};

/** PlacementSeed */
export type PlacementSeed = {
  id: number;
  address: string;
  provider: 'google' | 'microsoft' | 'yahoo' | 'icloud' | 'zoho' | 'fastmail' | 'other';
  username: string;
  imap: { host: string; port: number; tls: 'tls' | 'starttls' };
  /** What its last login has shown; a test logs in. */
  status: 'unproven' | 'working' | 'failing';
  checkedAt: string | null;
  error: { code: string; message: string } | null;
  createdAt: string;
  updatedAt: string;
};

/** PlacementTest */
export type PlacementTest = {
  id: number;
  /** Null: it was deleted. */
  campaignId: number | null;
  mailboxId: number;
  mailboxEmail: string;
  step: number;
  variant: number | null;
  leadId: number | null;
  minInboxPercent: number;
  holdOnBadPlacement: boolean;
  status: 'processing' | 'completed' | 'failed' | 'cancelled';
  /** Null until it is completed. */
  verdict: 'good' | 'bad' | 'unknown' | null;
  inbox: number;
  spam: number;
  /** In another folder, as where somebody sorts; counts neither way. */
  other: number;
  /** In no folder in time. */
  missing: number;
  /** Nothing is known of it; counts neither way. */
  failed: number;
  /** Still sent, or looked for. */
  waiting: number;
  /** Of `inbox`, `spam` and `missing`, rounded down. */
  inboxPercent: number | null;
  /** It has paused its campaign. */
  campaignHeld: boolean;
  providers: {
    provider: 'google' | 'microsoft' | 'yahoo' | 'icloud' | 'zoho' | 'fastmail' | 'other';
    verdict: 'good' | 'bad' | 'unknown' | null;
    inbox: number;
    spam: number;
    /** In another folder, as where somebody sorts; counts neither way. */
    other: number;
    /** In no folder in time. */
    missing: number;
    /** Nothing is known of it; counts neither way. */
    failed: number;
    /** Still sent, or looked for. */
    waiting: number;
    /** Of `inbox`, `spam` and `missing`, rounded down. */
    inboxPercent: number | null;
  }[];
  seeds: {
    /** Null: it was deleted. */
    seedId: number | null;
    address: string;
    provider: 'google' | 'microsoft' | 'yahoo' | 'icloud' | 'zoho' | 'fastmail' | 'other';
    /** Of the message to it. */
    state: 'waiting' | 'claimed' | 'sending' | 'sent' | 'refused' | 'uncertain' | 'cancelled';
    /** Null: not known yet. */
    outcome: 'inbox' | 'spam' | 'other' | 'missing' | 'failed' | null;
    folder: string | null;
    error: { code: string; message: string } | null;
    sentAt: string | null;
    decidedAt: string | null;
  }[];
  error: { code: string; message: string } | null;
  createdAt: string;
  updatedAt: string;
  finishedAt: string | null;
};

/** Webhook */
export type Webhook = {
  id: number;
  url: string;
  /** Event types; `*` is all of them */
  events: string[];
  description: string | null;
  isActive: boolean;
  /** The first failed attempt since the last success; null while deliveries succeed */
  failingSince: string | null;
  /** When the service set `isActive` to false; null when it did not */
  disabledAt: string | null;
  /** `gone`: it answered 410. `failing`: it took nothing for days */
  disabledReason: 'gone' | 'failing' | null;
  /** `message.received` tells sender, subject and snippet as well */
  includeContent: boolean;
  /** Until then the secret from before the rotation signs as well */
  previousSecretExpiresAt: string | null;
  createdAt: string;
  updatedAt: string;
};

/** WebhookDelivery */
export type WebhookDelivery = {
  id: number;
  webhookId: number;
  eventId: string;
  eventType:
    | 'lead_process.completed'
    | 'lead_process.failed'
    | 'maps_run.completed'
    | 'maps_run.failed'
    | 'cluster.active'
    | 'cluster.failed'
    | 'cluster.sending_held'
    | 'cluster.sending_resumed'
    | 'cluster.disk_filling'
    | 'mailbox.connected'
    | 'mailbox.connection_failed'
    | 'mailbox.created'
    | 'mailbox.health_changed'
    | 'campaign.started'
    | 'campaign.paused'
    | 'campaign.completed'
    | 'campaign.variant_won'
    | 'placement_test.completed'
    | 'email.sent'
    | 'email.opened'
    | 'email.clicked'
    | 'email.bounced'
    | 'email.rejected'
    | 'email.replied'
    | 'email.auto_replied'
    | 'email.unsubscribed'
    | 'email.complained'
    | 'suppression.lifted'
    | 'message.received'
    | 'message.interest_changed'
    | 'domain.expiring'
    | 'domain.order_rejected'
    | 'domain.dns_failing'
    | 'domain.alignment_failing'
    | 'tracking_domain.active'
    | 'tracking_domain.failing'
    | 'sending.paused'
    | 'wallet.credited'
    | 'wallet.low_balance'
    | 'wallet.auto_recharge_stopped'
    | 'api_key.rotated'
    | 'webhook.disabled';
  resource: string;
  state: 'pending' | 'delivered' | 'failed';
  attempts: number;
  /** Null at the end, and while an earlier event of the resource waits */
  nextAttemptAt: string | null;
  lastStatus: number | null;
  lastError: string | null;
  deliveredAt: string | null;
  createdAt: string;
};

/** Event */
export type Event = {
  id: string;
  type:
    | 'lead_process.completed'
    | 'lead_process.failed'
    | 'maps_run.completed'
    | 'maps_run.failed'
    | 'cluster.active'
    | 'cluster.failed'
    | 'cluster.sending_held'
    | 'cluster.sending_resumed'
    | 'cluster.disk_filling'
    | 'mailbox.connected'
    | 'mailbox.connection_failed'
    | 'mailbox.created'
    | 'mailbox.health_changed'
    | 'campaign.started'
    | 'campaign.paused'
    | 'campaign.completed'
    | 'campaign.variant_won'
    | 'placement_test.completed'
    | 'email.sent'
    | 'email.opened'
    | 'email.clicked'
    | 'email.bounced'
    | 'email.rejected'
    | 'email.replied'
    | 'email.auto_replied'
    | 'email.unsubscribed'
    | 'email.complained'
    | 'suppression.lifted'
    | 'message.received'
    | 'message.interest_changed'
    | 'domain.expiring'
    | 'domain.order_rejected'
    | 'domain.dns_failing'
    | 'domain.alignment_failing'
    | 'tracking_domain.active'
    | 'tracking_domain.failing'
    | 'sending.paused'
    | 'wallet.credited'
    | 'wallet.low_balance'
    | 'wallet.auto_recharge_stopped'
    | 'api_key.rotated'
    | 'webhook.disabled';
  createdAt: string;
  /** `test`: it happened in the sandbox. */
  mode: 'live' | 'test';
  resource: string;
  /** That of the webhook of its type, without content */
  data: Record<string, unknown>;
};

/** Operation */
export type Operation = {
  id: number;
  /** The type of job. */
  kind: string;
  /** What it works on. Of `outgoing_message` the message of the inbox (`GET /v1/inbox/:id`), 0 once it is deleted. */
  resource: {
    type:
      | 'campaign'
      | 'cluster'
      | 'custom_field'
      | 'domain'
      | 'domain_renewal'
      | 'email_validation'
      | 'lead_import'
      | 'lead_list'
      | 'lead_process'
      | 'mailbox'
      | 'mailbox_import'
      | 'maps_import'
      | 'maps_run'
      | 'outgoing_message'
      | 'placement_test'
      | 'tracking_domain'
      | 'wallet_recharge'
      | 'warmup';
    id: number;
  };
  /** `paused`: a job stands still until it is resumed; `message` says by whom and why. `blocked`: a step waits. `compensating`: what was done is being undone. */
  state: 'pending' | 'running' | 'paused' | 'blocked' | 'compensating' | 'completed' | 'failed';
  summary: string;
  step: string | null;
  /** Empty for jobs whose resource tells how far they are. */
  steps: {
    name: string;
    state: 'pending' | 'running' | 'blocked' | 'completed' | 'skipped' | 'failed' | 'undone';
    /** Deviations from the usual course. */
    note?: string;
  }[];
  message: string;
  /** While a list is being deleted: how many of its leads are removed, of how many. Null once it is over, and for other jobs, whose steps or resource tell how far they are. */
  progress: { done: number; total: number } | null;
  error: { code: string; message: string } | null;
  /** What may be asked of it now. */
  actions: ('retry' | 'cancel')[];
  createdAt: string;
  startedAt: string | null;
  finishedAt: string | null;
  updatedAt: string;
};

/** AuditEntry */
export type AuditEntry = {
  id: number;
  at: string;
  /** The `operationId`; of an operator the name of the command. */
  action: string;
  actor: {
    kind: 'api_key' | 'user' | 'operator' | 'system';
    /** Of a key, or of the user of a session. */
    id: string | null;
    /** The visible beginning of the key, or who else it was. */
    name: string | null;
  };
  source: { ipAddress: string | null; userAgent: string | null };
  resourceType:
    | 'account'
    | 'api_key'
    | 'campaign'
    | 'cluster'
    | 'company'
    | 'custom_field'
    | 'domain'
    | 'email_validation'
    | 'erasure'
    | 'lead'
    | 'lead_import'
    | 'lead_list'
    | 'lead_process'
    | 'mailbox'
    | 'mailbox_import'
    | 'maps_run'
    | 'message'
    | 'operation'
    | 'placement_seed'
    | 'placement_test'
    | 'schedule'
    | 'server'
    | 'suppression'
    | 'tracking_domain'
    | 'wallet'
    | 'warmup'
    | 'webhook'
    | null;
  resourceId: string | null;
  requestId: string | null;
  /** Names of fields, and what they were (or are now). */
  before: Record<string, unknown> | null;
  /** Names of fields, and what they were (or are now). */
  after: Record<string, unknown> | null;
};

/** SendingPause */
export type SendingPause = {
  id: number;
  state: 'running' | 'over';
  /** `mailbox`, `domain`, `server`: what messages go out from. `provider`: whom they go to. */
  scope: 'mailbox' | 'domain' | 'server' | 'provider';
  /** The id of the mailbox or server, the name of the domain or provider. */
  subject: string;
  /** Too many messages were refused as spam or by a policy. */
  reason: 'policy_rejections';
  /** Messages that count: of the last days, or since the pause before. */
  messages: number;
  /** Those of them that were refused. */
  rejected: number;
  /** What the server said of the last refusal, without addresses. */
  words: string;
  since: string;
  /** Then sending goes on by itself. */
  until: string;
};
/** Events by their type, as they are posted. */
export interface Events {
  /** Told when a discovery ended. */
  'lead_process.completed': {
    /** `evt_<number>`, the same at every attempt */
    id: string;
    type: 'lead_process.completed';
    createdAt: string;
    /** Its events come in order: `lead/12` */
    resource: string;
    data: {
      processId: number;
      status: 'completed' | 'failed';
      leadListId: number | null;
      foundLeads: number;
      errorCode: string | null;
    };
  };
  /** Told when a discovery was given up (cancelling one is no event). */
  'lead_process.failed': {
    /** `evt_<number>`, the same at every attempt */
    id: string;
    type: 'lead_process.failed';
    createdAt: string;
    /** Its events come in order: `lead/12` */
    resource: string;
    data: {
      processId: number;
      status: 'completed' | 'failed';
      leadListId: number | null;
      foundLeads: number;
      errorCode: string | null;
    };
  };
  /** Told when a map run ended. */
  'maps_run.completed': {
    /** `evt_<number>`, the same at every attempt */
    id: string;
    type: 'maps_run.completed';
    createdAt: string;
    /** Its events come in order: `lead/12` */
    resource: string;
    data: {
      runId: number;
      status: 'completed' | 'failed';
      message: string | null;
      errorCode: string | null;
      savedItems: number;
      enrichedItems: number;
    };
  };
  /** Told when a map run was given up. */
  'maps_run.failed': {
    /** `evt_<number>`, the same at every attempt */
    id: string;
    type: 'maps_run.failed';
    createdAt: string;
    /** Its events come in order: `lead/12` */
    resource: string;
    data: {
      runId: number;
      status: 'completed' | 'failed';
      message: string | null;
      errorCode: string | null;
      savedItems: number;
      enrichedItems: number;
    };
  };
  /** Told when a cluster was provisioned. */
  'cluster.active': {
    /** `evt_<number>`, the same at every attempt */
    id: string;
    type: 'cluster.active';
    createdAt: string;
    /** Its events come in order: `lead/12` */
    resource: string;
    data: { clusterId: number; status: 'active' | 'failed'; errorCode: string | null };
  };
  /** Told when a cluster was given up. */
  'cluster.failed': {
    /** `evt_<number>`, the same at every attempt */
    id: string;
    type: 'cluster.failed';
    createdAt: string;
    /** Its events come in order: `lead/12` */
    resource: string;
    data: { clusterId: number; status: 'active' | 'failed'; errorCode: string | null };
  };
  /** Told when messages of a cluster cannot leave, or a blocklist has its address. */
  'cluster.sending_held': {
    /** `evt_<number>`, the same at every attempt */
    id: string;
    type: 'cluster.sending_held';
    createdAt: string;
    /** Its events come in order: `lead/12` */
    resource: string;
    data: {
      clusterId: number;
      /** Of its server */
      address: string | null;
      at: string;
      reason: 'port_25_closed' | 'rebuilding' | 'blocklisted';
      /** The blocklists that have the address */
      lists: string[];
    };
  };
  /** Told when what kept a cluster from sending is gone. */
  'cluster.sending_resumed': {
    /** `evt_<number>`, the same at every attempt */
    id: string;
    type: 'cluster.sending_resumed';
    createdAt: string;
    /** Its events come in order: `lead/12` */
    resource: string;
    data: {
      clusterId: number;
      /** Of its server */
      address: string | null;
      at: string;
    };
  };
  /** Told when the disk of a cluster’s server fills up: mailboxes can be emptied or deleted. */
  'cluster.disk_filling': {
    /** `evt_<number>`, the same at every attempt */
    id: string;
    type: 'cluster.disk_filling';
    createdAt: string;
    /** Its events come in order: `lead/12` */
    resource: string;
    data: {
      clusterId: number;
      /** Of its server */
      address: string | null;
      at: string;
      /** Of its disk, from 85 on */
      usedPercent: number;
    };
  };
  /** Told when a connected mailbox is proven: it sends, and is read. */
  'mailbox.connected': {
    /** `evt_<number>`, the same at every attempt */
    id: string;
    type: 'mailbox.connected';
    createdAt: string;
    /** Its events come in order: `lead/12` */
    resource: string;
    data: { mailboxId: number; email: string };
  };
  /** Told when a mailbox could not be connected, or not with its new login. */
  'mailbox.connection_failed': {
    /** `evt_<number>`, the same at every attempt */
    id: string;
    type: 'mailbox.connection_failed';
    createdAt: string;
    /** Its events come in order: `lead/12` */
    resource: string;
    data: { mailboxId: number; email: string; errorCode: string };
  };
  /** Told when a mailbox can be used. */
  'mailbox.created': {
    /** `evt_<number>`, the same at every attempt */
    id: string;
    type: 'mailbox.created';
    createdAt: string;
    /** Its events come in order: `lead/12` */
    resource: string;
    data: { mailboxId: number; clusterId: number; email: string };
  };
  /** Told when the health of a mailbox changed. */
  'mailbox.health_changed': {
    /** `evt_<number>`, the same at every attempt */
    id: string;
    type: 'mailbox.health_changed';
    createdAt: string;
    /** Its events come in order: `lead/12` */
    resource: string;
    data: {
      mailboxId: number;
      email: string;
      /** What was checked: each has a health of its own */
      aspect: 'sending' | 'warmup' | 'sync';
      health: 'unknown' | 'healthy' | 'throttled' | 'quarantined' | 'failing';
      reason: string | null;
      /** Warm-up's, 0 to 100 */
      healthScore: number | null;
      at: string;
    };
  };
  /** Told when a campaign was started. */
  'campaign.started': {
    /** `evt_<number>`, the same at every attempt */
    id: string;
    type: 'campaign.started';
    createdAt: string;
    /** Its events come in order: `lead/12` */
    resource: string;
    data: { campaignId: number; name: string; status: 'active'; at: string };
  };
  /** Told when a campaign was paused, by a person or by its own rules. */
  'campaign.paused': {
    /** `evt_<number>`, the same at every attempt */
    id: string;
    type: 'campaign.paused';
    createdAt: string;
    /** Its events come in order: `lead/12` */
    resource: string;
    data: {
      campaignId: number;
      name: string;
      status: 'paused';
      pauseReason:
        | 'user'
        | 'bounce_rate'
        | 'complaint_rate'
        | 'no_mailbox'
        | 'dns_failing'
        | 'insufficient_data'
        | 'bad_placement'
        | null;
      at: string;
    };
  };
  /** Told when a campaign has nothing left to send. */
  'campaign.completed': {
    /** `evt_<number>`, the same at every attempt */
    id: string;
    type: 'campaign.completed';
    createdAt: string;
    /** Its events come in order: `lead/12` */
    resource: string;
    data: { campaignId: number; name: string; status: 'completed'; at: string };
  };
  /** Told when one text of a message has more answers than all others, and alone is used. */
  'campaign.variant_won': {
    /** `evt_<number>`, the same at every attempt */
    id: string;
    type: 'campaign.variant_won';
    createdAt: string;
    /** Its events come in order: `lead/12` */
    resource: string;
    data: {
      campaignId: number;
      name: string;
      /** 0 is the first message, the others are follow-ups */
      step: number;
      /** The number of the text, as in `analytics/steps` */
      variant: number;
      metric: 'replied' | 'interested';
      confidence: number;
      /** The messages that counted, and how many had an answer by `metric` */
      texts: { variant: number; sent: number; successes: number }[];
      at: string;
    };
  };
  /** Told when it is known where the message of a placement test landed. */
  'placement_test.completed': {
    /** `evt_<number>`, the same at every attempt */
    id: string;
    type: 'placement_test.completed';
    createdAt: string;
    /** Its events come in order: `lead/12` */
    resource: string;
    data: {
      testId: number;
      /** Null: it was deleted meanwhile */
      campaignId: number | null;
      mailboxId: number;
      verdict: 'good' | 'bad' | 'unknown';
      inboxPercent: number | null;
      minInboxPercent: number;
      providers: {
        provider: 'google' | 'microsoft' | 'yahoo' | 'icloud' | 'zoho' | 'fastmail' | 'other';
        inbox: number;
        spam: number;
        other: number;
        missing: number;
        failed: number;
        verdict: 'good' | 'bad' | 'unknown';
        inboxPercent: number | null;
      }[];
      /** It has paused its campaign */
      campaignHeld: boolean;
      at: string;
    };
  };
  /** Told when a message was accepted by the mail host. */
  'email.sent': {
    /** `evt_<number>`, the same at every attempt */
    id: string;
    type: 'email.sent';
    createdAt: string;
    /** Its events come in order: `lead/12` */
    resource: string;
    data: {
      campaignId: number;
      leadId: number;
      mailboxId: number;
      sendId: number;
      /** 0 is the first message, the others are follow-ups */
      step: number;
      /** The Message-ID, with angle brackets */
      messageId: string;
      at: string;
    };
  };
  /** Told when a person opened a message for the first time, where its campaign tracks it. */
  'email.opened': {
    /** `evt_<number>`, the same at every attempt */
    id: string;
    type: 'email.opened';
    createdAt: string;
    /** Its events come in order: `lead/12` */
    resource: string;
    data: {
      campaignId: number;
      leadId: number;
      mailboxId: number;
      sendId: number;
      /** 0 is the first message, the others are follow-ups */
      step: number;
      /** The Message-ID, with angle brackets */
      messageId: string;
      at: string;
    };
  };
  /** Told when a person clicked in a message for the first time, where its campaign tracks it. */
  'email.clicked': {
    /** `evt_<number>`, the same at every attempt */
    id: string;
    type: 'email.clicked';
    createdAt: string;
    /** Its events come in order: `lead/12` */
    resource: string;
    data: {
      campaignId: number;
      leadId: number;
      mailboxId: number;
      sendId: number;
      /** 0 is the first message, the others are follow-ups */
      step: number;
      /** The Message-ID, with angle brackets */
      messageId: string;
      at: string;
      url: string;
    };
  };
  /** Told when a message came back. */
  'email.bounced': {
    /** `evt_<number>`, the same at every attempt */
    id: string;
    type: 'email.bounced';
    createdAt: string;
    /** Its events come in order: `lead/12` */
    resource: string;
    data: {
      campaignId: number;
      leadId: number;
      mailboxId: number;
      sendId: number;
      /** 0 is the first message, the others are follow-ups */
      step: number;
      /** The Message-ID, with angle brackets */
      messageId: string;
      at: string;
      /** False: the address is not suppressed */
      isPermanent: boolean;
      /** Of the server: `550 5.1.1`, `5.1.1` */
      status?: string;
    };
  };
  /** Told when a message was refused as spam or by a policy. */
  'email.rejected': {
    /** `evt_<number>`, the same at every attempt */
    id: string;
    type: 'email.rejected';
    createdAt: string;
    /** Its events come in order: `lead/12` */
    resource: string;
    data: {
      campaignId: number;
      leadId: number;
      mailboxId: number;
      sendId: number;
      /** 0 is the first message, the others are follow-ups */
      step: number;
      /** The Message-ID, with angle brackets */
      messageId: string;
      at: string;
      /** Of the server: `550 5.1.1`, `5.1.1` */
      status?: string;
      /** Of the server, without addresses */
      words?: string;
    };
  };
  /** Told when a person answered. */
  'email.replied': {
    /** `evt_<number>`, the same at every attempt */
    id: string;
    type: 'email.replied';
    createdAt: string;
    /** Its events come in order: `lead/12` */
    resource: string;
    data: {
      campaignId: number;
      leadId: number;
      mailboxId: number;
      sendId: number;
      /** 0 is the first message, the others are follow-ups */
      step: number;
      /** The Message-ID, with angle brackets */
      messageId: string;
      at: string;
    };
  };
  /** Told when a machine answered. */
  'email.auto_replied': {
    /** `evt_<number>`, the same at every attempt */
    id: string;
    type: 'email.auto_replied';
    createdAt: string;
    /** Its events come in order: `lead/12` */
    resource: string;
    data: {
      campaignId: number;
      leadId: number;
      mailboxId: number;
      sendId: number;
      /** 0 is the first message, the others are follow-ups */
      step: number;
      /** The Message-ID, with angle brackets */
      messageId: string;
      at: string;
    };
  };
  /** Told when a recipient wants no more messages. */
  'email.unsubscribed': {
    /** `evt_<number>`, the same at every attempt */
    id: string;
    type: 'email.unsubscribed';
    createdAt: string;
    /** Its events come in order: `lead/12` */
    resource: string;
    data: {
      campaignId: number;
      leadId: number;
      mailboxId: number;
      sendId: number;
      /** 0 is the first message, the others are follow-ups */
      step: number;
      /** The Message-ID, with angle brackets */
      messageId: string;
      at: string;
    };
  };
  /** Told when a message was reported as spam. */
  'email.complained': {
    /** `evt_<number>`, the same at every attempt */
    id: string;
    type: 'email.complained';
    createdAt: string;
    /** Its events come in order: `lead/12` */
    resource: string;
    data: {
      campaignId: number;
      leadId: number;
      mailboxId: number;
      sendId: number;
      /** 0 is the first message, the others are follow-ups */
      step: number;
      /** The Message-ID, with angle brackets */
      messageId: string;
      at: string;
    };
  };
  /** Told when a recipient has taken an unsubscription back. */
  'suppression.lifted': {
    /** `evt_<number>`, the same at every attempt */
    id: string;
    type: 'suppression.lifted';
    createdAt: string;
    /** Its events come in order: `lead/12` */
    resource: string;
    data: {
      campaignId: number;
      leadId: number;
      mailboxId: number;
      sendId: number;
      /** 0 is the first message, the others are follow-ups */
      step: number;
      /** The Message-ID, with angle brackets */
      messageId: string;
      at: string;
      suppressionId: number;
      reason: 'unsubscribe';
    };
  };
  /** Told when an answer of a lead came in: the first one, or any other. */
  'message.received': {
    /** `evt_<number>`, the same at every attempt */
    id: string;
    type: 'message.received';
    createdAt: string;
    /** Its events come in order: `lead/12` */
    resource: string;
    data: {
      /** `GET /v1/inbox/{id}` */
      inboxId: number;
      threadId: number;
      kind: 'reply' | 'auto_reply' | 'unsubscribe_request' | 'needs_review';
      campaignId: number;
      leadId: number | null;
      mailboxId: number;
      sendId: number;
      interest:
        | 'interested'
        | 'meeting'
        | 'question'
        | 'not_now'
        | 'not_interested'
        | 'wrong_person'
        | null;
      at: string;
      from?: string;
      fromName?: string | null;
      subject?: string;
      /** The first 200 characters */
      snippet?: string;
    };
  };
  /** Told when what an answer means was corrected, or judged later. */
  'message.interest_changed': {
    /** `evt_<number>`, the same at every attempt */
    id: string;
    type: 'message.interest_changed';
    createdAt: string;
    /** Its events come in order: `lead/12` */
    resource: string;
    data: {
      inboxId: number;
      threadId: number;
      campaignId: number | null;
      leadId: number | null;
      mailboxId: number;
      interest:
        | 'interested'
        | 'meeting'
        | 'question'
        | 'not_now'
        | 'not_interested'
        | 'wrong_person'
        | null;
      interestBefore:
        | 'interested'
        | 'meeting'
        | 'question'
        | 'not_now'
        | 'not_interested'
        | 'wrong_person'
        | null;
      interestBy: 'rules' | 'model' | 'client';
      at: string;
    };
  };
  /** Told when a domain ends soon. */
  'domain.expiring': {
    /** `evt_<number>`, the same at every attempt */
    id: string;
    type: 'domain.expiring';
    createdAt: string;
    /** Its events come in order: `lead/12` */
    resource: string;
    data: {
      domainId: number;
      domain: string;
      expiresAt: string;
      autoRenew: boolean;
      /** The code by which the renewal failed or is blocked */
      renewalError: string | null;
    };
  };
  /** Told when a registry refused a registration or renewal after it had been accepted. */
  'domain.order_rejected': {
    /** `evt_<number>`, the same at every attempt */
    id: string;
    type: 'domain.order_rejected';
    createdAt: string;
    /** Its events come in order: `lead/12` */
    resource: string;
    data: {
      domainId: number;
      domain: string;
      order: 'registration' | 'renewal';
      /** What went back to the wallet */
      refundedCents: number;
      /** Of a renewal: when the domain ends now */
      expiresAt: string | null;
      at: string;
    };
  };
  /** Told when a domain lacks DNS records that it needs to send. */
  'domain.dns_failing': {
    /** `evt_<number>`, the same at every attempt */
    id: string;
    type: 'domain.dns_failing';
    createdAt: string;
    /** Its events come in order: `lead/12` */
    resource: string;
    data: {
      domainId: number;
      domain: string;
      /** Mailboxes that are taken out for it */
      mailboxIds: number[];
      /** Where the daily check found it: the checks that fail */
      checks?: string[];
      at: string;
    };
  };
  /** Told when others report that messages of our own server fail DMARC. */
  'domain.alignment_failing': {
    /** `evt_<number>`, the same at every attempt */
    id: string;
    type: 'domain.alignment_failing';
    createdAt: string;
    /** Its events come in order: `lead/12` */
    resource: string;
    data: {
      domainId: number;
      domain: string;
      /** Addresses of our own server */
      sources: string[];
      /** Of these addresses, in the reports of the last 7 days */
      messages: number;
      /** How many of them fail DMARC */
      failed: number;
      /** Organizations that report a failure */
      reporters: number;
      at: string;
    };
  };
  /** Told when links of new messages are on a domain of the client. */
  'tracking_domain.active': {
    /** `evt_<number>`, the same at every attempt */
    id: string;
    type: 'tracking_domain.active';
    createdAt: string;
    /** Its events come in order: `lead/12` */
    resource: string;
    data: { trackingDomainId: number; name: string; at: string };
  };
  /** Told when a tracking domain stopped working: links of new messages are on the installation’s own name. */
  'tracking_domain.failing': {
    /** `evt_<number>`, the same at every attempt */
    id: string;
    type: 'tracking_domain.failing';
    createdAt: string;
    /** Its events come in order: `lead/12` */
    resource: string;
    data: {
      trackingDomainId: number;
      name: string;
      at: string;
      /** As in `error` of the tracking domain */
      errorCode: string;
    };
  };
  /** Told when too many messages were refused as spam or by a policy. */
  'sending.paused': {
    /** `evt_<number>`, the same at every attempt */
    id: string;
    type: 'sending.paused';
    createdAt: string;
    /** Its events come in order: `lead/12` */
    resource: string;
    data: {
      /** `provider`: that of the recipients; the others are ours */
      scope: 'mailbox' | 'domain' | 'server' | 'provider';
      subject: string;
      letters: number;
      rejected: number;
      /** Of the last refusal */
      words: string;
      until: string;
    };
  };
  /** Told when money came in. */
  'wallet.credited': {
    /** `evt_<number>`, the same at every attempt */
    id: string;
    type: 'wallet.credited';
    createdAt: string;
    /** Its events come in order: `lead/12` */
    resource: string;
    data: {
      amountCents: number;
      availableCents: number;
      referenceType: string;
      referenceId: string;
    };
  };
  /** Told when what is available fell below the threshold. */
  'wallet.low_balance': {
    /** `evt_<number>`, the same at every attempt */
    id: string;
    type: 'wallet.low_balance';
    createdAt: string;
    /** Its events come in order: `lead/12` */
    resource: string;
    data: { availableCents: number; thresholdCents: number };
  };
  /** Told when automatic recharges stopped, or reached the limit of the month. */
  'wallet.auto_recharge_stopped': {
    /** `evt_<number>`, the same at every attempt */
    id: string;
    type: 'wallet.auto_recharge_stopped';
    createdAt: string;
    /** Its events come in order: `lead/12` */
    resource: string;
    data: {
      reason:
        | 'card_declined'
        | 'authentication_required'
        | 'payment_method_invalid'
        | 'processor_error'
        | 'payment_reversed'
        | 'monthly_limit';
      rechargeId: number | null;
      amountCents: number;
      declineCode: string | null;
      resumesAt: string | null;
    };
  };
  /** Told when an API key has a new secret. */
  'api_key.rotated': {
    /** `evt_<number>`, the same at every attempt */
    id: string;
    type: 'api_key.rotated';
    createdAt: string;
    /** Its events come in order: `lead/12` */
    resource: string;
    data: { keyId: string; previousKeyExpiresAt: string };
  };
  /** Told when an endpoint took nothing for days, or answered 410. */
  'webhook.disabled': {
    /** `evt_<number>`, the same at every attempt */
    id: string;
    type: 'webhook.disabled';
    createdAt: string;
    /** Its events come in order: `lead/12` */
    resource: string;
    data: {
      webhookId: number;
      reason: 'gone' | 'failing';
      failingSince: string | null;
      disabledAt: string;
    };
  };
}
/** Any event that is posted to an endpoint. */
export type PostedEvent = Events[keyof Events];
/** Every operation, by resource and verb. */
export interface Api {
  /** Whether the service is up, and its parts are. */
  health: {
    /** Shows that the API runs, and the state of its dependencies */
    read(input?: Record<string, never>, options?: CallOptions): Promise<Health>;
    /** Shows whether the API can do its work; 502 when a dependency is down */
    ready(input?: Record<string, never>, options?: CallOptions): Promise<Health>;
  };
  /** Keys of programs: their scopes, their addresses, their rotation. */
  apiKeys: {
    /**
     * Creates an API key
     *
     * Authenticated with a JWT, or with a key that has the scope `keys:write`; the new key then has that one’s `ipWhitelist` and `expiresAt` where it names none, and none that are wider. The full key is in this answer and nowhere else. Keys of test mode (`svc_test_...`) are made under `/test`: `POST /test/api/keys`.
     */
    create(
      input: {
        body: {
          name: string;
          /** IPv4 or IPv6 addresses or CIDR ranges; empty = any address */
          ipWhitelist?: string[] | undefined;
          scopes?:
            | (
                | 'keys:write'
                | 'credentials:read'
                | 'account:read'
                | 'account:write'
                | 'wallet:read'
                | 'wallet:write'
                | 'domains:read'
                | 'domains:write'
                | 'clusters:read'
                | 'clusters:write'
                | 'mailboxes:read'
                | 'mailboxes:write'
                | 'discovery:read'
                | 'discovery:write'
                | 'leads:read'
                | 'leads:write'
                | 'companies:read'
                | 'companies:write'
                | 'lead-lists:read'
                | 'lead-lists:write'
                | 'suppressions:read'
                | 'suppressions:write'
                | 'maps:read'
                | 'maps:write'
                | 'schedules:read'
                | 'schedules:write'
                | 'email-validation:read'
                | 'email-validation:write'
                | 'campaigns:read'
                | 'campaigns:write'
                | 'inbox:read'
                | 'inbox:write'
                | 'warmup:read'
                | 'warmup:write'
                | 'placement:read'
                | 'placement:write'
                | 'webhooks:read'
                | 'webhooks:write'
                | 'operations:read'
                | 'operations:write'
                | 'audit:read'
              )[]
            | undefined;
          expiresAt?: string | null | undefined;
          /** Must be that of the address; it may be left out. */
          mode?: 'live' | 'test' | undefined;
        };
      },
      options?: CallOptions,
    ): Promise<CreatedApiKey>;
    /** Lists the API keys, newest first */
    list(
      input?: { page?: number | undefined; limit?: number | undefined },
      options?: CallOptions,
    ): List<ApiKey>;
    /**
     * Shows the key of this very request: what it may do
     *
     * Needs no scope. With a JWT: 404.
     */
    readCurrent(input?: Record<string, never>, options?: CallOptions): Promise<ApiKey>;
    /** Shows an API key, without its secret */
    read(input: { id: string }, options?: CallOptions): Promise<ApiKey>;
    /** Changes name, whitelist, scopes or expiry of an API key */
    update(
      input: {
        id: string;
        body?:
          | {
              name?: string | undefined;
              /** IPv4 or IPv6 addresses or CIDR ranges; empty = any address */
              ipWhitelist?: string[] | undefined;
              scopes?:
                | (
                    | 'keys:write'
                    | 'credentials:read'
                    | 'account:read'
                    | 'account:write'
                    | 'wallet:read'
                    | 'wallet:write'
                    | 'domains:read'
                    | 'domains:write'
                    | 'clusters:read'
                    | 'clusters:write'
                    | 'mailboxes:read'
                    | 'mailboxes:write'
                    | 'discovery:read'
                    | 'discovery:write'
                    | 'leads:read'
                    | 'leads:write'
                    | 'companies:read'
                    | 'companies:write'
                    | 'lead-lists:read'
                    | 'lead-lists:write'
                    | 'suppressions:read'
                    | 'suppressions:write'
                    | 'maps:read'
                    | 'maps:write'
                    | 'schedules:read'
                    | 'schedules:write'
                    | 'email-validation:read'
                    | 'email-validation:write'
                    | 'campaigns:read'
                    | 'campaigns:write'
                    | 'inbox:read'
                    | 'inbox:write'
                    | 'warmup:read'
                    | 'warmup:write'
                    | 'placement:read'
                    | 'placement:write'
                    | 'webhooks:read'
                    | 'webhooks:write'
                    | 'operations:read'
                    | 'operations:write'
                    | 'audit:read'
                  )[]
                | undefined;
              expiresAt?: string | null | undefined;
            }
          | undefined;
      },
      options?: CallOptions,
    ): Promise<ApiKey>;
    /** Deletes an API key at once */
    delete(input: { id: string }, options?: CallOptions): Promise<{ id: string }>;
    /**
     * Gives an API key a new secret without downtime
     *
     * The id stays. The previous secret works for `gracePeriodHours` more (0 = not at all); one that was already in its grace period keeps its own expiry.
     */
    rotate(
      input: { id: string; body?: { gracePeriodHours?: number | undefined } | undefined },
      options?: CallOptions,
    ): Promise<RotatedApiKey>;
  };
  /** Who sends: the name and the postal address that messages must carry. */
  account: {
    /** Shows the account */
    read(input?: Record<string, never>, options?: CallOptions): Promise<Account>;
    /**
     * Changes what messages say about their sender
     *
     * Fields that are not given stay as they are; `null` empties a field. While a campaign is active, `senderName` and `postalAddress` cannot be emptied: 400 `INVALID_STATE`.
     */
    update(
      input?: {
        body?:
          | {
              senderName?: string | null | undefined;
              postalAddress?: string | null | undefined;
              timezone?: string | undefined;
              /** Whether answers of which the rules are not sure may be sent to a language model, where the installation has one. False: none is sent from then on, and those that wait are not. */
              useLanguageModel?: boolean | undefined;
            }
          | undefined;
      },
      options?: CallOptions,
    ): Promise<Account>;
  };
  /** The prepaid balance: what comes in, what is held, what was spent. */
  wallet: {
    /**
     * Opens a checkout session that funds the wallet.
     *
     * The money arrives through the payment processor’s webhook, after which `POST /wallet/verify` says `complete`. `savePaymentMethod` asks the payer to keep their card for `autoRecharge` (`PATCH /wallet/settings`): it needs their consent to charges without them.
     */
    fund(
      input: { body: { amountCents: number; savePaymentMethod?: boolean | undefined } },
      options?: CallOptions,
    ): Promise<CheckoutSession>;
    /**
     * Checks whether a checkout session completed.
     *
     * `status` is the session’s; it may be `complete` while `paymentStatus` is still `unpaid`. `credited` says whether the money is in the wallet. A paid session that the webhook did not bring yet is credited by this call, and only once.
     */
    verify(input: { body: { sessionId: string } }, options?: CallOptions): Promise<CheckoutState>;
    /**
     * Lists the wallet’s transactions, newest first.
     *
     * Append-only. The sign of `amountCents`: `credit` +, `hold` - and `release` + move money between available and held, `capture` - is earned from what is held, `refund` + brings captured money back, `adjustment` - is taken back by the payment processor or settles what is owed. So the sum over all types but `hold` and `release` is `balanceCents`, and the sum over all but `capture` is `availableCents`. `balanceAfterCents` is the balance (available and held) after the transaction. `from` is inclusive, `to` is exclusive.
     */
    listTransactions(
      input?: {
        page?: number | undefined;
        limit?: number | undefined;
        type?: 'credit' | 'hold' | 'capture' | 'release' | 'refund' | 'adjustment' | undefined;
        from?: string | undefined;
        to?: string | undefined;
      },
      options?: CallOptions,
    ): List<WalletTransaction>;
    /**
     * Reads the wallet’s balance.
     *
     * `balanceCents` = `availableCents` + `heldCents` (set aside for work that is going on). `owedCents` is what the payment processor took back beyond what was available: the next funding settles it first, and charges answer 402 meanwhile.
     */
    read(input?: Record<string, never>, options?: CallOptions): Promise<Wallet>;
    /**
     * Changes the wallet’s settings.
     *
     * `lowBalanceThresholdCents: null` switches the notice off. `autoRecharge` charges the saved payment method by `amountCents` once less than `thresholdCents` is available, and at most `monthlyLimitCents` in a calendar month (UTC); `null` switches it off. After a payment that failed, or was taken back, nothing is charged until it is set again: `status` is `stopped` then. Without a saved method the answer is 400 `NO_PAYMENT_METHOD`.
     */
    updateSettings(
      input?: {
        body?:
          | {
              lowBalanceThresholdCents?: number | null | undefined;
              autoRecharge?:
                | { thresholdCents: number; amountCents: number; monthlyLimitCents: number }
                | null
                | undefined;
            }
          | undefined;
      },
      options?: CallOptions,
    ): Promise<Wallet>;
    /**
     * Forgets the saved card.
     *
     * The payment processor lets go of it, and automatic recharges are switched off; a payment that is being made may still end. 502 where the processor does not answer: nothing is changed then.
     */
    deletePaymentMethod(input?: Record<string, never>, options?: CallOptions): Promise<Wallet>;
  };
  /** Names that are bought or brought along, their DNS records and their health. */
  domains: {
    /**
     * Buys a domain.
     *
     * Waits up to 25 s for the registrar. Slower than that the answer has `isActive: false` and `GET /v1/domains/:id` tells; asking again for the same name attaches to the purchase.
     */
    buy(
      input: { body: { domain: string; provider?: string | undefined } },
      options?: CallOptions,
    ): Promise<Domain>;
    /** Lists the domains; failed purchases only with `?status=failed`. */
    list(
      input?: {
        page?: number | undefined;
        limit?: number | undefined;
        status?: 'unverified' | 'pending' | 'active' | 'failed' | undefined;
      },
      options?: CallOptions,
    ): List<Domain>;
    /** Reads a domain. */
    read(input: { id: number }, options?: CallOptions): Promise<Domain>;
    /**
     * Sets whether a domain is renewed automatically.
     *
     * The event `domain.expiring` is sent before it expires in either case.
     */
    update(
      input: { id: number; body: { autoRenew: boolean } },
      options?: CallOptions,
    ): Promise<Domain>;
    /**
     * Says which of up to 50 names can be bought.
     *
     * In the order asked, each name once, in lower-case punycode. `priceCents` is what the registrar asks for the first term. `restricted`: it cannot be bought here (premium, dearer than allowed, or not sold by the registrar). A registrar that takes one name at a time is asked for 15 seconds: `message` then says for how many names that was not enough. Those are `unknown`.
     */
    check(
      input: { body: { domains: string[]; provider?: string | undefined } },
      options?: CallOptions,
    ): Promise<DomainAvailability[]>;
    /**
     * Suggests names for a keyword that can be bought now.
     *
     * The same keyword brings the same names, as long as they are free. `priceCents` is what the registrar asks for the first term. `restricted`: it cannot be bought here (premium, dearer than allowed, or not sold by the registrar). A registrar that takes one name at a time is asked for 15 seconds: `message` then says for how many names that was not enough.
     */
    suggest(
      input: { body: { keyword: string; tlds?: string[] | undefined; limit?: number | undefined } },
      options?: CallOptions,
    ): Promise<DomainAvailability[]>;
    /**
     * Adds a domain that you own elsewhere.
     *
     * Publish the TXT record in `verification` and ask `POST /v1/domains/:id/verify`; until then the domain is `unverified` and claims nothing. It stays where it is (`provider: manual`): its records are set by you, and a cluster on it waits for them, naming them in `provisioning.message`. Asking again answers the same import.
     */
    import(input: { body: { domain: string } }, options?: CallOptions): Promise<Domain>;
    /**
     * Looks for the proof of an imported domain.
     *
     * Not published yet: 400 `DOMAIN_NOT_VERIFIED`. An active domain is answered as it is.
     */
    verify(input: { id: number }, options?: CallOptions): Promise<Domain>;
    /**
     * Buys one more term for a domain.
     *
     * Waits up to 25 s for the registrar; slower than that `renewal.status` is `pending`. One renewal per expiry: asking again attaches to the one under way, resumes one that waits for a person, and within a day answers the one that was made. With more than a term left: 400 `RENEWAL_TOO_EARLY`.
     */
    renew(input: { id: number }, options?: CallOptions): Promise<Domain>;
    /**
     * Checks a domain as public DNS shows it now.
     *
     * Name servers, the records that its cluster needs, its expiry, and what other mail servers report of the messages of its server (`alignment`). `caa` fails where CAA records forbid the certificate of its host, and says what to set. `requiredRecords` are those records in full; an imported domain needs them set by its owner, the MX last.
     */
    readHealth(input: { id: number }, options?: CallOptions): Promise<DomainHealth>;
    /**
     * Lists what other mail servers report of a domain.
     *
     * Their DMARC (`kind=dmarc`) or TLS reports (`kind=tls`) of the last `days`, which come to `postmaster@` the domain: by day, source, result and disposition, the newest day first. `alignment` judges the messages of its own server. Nobody signs a report: it proves nothing.
     */
    readDeliverability(
      input: {
        id: number;
        page?: number | undefined;
        limit?: number | undefined;
        kind?: 'dmarc' | 'tls' | undefined;
        days?: number | undefined;
      },
      options?: CallOptions,
    ): Promise<{
      success: true;
      data: Deliverability;
      message?: string;
      meta: { pagination: Pagination };
    }>;
  };
  /** Names that are bought or brought along, their DNS records and their health. */
  dnsRecords: {
    /**
     * Lists the DNS records at the registrar.
     *
     * `records` is at the top level, not under `data`.
     */
    list(
      input: { id: number },
      options?: CallOptions,
    ): Promise<{ success: true; records: DnsRecord[] }>;
    /**
     * Adds a DNS record; nothing that is there is changed.
     *
     * A second SPF or DMARC record is refused. An MX without priority gets 10. A TXT value in quoted pieces becomes one text.
     */
    create(
      input: {
        id: number;
        body: {
          type: string;
          name: string;
          value: string;
          priority?: number | undefined;
          ttl?: number | undefined;
        };
      },
      options?: CallOptions,
    ): Promise<DnsRecord>;
    /**
     * Changes a DNS record; no other is touched.
     *
     * The type stays. A second SPF or DMARC record is refused. A record that a live cluster needs (address of its host, MX, SPF, DKIM key, DMARC policy) is not taken away: 400 `RECORD_IN_USE` says which. With `?force=true` it is done all the same and `message` says what the cluster lacks; nothing puts it back by itself. Widening the SPF or DMARC policy is always possible.
     */
    update(
      input: {
        id: number;
        recordId: string;
        force?: 'true' | 'false' | undefined;
        body?:
          | {
              type?: string | undefined;
              name?: string | undefined;
              value?: string | undefined;
              priority?: number | undefined;
              ttl?: number | undefined;
            }
          | undefined;
      },
      options?: CallOptions,
    ): Promise<DnsRecord>;
    /**
     * Deletes a DNS record; no other is touched.
     *
     * A record that a live cluster needs (address of its host, MX, SPF, DKIM key, DMARC policy) is not taken away: 400 `RECORD_IN_USE` says which. With `?force=true` it is done all the same and `message` says what the cluster lacks; nothing puts it back by itself. Widening the SPF or DMARC policy is always possible.
     */
    delete(
      input: { id: number; recordId: string; force?: 'true' | 'false' | undefined },
      options?: CallOptions,
    ): Promise<{ id: number | string }>;
  };
  /** Names that are bought or brought along, their DNS records and their health. */
  trackingDomains: {
    /**
     * Adds a domain of yours for the links in your messages.
     *
     * Set the CNAME record of `record`; it is looked for every minute at first. Then a certificate is ordered for the name, and it is `active` within a minute or two. Campaigns use it by `trackingDomainId`: for the unsubscribe link, the tracking pixel and tracked links. An account has at most 100.
     */
    create(
      input: {
        body: {
          /** Below a domain of yours, which need not be one of the account: `links.example.com`. */
          name: string;
        };
      },
      options?: CallOptions,
    ): Promise<TrackingDomain>;
    /** Lists the tracking domains, oldest first. */
    list(
      input?: { page?: number | undefined; limit?: number | undefined },
      options?: CallOptions,
    ): List<TrackingDomain>;
    /** Reads a tracking domain: its record, its status, what it waits for. */
    read(input: { id: number }, options?: CallOptions): Promise<TrackingDomain>;
    /**
     * Forgets a tracking domain.
     *
     * Links in messages that were sent work until its certificate ends: leave the record until then. Campaigns that are not active go on without it.
     */
    delete(input: { id: number }, options?: CallOptions): Promise<{ id: number }>;
    /**
     * Looks at a tracking domain now, and not only when it is due.
     *
     * Answers before the look has ended: read the domain a few seconds later. Work that has failed (`WORK_FAILED`) is started again.
     */
    check(input: { id: number }, options?: CallOptions): Promise<TrackingDomain>;
  };
  /** A domain with a mail server for it. Made, taken down and watched as a long operation. */
  clusters: {
    /**
     * Buys a domain and turns a server into its mail host.
     *
     * $16.00 for the domain and $25.00 for the server (nothing with `useExistingVps`) are held now and captured as each part succeeds; what failed is released. Poll `GET /v1/clusters/:id`: `provisioning` tells the step, and why it waits.
     */
    create(
      input: {
        body: {
          domain: string;
          useExistingVps?: boolean | undefined;
          /** One of the caller’s servers, with useExistingVps. */
          serverId?: number | undefined;
          /** Alias of serverId. */
          vpsId?: number | undefined;
        };
      },
      options?: CallOptions,
    ): Promise<Cluster>;
    /**
     * Turns a server into the mail host of a domain that is in the account.
     *
     * $25.00 for the server, nothing with `useExistingVps`.
     */
    createWithExistingDomain(
      input: {
        body: {
          domain: string;
          useExistingVps?: boolean | undefined;
          /** One of the caller’s servers, with useExistingVps. */
          serverId?: number | undefined;
          /** Alias of serverId. */
          vpsId?: number | undefined;
        };
      },
      options?: CallOptions,
    ): Promise<Cluster>;
    /** Lists the clusters; deleted ones only with `?status=deleted`. */
    list(
      input?: {
        page?: number | undefined;
        limit?: number | undefined;
        status?:
          'provisioning' | 'active' | 'suspended' | 'failed' | 'deleting' | 'deleted' | undefined;
      },
      options?: CallOptions,
    ): List<Cluster>;
    /** Reads a cluster and the progress of its provisioning. */
    read(input: { id: number }, options?: CallOptions): Promise<Cluster>;
    /**
     * Takes an active or failed cluster down, for good.
     *
     * The answer comes at once with `status: "deleting"`; `provisioning` tells how far it is. Its mailboxes leave their campaigns and warm-ups and are read a last time; our DNS records go, the domain and its other records stay. A server that carries other clusters stays. Nothing is refunded. A blocked step is run again by `POST /v1/clusters/:id/retry`.
     */
    delete(input: { id: number }, options?: CallOptions): Promise<Cluster>;
    /**
     * Checks the server, its ports, its certificate and its names.
     *
     * `state` is the worst of all parts. `unknown`: the check failed or timed out. A result is reused for 20 seconds; `lookedAt` is its time.
     */
    readHealth(input: { id: number }, options?: CallOptions): Promise<ClusterHealth>;
    /** Changes the display name. */
    rename(
      input: { id: number; body: { name: string } },
      options?: CallOptions,
    ): Promise<{ id: number; name: string }>;
    /**
     * Runs the blocked step again, or begins a new attempt on a failed cluster.
     *
     * A new attempt holds only what is still needed: a domain that was bought is not paid twice. While it runs this changes nothing.
     */
    retry(input: { id: number }, options?: CallOptions): Promise<Cluster>;
    /**
     * Undoes a provisioning and refunds it; ends `failed` with `CANCELLED`.
     *
     * A domain that was bought stays in the account, and its $16.00 stay captured.
     */
    cancel(input: { id: number }, options?: CallOptions): Promise<Cluster>;
  };
  /** Addresses on a cluster, their credentials and their limits. */
  mailboxes: {
    /**
     * Creates a mailbox on the cluster’s domain.
     *
     * IMAP answers on port 993 and SMTP on port 465, both with TLS. `password` is in this answer only. Slower than 25 s the answer has `isActive: false`.
     */
    create(
      input: { clusterId: number; body: { email: string; password?: string | undefined } },
      options?: CallOptions,
    ): Promise<CreatedMailbox>;
    /** Lists the mailboxes of a cluster. */
    listOfCluster(
      input: { clusterId: number; page?: number | undefined; limit?: number | undefined },
      options?: CallOptions,
    ): List<Mailbox>;
    /**
     * Creates up to 100 mailboxes, each on its own.
     *
     * A failing entry does not stop the others: it is listed in `failed` with the code that a single creation returns. Passwords are in this answer only.
     */
    createMany(
      input: {
        clusterId: number;
        body: { mailboxes: { email: string; password?: string | undefined }[] };
      },
      options?: CallOptions,
    ): Promise<{
      created: CreatedMailbox[];
      failed: { email: string; code: string; error: string }[];
    }>;
    /**
     * Connects a mailbox that lives elsewhere, by its SMTP, IMAP and password.
     *
     * Answers at once. It is proven first: both logins, and a message from the mailbox to itself that is read by IMAP and deleted. Then `status` is `active`, and limits, warm-up, campaigns and inbox are as for any mailbox; `GET /v1/mailboxes/:id/connection` tells how far it is, or what is wrong. A `preset` knows its vendor’s servers. The password is stored sealed and never shown again.
     */
    connect(
      input: {
        body: {
          email: string;
          password: string;
          /** Default: the address. */
          username?: string | undefined;
          /** Knows the servers of its vendor. */
          preset?: 'google' | 'microsoft' | 'yahoo' | 'icloud' | 'zoho' | 'fastmail' | undefined;
          smtp?:
            | {
                host: string;
                port: 465 | 587 | 2525;
                /** `tls` from the first byte, the default on 465 and 993; else by STARTTLS. */
                tls?: 'tls' | 'starttls' | undefined;
              }
            | undefined;
          imap?:
            | {
                host: string;
                port: 993 | 143;
                /** `tls` from the first byte, the default on 465 and 993; else by STARTTLS. */
                tls?: 'tls' | 'starttls' | undefined;
              }
            | undefined;
          senderName?: string | undefined;
          /** Cold messages a day. */
          dailyLimit?: number | undefined;
        };
      },
      options?: CallOptions,
    ): Promise<MailboxConnection>;
    /** Reads where a connected mailbox lives, and how far its proof is. */
    readConnection(input: { id: number }, options?: CallOptions): Promise<MailboxConnection>;
    /**
     * Connects a mailbox anew, by another password or other servers.
     *
     * Proves it as at first. One that is in use goes on by its login of before until that has succeeded; one that has failed is tried again, by what this shows of it and the `password`, which was forgotten. What is left out stays; a `preset` brings the servers of its vendor where none are named. Another host, port, TLS or `username` comes with the `password`, too: the stored one goes nowhere else.
     */
    updateConnection(
      input: {
        id: number;
        body?:
          | {
              password?: string | undefined;
              username?: string | undefined;
              /** Its servers are taken where none are named; null: of no vendor, the servers stay. */
              preset?:
                | 'google'
                | 'microsoft'
                | 'yahoo'
                | 'icloud'
                | 'zoho'
                | 'fastmail'
                | null
                | undefined;
              smtp?:
                | {
                    host: string;
                    port: 465 | 587 | 2525;
                    /** `tls` from the first byte, the default on 465 and 993; else by STARTTLS. */
                    tls?: 'tls' | 'starttls' | undefined;
                  }
                | undefined;
              imap?:
                | {
                    host: string;
                    port: 993 | 143;
                    /** `tls` from the first byte, the default on 465 and 993; else by STARTTLS. */
                    tls?: 'tls' | 'starttls' | undefined;
                  }
                | undefined;
            }
          | undefined;
      },
      options?: CallOptions,
    ): Promise<MailboxConnection>;
    /**
     * Begins to connect a mailbox at Google or Microsoft without a password.
     *
     * The owner of the mailbox opens `authorizationUrl` in a browser and consents there, once and before `expiresAt`. The mailbox exists from then on, and is proven like one with a password. With an address that is connected already its login is replaced. `returnUrl` is where the browser goes on, with `result` (`proving` or `failed`) and `mailboxId` or `error` in its query.
     */
    connectByOauth(
      input: {
        body: {
          provider: 'google' | 'microsoft';
          /** The consent has to be of this mailbox; else it is of the one that is chosen. */
          email?: string | undefined;
          returnUrl?: string | undefined;
          senderName?: string | undefined;
          /** Cold messages a day. */
          dailyLimit?: number | undefined;
        };
      },
      options?: CallOptions,
    ): Promise<MailboxConsent>;
    /** Lists the mailboxes of all clusters, and those that are connected. */
    list(
      input?: { page?: number | undefined; limit?: number | undefined },
      options?: CallOptions,
    ): List<Mailbox>;
    /**
     * All active mailboxes with their passwords, as a CSV file.
     *
     * Needs a JWT, or a key with the scope `credentials:read`. `format` names the columns: ours, Instantly’s or Smartlead’s. UTF-8, commas, the oldest first; every cell stands as it is.
     */
    export(
      input?: {
        format?: 'csv' | 'instantly' | 'smartlead' | undefined;
        clusterId?: number | undefined;
      },
      options?: CallOptions,
    ): Promise<string>;
    /**
     * Shows how to log in to a mailbox.
     *
     * Needs a JWT, or a key with the scope `credentials:read`.
     */
    readCredentials(input: { id: number }, options?: CallOptions): Promise<MailboxCredentials>;
    /**
     * Changes the password of a mailbox.
     *
     * The new one is in this answer only. Campaigns, warm-up and inbox go on with it by themselves. `isInForce` is false where the host has not taken it within 25 s; given up, the old one stays.
     */
    rotatePassword(
      input: { id: number; body?: { password?: string | undefined } | undefined },
      options?: CallOptions,
    ): Promise<RotatedMailbox>;
    /** Reads how much a mailbox may send. */
    readLimits(input: { id: number }, options?: CallOptions): Promise<MailboxLimits>;
    /**
     * Changes how much a mailbox may send.
     *
     * Cold messages a day, messages an hour and seconds between two messages. `null` goes back to the configured default; what is left out stays.
     */
    updateLimits(
      input: {
        id: number;
        body?:
          | {
              dailyLimit?: number | null | undefined;
              hourlyLimit?: number | null | undefined;
              minGapSeconds?: number | null | undefined;
            }
          | undefined;
      },
      options?: CallOptions,
    ): Promise<MailboxLimits>;
    /** Reads a mailbox. */
    read(input: { id: number }, options?: CallOptions): Promise<Mailbox>;
    /**
     * Changes the sender name and the signature of a mailbox.
     *
     * `senderName: null` goes back to the account’s. The `signature` stands under messages of campaigns, before their footer or where a template has `{{signature}}`, and under replies and forwards; `null` is none. How much it sends is `/v1/mailboxes/:id/limits`.
     */
    update(
      input: {
        id: number;
        body?:
          | {
              senderName?: string | null | undefined;
              /** Text, or HTML where it holds tags; scripts, forms and the like are taken out. It is no template: what stands in it is sent as it is. */
              signature?: string | null | undefined;
            }
          | undefined;
      },
      options?: CallOptions,
    ): Promise<Mailbox>;
    /**
     * Removes a mailbox from its host, with its messages there.
     *
     * A connected mailbox keeps its messages: only its login is forgotten here. Its mail is read a last time and stays in the inbox. Campaigns write to leads that have had no message yet from another mailbox; threads end. The address may be created again afterwards. If it takes longer than 25 s the answer has `status: "deleting"`.
     */
    delete(input: { id: number }, options?: CallOptions): Promise<Mailbox>;
  };
  /** Addresses on a cluster, their credentials and their limits. */
  mailboxImports: {
    /**
     * Connects the mailboxes of a CSV file; a job, which `GET /v1/mailboxes/import/:id` tells of.
     *
     * The body is the file itself (`text/csv`, settings in the query) or JSON with the file in `csv`. At most 10 MB and 100,000 rows; UTF-8, UTF-16 or Windows-1252, or the `charset` of the `Content-Type`; commas, semicolons, tabs or pipes. Columns, in any order and case: `email`, `password`, and `preset` or `smtpHost`, `smtpPort` (465), `imapHost`, `imapPort` (993); `username`, `smtpTls`, `imapTls`, `senderName` and `dailyLimit` where wanted. Each row is what `POST /v1/mailboxes/connect` takes, and is proven like that; one that cannot be read or connected stops no other. The passwords are stored sealed and never shown again.
     */
    create(
      input: {
        fileName?: string | undefined;
        delimiter?: 'comma' | 'semicolon' | 'tab' | 'pipe' | undefined;
        body:
          | {
              fileName?: string | undefined;
              delimiter?: 'comma' | 'semicolon' | 'tab' | 'pipe' | undefined;
              csv: string;
            }
          | string
          | Uint8Array;
        contentType?:
          | 'text/csv'
          | 'text/tab-separated-values'
          | 'text/plain'
          | 'application/csv'
          | 'application/vnd.ms-excel'
          | undefined;
      },
      options?: CallOptions,
    ): Promise<MailboxImport>;
    /** Lists the imports of mailboxes, newest first. */
    list(
      input?: {
        page?: number | undefined;
        limit?: number | undefined;
        status?: 'processing' | 'completed' | 'failed' | 'cancelled' | undefined;
      },
      options?: CallOptions,
    ): List<MailboxImport>;
    /** Reads the progress of an import of mailboxes. */
    read(input: { id: number }, options?: CallOptions): Promise<MailboxImport>;
    /** Lists what became of the rows of an import, in the order of the file. */
    listRows(
      input: {
        id: number;
        page?: number | undefined;
        limit?: number | undefined;
        state?:
          | 'waiting'
          | 'connecting'
          | 'connected'
          | 'failed'
          | 'already_connected'
          | 'duplicate'
          | 'invalid'
          | 'cancelled'
          | undefined;
      },
      options?: CallOptions,
    ): List<MailboxImportRow>;
    /**
     * Stops an import; mailboxes that are connected stay.
     *
     * Passwords of rows that are waiting are deleted at once. Cancelling again changes nothing; an import that has ended is `INVALID_STATE`.
     */
    cancel(input: { id: number }, options?: CallOptions): Promise<MailboxImport>;
  };
  /** Searches of ad libraries that turn advertisers into leads. */
  leadProcesses: {
    /**
     * Finds companies that advertise for a term, and people there.
     *
     * Searches ad libraries (`search_ads`), identifies the companies behind the ads (`extract_companies`), finds contacts on their websites and then at contact finders (`enrich_contacts`), validates addresses (`validate_emails`) and stores the people as leads under their companies (`attach_leads`). Without `leadListId` a list named like the term is made. Poll `GET /v1/leads/process/:id`.
     *
     * `foundLeads` counts the leads that this process created, never more than `leadCount`; `processedLeads` counts all people that were decided on: these, those with an invalid address, those who must not be stored, and people who were leads of their company in the list before (`duplicateLeads`). Companies of other lists stay there: the list gets its own. No contact is bought twice in an account.
     */
    create(
      input: {
        body: {
          searchTerm: string;
          leadCount?: number | undefined;
          adReachedCountries?: string[] | undefined;
          leadListId?: number | undefined;
        };
      },
      options?: CallOptions,
    ): Promise<LeadProcess>;
    /**
     * Lists the discovery processes, newest first.
     *
     * All of them, unless `page` or `limit` asks for a page.
     */
    list(
      input?: {
        page?: number | undefined;
        limit?: number | undefined;
        status?: 'processing' | 'paused' | 'completed' | 'failed' | 'cancelled' | undefined;
      },
      options?: CallOptions,
    ): List<LeadProcess>;
    /** Reads the progress of a discovery and the results of each source. */
    read(input: { id: number }, options?: CallOptions): Promise<LeadProcessStatus>;
    /**
     * Pauses a discovery; what was found stays.
     *
     * Takes effect within the current page of work. The same state again changes nothing; a process that has ended is 400 `PROCESS_NOT_ACTIVE`.
     */
    pause(input: { id: number }, options?: CallOptions): Promise<LeadProcess>;
    /**
     * Resumes a paused discovery where it stood.
     *
     * Takes effect within the current page of work. The same state again changes nothing; a process that has ended is 400 `PROCESS_NOT_ACTIVE`.
     */
    resume(input: { id: number }, options?: CallOptions): Promise<LeadProcess>;
    /**
     * Cancels a discovery for good; what was found stays.
     *
     * Takes effect within the current page of work. The same state again changes nothing; a process that has ended is 400 `PROCESS_NOT_ACTIVE`.
     */
    cancel(input: { id: number }, options?: CallOptions): Promise<LeadProcess>;
  };
  /** People who can be written to; also whole files of them. */
  leadImports: {
    /**
     * Imports a CSV file of leads; a job, which `GET /v1/leads/import/:id` tells of.
     *
     * The body is the file itself (`text/csv`, settings in the query) or JSON with the file in `csv`. At most 10 MB and 100,000 rows; UTF-8, UTF-16 or Windows-1252, or the `charset` of the `Content-Type` (`text/csv; charset=windows-1250`); commas, semicolons, tabs or pipes. The columns are found by the usual headers of many languages, or named by `mapping`, which then lists every column that is read; custom fields by their name or label, or as `custom.name` in `mapping`. Each row needs an e-mail address, a telephone number or a profile URL. A row without a company stands under the domain of its address; with a private address under the person in a list, else under no company.
     */
    create(
      input: {
        fileName?: string | undefined;
        source?: string | undefined;
        delimiter?: 'comma' | 'semicolon' | 'tab' | 'pipe' | undefined;
        leadListId?: number | undefined;
        /** JSON: `{"personEmail": "E-mail address", ...}` */
        mapping?: string | undefined;
        body:
          | {
              fileName?: string | undefined;
              source?: string | undefined;
              delimiter?: 'comma' | 'semicolon' | 'tab' | 'pipe' | undefined;
              csv: string;
              leadListId?: number | undefined;
              mapping?: LeadFileMapping | undefined;
            }
          | string
          | Uint8Array;
        contentType?:
          | 'text/csv'
          | 'text/tab-separated-values'
          | 'text/plain'
          | 'application/csv'
          | 'application/vnd.ms-excel'
          | undefined;
      },
      options?: CallOptions,
    ): Promise<LeadImport>;
    /** Lists the imports of lead files, newest first. */
    list(
      input?: {
        page?: number | undefined;
        limit?: number | undefined;
        status?: 'processing' | 'completed' | 'failed' | 'cancelled' | undefined;
      },
      options?: CallOptions,
    ): List<LeadImport>;
    /** Reads the progress of a lead file import. */
    read(input: { id: number }, options?: CallOptions): Promise<LeadImport>;
    /**
     * The rows that failed as a CSV file: row, column, problem and the row as it was.
     *
     * What was corrected in it can be imported again as it is.
     */
    exportErrors(input: { id: number }, options?: CallOptions): Promise<string>;
    /**
     * Stops an import; what was imported stays.
     *
     * Cancelling again changes nothing; an import that has ended is `INVALID_STATE`.
     */
    cancel(input: { id: number }, options?: CallOptions): Promise<LeadImport>;
  };
  /** People who can be written to; also whole files of them. */
  leads: {
    /**
     * All leads as a CSV file, with the filters of `GET /v1/leads`.
     *
     * UTF-8 with a byte order mark, commas, one row per lead, the oldest first. A cell that a spreadsheet would take for a formula has an apostrophe in front; telephone numbers have none. Custom fields come last, as `custom.name`.
     */
    export(
      input?: {
        search?: string | undefined;
        status?:
          | 'pending'
          | 'active'
          | 'contacted'
          | 'replied'
          | 'completed'
          | 'bounced'
          | 'unsubscribed'
          | 'suppressed'
          | undefined;
        emailValid?: 'true' | 'false' | undefined;
        minValidationScore?: number | undefined;
        hasEmail?: 'true' | 'false' | undefined;
        companyId?: number | undefined;
        /** Leads with these values of custom fields alone: `custom.industry=Bakery`, or `custom[industry]=Bakery`; numbers and dates also with `custom.employees.min` and `custom.employees.max`. */
        custom?: Record<string, string> | undefined;
        format?: 'csv' | undefined;
        leadListId?: number | undefined;
      },
      options?: CallOptions,
    ): Promise<string>;
    /**
     * Adds people under a company, or a single person.
     *
     * Finds or creates the company by its name, in `leadListId`, else among companies without a list, which are then assigned to it; companies of other lists stay there. Within the company each person is found by e-mail, profile, phone with a name, or name, else created: a person may be a lead of several companies. What is missing of a found one is filled in, nothing is overwritten; `kept` names what differs. All or nothing. A single person (`personFirstName`, ...) may name an existing company by `companyId`.
     */
    create(
      input: {
        body:
          | {
              company_name: string;
              leadListId?: number | null | undefined;
              source?: string | null | undefined;
              people: {
                firstName: string;
                lastName: string;
                role?: string | null | undefined;
                timezone?: string | null | undefined;
                email?: string | null | undefined;
                phone?: string | null | undefined;
                social_profile_url?: string | null | undefined;
                /** Custom fields by name: `{"industry": "Bakery"}`. Days are `2026-03-01`. */
                custom?: Record<string, string | number | boolean | null> | undefined;
              }[];
            }
          | {
              personFirstName: string;
              personLastName: string;
              personRole?: string | null | undefined;
              personTimezone?: string | null | undefined;
              personEmail?: string | null | undefined;
              personPhone?: string | null | undefined;
              socialProfileUrl?: string | null | undefined;
              /** Custom fields by name: `{"industry": "Bakery"}`. Days are `2026-03-01`. */
              custom?: Record<string, string | number | boolean | null> | undefined;
              companyId?: number | null | undefined;
              source?: string | null | undefined;
              /** Not accepted with this shape */
              leadListId?: undefined;
            };
      },
      options?: CallOptions,
    ): Promise<AddedLeads>;
    /**
     * Lists leads: all of them, or in pages.
     *
     * Without `page`, `limit` and `cursor` the answer has all leads. Pages have `meta.pagination.nextCursor`: the next page by `cursor` neither skips nor repeats a lead when others come or go, and is as fast at the end as at the start.
     */
    list(
      input?: {
        page?: number | undefined;
        limit?: number | undefined;
        /** `meta.pagination.nextCursor` of the page before */
        cursor?: string | undefined;
        search?: string | undefined;
        sort?: 'createdAt' | 'name' | undefined;
        order?: 'asc' | 'desc' | undefined;
        status?:
          | 'pending'
          | 'active'
          | 'contacted'
          | 'replied'
          | 'completed'
          | 'bounced'
          | 'unsubscribed'
          | 'suppressed'
          | undefined;
        emailValid?: 'true' | 'false' | undefined;
        minValidationScore?: number | undefined;
        hasEmail?: 'true' | 'false' | undefined;
        companyId?: number | undefined;
        /** Leads with these values of custom fields alone: `custom.industry=Bakery`, or `custom[industry]=Bakery`; numbers and dates also with `custom.employees.min` and `custom.employees.max`. */
        custom?: Record<string, string> | undefined;
        leadListId?: number | undefined;
      },
      options?: CallOptions,
    ): List<Lead>;
    /**
     * Deletes many leads.
     *
     * Ids that are no leads of the account are listed in `missingIds`.
     */
    deleteMany(
      input: { body: { ids: number[] } },
      options?: CallOptions,
    ): Promise<{ deletedLeads: number; missingIds: number[] }>;
    /**
     * Moves leads to a list, with their companies.
     *
     * A lead is in the list of its company. So the companies of the given leads move, and all their leads with them; `movedLeads` counts these. Leads without a company stay, in `withoutCompanyIds`, and so do companies that the list has already, in `knownCompanies`.
     */
    move(
      input: { body: { ids: number[]; leadListId: number } },
      options?: CallOptions,
    ): Promise<{
      leadListId: number;
      movedCompanies: number;
      movedLeads: number;
      knownCompanies: { companyId: number; existingCompanyId: number }[];
      withoutCompanyIds: number[];
      missingIds: number[];
    }>;
    /** Reads a lead and where each of its fields came from. */
    read(input: { id: number }, options?: CallOptions): Promise<LeadWithProvenance>;
    /**
     * Changes a lead; null clears a field.
     *
     * A new e-mail address has no validation result. One of e-mail, phone and profile has to stay. An address that another lead has is `LEAD_EXISTS`.
     */
    update(
      input: {
        id: number;
        body?:
          | {
              personFirstName?: string | undefined;
              personLastName?: string | undefined;
              personRole?: string | null | undefined;
              personTimezone?: string | null | undefined;
              personEmail?: string | null | undefined;
              personPhone?: string | null | undefined;
              socialProfileUrl?: string | null | undefined;
              companyId?: number | null | undefined;
              /** Custom fields by name; null takes one away, those that are not given stay. */
              custom?: Record<string, string | number | boolean | null> | undefined;
            }
          | undefined;
      },
      options?: CallOptions,
    ): Promise<LeadWithProvenance>;
    /** Deletes a lead. */
    delete(input: { id: number }, options?: CallOptions): Promise<{ id: number }>;
    /**
     * Erases the person of a lead, for good.
     *
     * Deletes the lead and everything else that speaks of the person: failed rows of imports, found and bought contacts, validations, suppressions. What stays are hashes of the address, the number and the profile, by which every later import leaves the person out.
     */
    erase(input: { id: number }, options?: CallOptions): Promise<Erasure>;
  };
  /** Groups of companies, and of the leads in them. */
  leadLists: {
    /**
     * The leads of a list as a CSV file.
     *
     * UTF-8 with a byte order mark, commas, one row per lead, the oldest first. A cell that a spreadsheet would take for a formula has an apostrophe in front; telephone numbers have none. Custom fields come last, as `custom.name`.
     */
    export(
      input: {
        id: number;
        search?: string | undefined;
        status?:
          | 'pending'
          | 'active'
          | 'contacted'
          | 'replied'
          | 'completed'
          | 'bounced'
          | 'unsubscribed'
          | 'suppressed'
          | undefined;
        emailValid?: 'true' | 'false' | undefined;
        minValidationScore?: number | undefined;
        hasEmail?: 'true' | 'false' | undefined;
        companyId?: number | undefined;
        /** Leads with these values of custom fields alone: `custom.industry=Bakery`, or `custom[industry]=Bakery`; numbers and dates also with `custom.employees.min` and `custom.employees.max`. */
        custom?: Record<string, string> | undefined;
        format?: 'csv' | undefined;
      },
      options?: CallOptions,
    ): Promise<string>;
    /** Creates a lead list. */
    create(
      input: { body: { name: string; description?: string | null | undefined } },
      options?: CallOptions,
    ): Promise<LeadList>;
    /** Lists the lead lists. */
    list(
      input?: { page?: number | undefined; limit?: number | undefined },
      options?: CallOptions,
    ): List<LeadList>;
    /** Reads a lead list. */
    read(input: { id: number }, options?: CallOptions): Promise<LeadList>;
    /** Changes a lead list. */
    update(
      input: {
        id: number;
        body?: { name?: string | undefined; description?: string | null | undefined } | undefined;
      },
      options?: CallOptions,
    ): Promise<LeadList>;
    /**
     * Deletes a lead list, its companies and the leads under them.
     *
     * For good, and all or nothing: none of it is in any answer any more, nor written to. The rows of a big list are removed in the background. A discovery or an import of a file that fills the list is cancelled and an import of places ends; a map run goes on without the list.
     */
    delete(
      input: { id: number },
      options?: CallOptions,
    ): Promise<{
      lead_list_id: number;
      deleted_companies: number;
      deleted_leads: number;
      message: string;
    }>;
    /** Lists the companies of a list. */
    listCompanies(
      input: {
        id: number;
        page?: number | undefined;
        limit?: number | undefined;
        /** `meta.pagination.nextCursor` of the page before */
        cursor?: string | undefined;
        search?: string | undefined;
        sort?: 'createdAt' | 'name' | undefined;
        order?: 'asc' | 'desc' | undefined;
      },
      options?: CallOptions,
    ): List<Company>;
    /** Lists the leads of a list. */
    listLeads(
      input: {
        id: number;
        page?: number | undefined;
        limit?: number | undefined;
        /** `meta.pagination.nextCursor` of the page before */
        cursor?: string | undefined;
        search?: string | undefined;
        sort?: 'createdAt' | 'name' | undefined;
        order?: 'asc' | 'desc' | undefined;
        status?:
          | 'pending'
          | 'active'
          | 'contacted'
          | 'replied'
          | 'completed'
          | 'bounced'
          | 'unsubscribed'
          | 'suppressed'
          | undefined;
        emailValid?: 'true' | 'false' | undefined;
        minValidationScore?: number | undefined;
        hasEmail?: 'true' | 'false' | undefined;
        companyId?: number | undefined;
        /** Leads with these values of custom fields alone: `custom.industry=Bakery`, or `custom[industry]=Bakery`; numbers and dates also with `custom.employees.min` and `custom.employees.max`. */
        custom?: Record<string, string> | undefined;
      },
      options?: CallOptions,
    ): List<Lead>;
  };
  /** People who can be written to; also whole files of them. */
  customFields: {
    /**
     * Defines a field of leads of your own.
     *
     * Leads then have its value in `custom`, templates as `{{custom.name}}`, files in a column of its name or label, lists of leads the filter `custom.name`. Name and type stay; another type is another field. An account has at most 50 (400 `TOO_MANY_CUSTOM_FIELDS`).
     */
    create(
      input: {
        body: {
          /** For programs and templates, `{{custom.name}}`; it stays. */
          name: string;
          /** For people, and a header of files; default: the name. */
          label?: string | undefined;
          /** It stays. */
          type: 'text' | 'number' | 'date' | 'boolean' | 'url';
          /** What a text may be, in any case; null: anything. */
          choices?: string[] | null | undefined;
        };
      },
      options?: CallOptions,
    ): Promise<CustomField>;
    /** Lists the custom fields of leads, the oldest first. */
    list(input?: Record<string, never>, options?: CallOptions): Promise<CustomField[]>;
    /** Reads a custom field. */
    read(input: { id: number }, options?: CallOptions): Promise<CustomField>;
    /**
     * Changes the label or the choices of a custom field.
     *
     * Values of before stay, also those that are no choice any more; new ones have to be one.
     */
    update(
      input: {
        id: number;
        body: {
          label?: string | undefined;
          /** What a text may be, in any case; null: anything. */
          choices?: string[] | null | undefined;
        };
      },
      options?: CallOptions,
    ): Promise<CustomField>;
    /**
     * Deletes a custom field, and its values in all leads.
     *
     * For good: with the answer it is in no lead, file or filter any more, and its name is free; what there is of values is removed in the background. While an active or paused campaign has it in a text: 400 `CUSTOM_FIELD_IN_USE`. Drafts that have it cannot be started.
     */
    delete(input: { id: number }, options?: CallOptions): Promise<{ id: number }>;
  };
  /** Whom leads work for. */
  companies: {
    /** Lists the companies. */
    list(
      input?: {
        page?: number | undefined;
        limit?: number | undefined;
        /** `meta.pagination.nextCursor` of the page before */
        cursor?: string | undefined;
        search?: string | undefined;
        sort?: 'createdAt' | 'name' | undefined;
        order?: 'asc' | 'desc' | undefined;
        leadListId?: number | undefined;
      },
      options?: CallOptions,
    ): List<Company>;
    /** Reads a company and where each of its fields came from. */
    read(input: { id: number }, options?: CallOptions): Promise<CompanyWithProvenance>;
    /**
     * Changes a company; null clears a field.
     *
     * The domain follows the website. `leadListId` moves the company and its leads to another list, null takes them out of theirs.
     */
    update(
      input: {
        id: number;
        body?:
          | {
              name?: string | undefined;
              website?: string | null | undefined;
              phone?: string | null | undefined;
              address?: string | null | undefined;
              city?: string | null | undefined;
              state?: string | null | undefined;
              countryCode?: string | null | undefined;
              category?: string | null | undefined;
              leadListId?: number | null | undefined;
            }
          | undefined;
      },
      options?: CallOptions,
    ): Promise<CompanyWithProvenance>;
    /** Deletes a company and its leads. */
    delete(
      input: { id: number },
      options?: CallOptions,
    ): Promise<{ id: number; deletedLeads: number }>;
  };
  /** Who is never written to, and the erasure of a person. */
  suppressions: {
    /**
     * Suppresses an address or a domain, or up to 1,000 of them.
     *
     * With `email` or `domain`, or many as `entries`. A domain counts for all domains below it. Leads that are concerned become `suppressed`, unless they have bounced or unsubscribed. What is suppressed already stays as it is and is answered. Where domains of a request have more than 1,000 leads together, these get their status in the background (`openLeads`); nobody of them is written to meanwhile.
     */
    create(
      input?: {
        body?:
          | {
              email?: string | undefined;
              domain?: string | undefined;
              reason?: 'unsubscribe' | 'bounce' | 'complaint' | 'manual' | undefined;
              note?: string | null | undefined;
              entries?: NewSuppression[] | undefined;
            }
          | undefined;
      },
      options?: CallOptions,
    ): Promise<
      | {
          id: number;
          kind: 'email' | 'domain';
          value: string;
          reason: 'unsubscribe' | 'bounce' | 'complaint' | 'manual' | 'erasure';
          note: string | null;
          /** Leads of the domain whose status does not say it yet: those of a large domain get theirs in the background. 0: all say it; null: not counted yet. The suppression holds for all of them from the beginning. */
          openLeads: number | null;
          createdAt: string;
          suppressedLeads: number;
        }
      | {
          created: number;
          existing: number;
          /** Addresses of erased people, which are not stored */
          erased: number;
          suppressedLeads: number;
          suppressions: Suppression[];
        }
    >;
    /** Lists suppressions, newest first. */
    list(
      input?: {
        page?: number | undefined;
        limit?: number | undefined;
        /** `meta.pagination.nextCursor` of the page before */
        cursor?: string | undefined;
        kind?: 'email' | 'domain' | undefined;
        reason?: 'unsubscribe' | 'bounce' | 'complaint' | 'manual' | 'erasure' | undefined;
        search?: string | undefined;
      },
      options?: CallOptions,
    ): List<Suppression>;
    /**
     * Lists suppressions that were removed, newest first: when, by whom, and who asked for it.
     *
     * Those of people who were erased since are not among them.
     */
    listLifted(
      input?: {
        page?: number | undefined;
        limit?: number | undefined;
        kind?: 'email' | 'domain' | undefined;
        reason?: 'unsubscribe' | 'bounce' | 'complaint' | 'manual' | 'erasure' | undefined;
        search?: string | undefined;
      },
      options?: CallOptions,
    ): List<LiftedSuppression>;
    /** Checks for up to 1,000 addresses whether they may be written to. */
    check(
      input: { body: { emails: string[] } },
      options?: CallOptions,
    ): Promise<
      {
        email: string;
        isSuppressed: boolean;
        reason: 'unsubscribe' | 'bounce' | 'complaint' | 'manual' | 'erasure' | null;
        suppressionId: number | null;
      }[]
    >;
    /** Reads a suppression. */
    read(input: { id: number }, options?: CallOptions): Promise<Suppression>;
    /**
     * Removes a suppression.
     *
     * Leads that nothing else suppresses are again what they were: `suppressed` ones, and what the reason has stopped (`bounced`, `unsubscribed`). Campaigns that had left them out for it go on. One with the reason `unsubscribe` or `complaint` needs a `note` that says who asked for it, which is kept (`GET /v1/suppressions/lifted`): 400 `VALIDATION_ERROR` without. Of a domain that more than 1,000 leads have they follow in the background: `openLeads` are still to come, and `liftedLeads` of the record grows. One with the reason `erasure` cannot be removed: `INVALID_STATE`.
     */
    delete(
      input: {
        id: number;
        /** Who asked for it, and when. */
        note?: string | undefined;
      },
      options?: CallOptions,
    ): Promise<{
      id: number;
      liftedLeads: number;
      /** Leads of the domain whose status does not say it yet: those of a large domain get theirs in the background. 0: all say it; null: not counted yet. The suppression holds for all of them from the beginning. */
      openLeads: number | null;
    }>;
  };
  /** Who is never written to, and the erasure of a person. */
  erasures: {
    /**
     * Erases the person with an e-mail address, telephone number or profile, for good.
     *
     * Deletes the lead and everything else that speaks of the person: failed rows of imports, found and bought contacts, validations, suppressions. What stays are hashes of the address, the number and the profile, by which every later import leaves the person out. Exactly one of the three. Also for somebody who is in no list yet. A number that people of several names have is refused: `AMBIGUOUS_PERSON`.
     */
    create(
      input?: {
        body?:
          | {
              email?: string | null | undefined;
              phone?: string | null | undefined;
              socialProfileUrl?: string | null | undefined;
            }
          | undefined;
      },
      options?: CallOptions,
    ): Promise<Erasure>;
  };
  /** Searches of a map that turn businesses into leads. */
  mapsRuns: {
    /**
     * Searches the map for businesses.
     *
     * Runs by itself: poll `GET /v1/maps-scraper/runs/{id}` every 5 to 15 seconds while the status is `queued`, `running` or `enriching`. One of `searchStringsArray`, `startUrls`, `placeIds` is required. Without `locationQuery` the map shows at most about 120 places per search.
     */
    create(
      input: {
        body: {
          searchStringsArray?: string[] | undefined;
          startUrls?: string[] | undefined;
          placeIds?: string[] | undefined;
          locationQuery?: string | undefined;
          countryCode?: string | undefined;
          language?: string | undefined;
          maxCrawledPlacesPerSearch?: number | undefined;
          website?: 'allPlaces' | 'withWebsite' | 'withoutWebsite' | undefined;
          placeMinimumStars?: number | undefined;
          categoryFilterWords?: string[] | undefined;
          skipClosedPlaces?: boolean | undefined;
          scrapeContacts?: boolean | undefined;
          verifyEmails?: boolean | undefined;
          leadListId?: number | undefined;
        };
      },
      options?: CallOptions,
    ): Promise<MapsRun>;
    /** Lists the runs, newest first. */
    list(
      input?: {
        page?: number | undefined;
        limit?: number | undefined;
        status?:
          'queued' | 'running' | 'enriching' | 'completed' | 'failed' | 'cancelled' | undefined;
        leadListId?: number | undefined;
      },
      options?: CallOptions,
    ): List<MapsRun>;
    /** Reads a run with its counters. */
    read(input: { id: number }, options?: CallOptions): Promise<MapsRun>;
    /** Deletes a run with its places; leads that were made of them stay. */
    delete(
      input: { id: number },
      options?: CallOptions,
    ): Promise<{ id: number; deletedItems: number }>;
    /**
     * Lists a run's places with what was found on their websites.
     *
     * `status` tells of the visit to the website and `reason` why it brought nothing; `bestContact` says whom an import would take and why, `import` what the last one did.
     */
    listItems(
      input: {
        id: number;
        page?: number | undefined;
        limit?: number | undefined;
        status?: 'pending' | 'enriching' | 'enriched' | 'failed' | 'skipped' | undefined;
        importStatus?: 'imported' | 'skipped' | undefined;
      },
      options?: CallOptions,
    ): List<MapsItem>;
    /**
     * Visits the websites of the places and collects contacts.
     *
     * A completed run becomes `enriching`; one that is still searched keeps its status and is enriched afterwards. Without `force` only places without results are visited. A failed or cancelled run is 400 `INVALID_STATE`.
     */
    enrich(
      input: { id: number; body?: { force?: boolean | undefined } | undefined },
      options?: CallOptions,
    ): Promise<MapsEnrichment>;
    /**
     * Makes leads of a run's places.
     *
     * Takes `limit` places in the order in which they were saved. Repeated with the same options for the same list, it goes on behind those that it has handled (`remainingItems` are left), so that a run of any size is imported by repeating it; while it goes on, a repeat waits for it. When all are handled, it begins with the first again, finds what is there (`foundLeads`, `foundCompanies`) and changes nothing. `maxLeadsPerCompany` counts over all parts. With other options, or with `startOver`, it begins with the first place. A second list gets companies and leads of its own. Each contact of a place counts as imported or found, each place without one as skipped. The answer waits up to 25 seconds; of a slower import it tells what is done so far (`status` is `running`), and the import goes on by itself. Why an item was skipped stands in `GET /v1/maps-scraper/runs/{id}/items`. Addresses without a score are validated first, unless `minValidationScore` is 0. `includePhoneOnly` wins over `requireEmail`.
     */
    importToLeadList(
      input: {
        id: number;
        body?:
          | {
              leadListId?: number | undefined;
              requireEmail?: boolean | undefined;
              includePhoneOnly?: boolean | undefined;
              includeGenericEmails?: boolean | undefined;
              minValidationScore?: number | undefined;
              maxLeadsPerCompany?: number | undefined;
              limit?: number | undefined;
              /** Begins with the first place, also where an earlier import has handled it. */
              startOver?: boolean | undefined;
            }
          | undefined;
      },
      options?: CallOptions,
    ): Promise<MapsImport>;
    /** Stops a run; places that were saved stay. */
    cancel(input: { id: number }, options?: CallOptions): Promise<MapsRun>;
  };
  /** Map searches, discoveries and placement tests on days of your choice. */
  schedules: {
    /**
     * Repeats a maps search, a discovery or a placement test on days of your choice.
     *
     * Each run orders what `POST /v1/maps-scraper/runs` (`mapsRun`), `POST /v1/leads/process` (`leadProcess`) or `POST /v1/placement/tests` (`placementTest`) would. It runs at `times.time` on days that are among `weekdays` and `daysOfMonth`; an empty list stands for every day. A time that a change of clocks leaves out is left out, one that it repeats may run twice. A run is skipped while the one before is still at work. An account has at most 100 schedules (400 `TOO_MANY_SCHEDULES`). A key needs the scope of what is ordered, too: `maps:write`, `discovery:write` or `placement:write`.
     */
    create(
      input: {
        body: {
          name: string;
          /** As in `POST /v1/maps-scraper/runs`. */
          mapsRun?:
            | {
                searchStringsArray?: string[] | undefined;
                startUrls?: string[] | undefined;
                placeIds?: string[] | undefined;
                locationQuery?: string | undefined;
                countryCode?: string | undefined;
                language?: string | undefined;
                maxCrawledPlacesPerSearch?: number | undefined;
                website?: 'allPlaces' | 'withWebsite' | 'withoutWebsite' | undefined;
                placeMinimumStars?: number | undefined;
                categoryFilterWords?: string[] | undefined;
                skipClosedPlaces?: boolean | undefined;
                scrapeContacts?: boolean | undefined;
                verifyEmails?: boolean | undefined;
                leadListId?: number | undefined;
              }
            | undefined;
          /** As in `POST /v1/leads/process`, but that without `leadListId` all runs fill one list, which the first one makes. */
          leadProcess?:
            | {
                searchTerm: string;
                leadCount?: number | undefined;
                adReachedCountries?: string[] | undefined;
                leadListId?: number | undefined;
              }
            | undefined;
          /** As in `POST /v1/placement/tests`; without a mailbox each run takes the next one. */
          placementTest?:
            | {
                campaignId: number;
                /** 0 is the first message. */
                step?: number | undefined;
                /** 0 is the own text of the step. Default: the one that the lead would get. */
                variant?: number | undefined;
                /** Whose fields it has. Default: the campaign’s first lead, else a made-up person. */
                leadId?: number | undefined;
                /** Sends it. Default: the mailbox of the campaign that was tested longest ago. */
                mailboxId?: number | undefined;
                /** Default: all seeds of the account. */
                seedIds?: number[] | undefined;
                /** The verdict is `bad` when fewer land in the inbox. */
                minInboxPercent?: number | undefined;
                /** A bad verdict pauses the campaign, with `pauseReason: bad_placement`. */
                holdOnBadPlacement?: boolean | undefined;
              }
            | undefined;
          /** A maps run saves only places that no earlier run of this schedule has seen. */
          onlyNewPlaces?: boolean | undefined;
          times: {
            timeZone?: string | undefined;
            /** In that time zone. */
            time: string;
            weekdays?:
              | (
                  'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday'
                )[]
              | undefined;
            daysOfMonth?: number[] | undefined;
          };
          paused?: boolean | undefined;
        };
      },
      options?: CallOptions,
    ): Promise<Schedule>;
    /** Lists the schedules, newest first. */
    list(
      input?: { page?: number | undefined; limit?: number | undefined },
      options?: CallOptions,
    ): List<Schedule>;
    /** Reads a schedule with its next runs. */
    read(input: { id: number }, options?: CallOptions): Promise<ScheduleView>;
    /**
     * Changes, pauses or resumes a schedule.
     *
     * What is given replaces what was there, an order as a whole, `times` field by field; the kind stays. A run that is at work goes on as it was ordered. A key needs the scope of what is ordered, too: `maps:write`, `discovery:write` or `placement:write`. To pause it, `schedules:write` is enough.
     */
    update(
      input: {
        id: number;
        body: {
          name?: string | undefined;
          mapsRun?:
            | {
                searchStringsArray?: string[] | undefined;
                startUrls?: string[] | undefined;
                placeIds?: string[] | undefined;
                locationQuery?: string | undefined;
                countryCode?: string | undefined;
                language?: string | undefined;
                maxCrawledPlacesPerSearch?: number | undefined;
                website?: 'allPlaces' | 'withWebsite' | 'withoutWebsite' | undefined;
                placeMinimumStars?: number | undefined;
                categoryFilterWords?: string[] | undefined;
                skipClosedPlaces?: boolean | undefined;
                scrapeContacts?: boolean | undefined;
                verifyEmails?: boolean | undefined;
                leadListId?: number | undefined;
              }
            | undefined;
          leadProcess?:
            | {
                searchTerm: string;
                leadCount?: number | undefined;
                adReachedCountries?: string[] | undefined;
                leadListId?: number | undefined;
              }
            | undefined;
          placementTest?:
            | {
                campaignId: number;
                /** 0 is the first message. */
                step?: number | undefined;
                /** 0 is the own text of the step. Default: the one that the lead would get. */
                variant?: number | undefined;
                /** Whose fields it has. Default: the campaign’s first lead, else a made-up person. */
                leadId?: number | undefined;
                /** Sends it. Default: the mailbox of the campaign that was tested longest ago. */
                mailboxId?: number | undefined;
                /** Default: all seeds of the account. */
                seedIds?: number[] | undefined;
                /** The verdict is `bad` when fewer land in the inbox. */
                minInboxPercent?: number | undefined;
                /** A bad verdict pauses the campaign, with `pauseReason: bad_placement`. */
                holdOnBadPlacement?: boolean | undefined;
              }
            | undefined;
          onlyNewPlaces?: boolean | undefined;
          /** What is left out stays as it is. */
          times?:
            | {
                timeZone?: string | undefined;
                /** In that time zone. */
                time?: string | undefined;
                weekdays?:
                  | (
                      | 'monday'
                      | 'tuesday'
                      | 'wednesday'
                      | 'thursday'
                      | 'friday'
                      | 'saturday'
                      | 'sunday'
                    )[]
                  | undefined;
                daysOfMonth?: number[] | undefined;
              }
            | undefined;
          paused?: boolean | undefined;
        };
      },
      options?: CallOptions,
    ): Promise<Schedule>;
    /** Deletes a schedule; what its runs have found stays. */
    delete(input: { id: number }, options?: CallOptions): Promise<{ id: number }>;
    /**
     * Runs a schedule now, also while it is paused.
     *
     * While its last run is at work: 400 `INVALID_STATE`. A key needs the scope of what is ordered, too: `maps:write`, `discovery:write` or `placement:write`.
     */
    run(input: { id: number }, options?: CallOptions): Promise<ScheduleRun>;
    /** Lists the runs of a schedule with what was new, newest first. */
    listRuns(
      input: { id: number; page?: number | undefined; limit?: number | undefined },
      options?: CallOptions,
    ): List<ScheduleRun>;
  };
  /** Whether an address exists, singly and in bulk. */
  emailValidations: {
    /**
     * Validates an address.
     *
     * Score: valid 95, catch-all 60, unknown 40, disposable 10, invalid 0; 15 less for addresses of a function (`info@`). `isValid`: a score of at least 70. Greylisting and refusals that are not about the mailbox are `unknown`, never `invalid`. Waits up to 25 s; slower than that the status is `pending`, and asking again answers. Results are kept: 30 days where the mailbox is known to exist or not, 7 days for risky ones, an hour or less for unknown ones.
     */
    check(input: { body: { email: string } }, options?: CallOptions): Promise<EmailCheck>;
    /**
     * Validates up to 1,000 addresses; a job, which `GET /v1/email-validation/bulk/:id` tells of.
     *
     * With `leadListId`, leads of that list that have one of the addresses are updated.
     */
    create(
      input: { body: { emails: string[]; leadListId?: number | undefined } },
      options?: CallOptions,
    ): Promise<EmailValidation>;
    /** Lists the jobs, newest first. */
    list(
      input?: {
        page?: number | undefined;
        limit?: number | undefined;
        status?: 'processing' | 'completed' | 'failed' | 'cancelled' | undefined;
        leadListId?: number | undefined;
      },
      options?: CallOptions,
    ): List<EmailValidation>;
    /** Reads the progress of a job. */
    read(input: { id: number }, options?: CallOptions): Promise<EmailValidation>;
    /**
     * Lists the results of a job in the order in which the addresses were given.
     *
     * What is not checked yet is `pending`; a greylisted address is tried again later.
     */
    listResults(
      input: {
        id: number;
        page?: number | undefined;
        limit?: number | undefined;
        status?: 'valid' | 'risky' | 'invalid' | 'unknown' | 'pending' | undefined;
      },
      options?: CallOptions,
    ): List<EmailValidationResult>;
    /**
     * Stops a job; existing results stay.
     *
     * Cancelling again changes nothing; a job that has ended is `INVALID_STATE`.
     */
    cancel(input: { id: number }, options?: CallOptions): Promise<EmailValidation>;
    /**
     * Validates the addresses of all leads of a list, as a job.
     *
     * Sets `validationScore` and `emailValid` of the leads.
     */
    createOfLeadList(
      input: { leadListId: number },
      options?: CallOptions,
    ): Promise<EmailValidation>;
  };
  /** Sequences of messages to leads: times, texts, progress, results. */
  campaigns: {
    /**
     * Creates a campaign as a draft.
     *
     * Templates are text, or HTML where they hold tags; the other part is made from it. Variables, each with an optional fallback (`{{firstName|there}}`):
     *
     * - `{{firstName}}`: First name of the lead
     * - `{{lastName}}`: Last name of the lead
     * - `{{company}}`: Name of the company
     * - `{{fullName}}`: First and last name
     * - `{{email}}`: Address of the lead
     * - `{{role}}`: Job title of the lead
     * - `{{companyDomain}}`: Domain of the company
     * - `{{website}}`: Website of the company
     * - `{{city}}`: City of the company
     * - `{{country}}`: Country of the company, in English
     * - `{{senderName}}`: The account's `senderName`
     * - `{{senderEmail}}`: Address of the mailbox that sends
     * - `{{unsubscribeUrl}}`: Where the recipient unsubscribes
     * - `{{signature}}`: Signature of the mailbox, which else stands under the text
     * - `{{custom.name}}`: A custom field of the lead; numbers and days as the campaign's `language` writes them
     *
     * Without a fallback an empty value leaves no gap ("Hi," instead of "Hi ,"). `{Hi|Hello|Hey}` takes one of the options, at any depth and the same at every attempt. Anything else in double braces is 400 `VALIDATION_ERROR`, naming it. The sender's name, the postal address and the unsubscribe link are added to every message; with `{{unsubscribeUrl}}` the link stands where you put it.
     *
     * Windows: `endTime` before `startTime` is a window over midnight, which belongs to the day on which it starts; no message leaves at a time that reads outside of the window, clock changes included. Follow-ups go out from the same mailbox. `steps` are their texts, in `order`; without a `subjectTemplate` one answers in the thread (`Re:`), with one it begins a thread of its own. Where `maxFollowups` is more than there are `steps`, short built-in reminders follow; where it is not given, it is the number of `steps`. `variants` (A/B) are sent in turns beside the text they stand with. The leads of `leadListIds` are enrolled at once, and again at the start; `skippedReasons` counts who cannot be written to.
     *
     * Mailboxes that are not yours are 400 `MAILBOX_NOT_FOUND`, naming them.
     */
    create(
      input: {
        body: {
          name: string;
          subjectTemplate: string;
          bodyTemplate: string;
          variants?: { subjectTemplate?: string | undefined; bodyTemplate: string }[] | undefined;
          timezone?: string | undefined;
          activeDays?: ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun')[] | undefined;
          startTime?: string | undefined;
          endTime?: string | undefined;
          assignedMailboxes?: (string | number)[] | undefined;
          leadListIds?: number[] | undefined;
          /** Default: as many as `steps` has follow-ups, 0 without any. */
          maxFollowups?: number | undefined;
          followupDelayDays?: number | undefined;
          steps?:
            | {
                order: number;
                /** Default: `followupDelayDays` of the campaign, whatever that becomes. */
                delayDays?: number | undefined;
                subjectTemplate?: string | undefined;
                bodyTemplate: string;
                variants?:
                  { subjectTemplate?: string | undefined; bodyTemplate: string }[] | undefined;
              }[]
            | undefined;
          trackOpens?: boolean | undefined;
          trackClicks?: boolean | undefined;
          /** Sends text/plain alone: what HTML says becomes text, and `trackOpens` and `trackClicks`, which need HTML, are refused. */
          textOnly?: boolean | undefined;
          /** Of the footer and the page that ends the mails: en, de, fr, es, it, pt, nl, pl, sv, da, nb, fi, cs, hu, ro, tr, el, ru, uk, ja, zh, zh-Hant, ar, he; of built-in reminders: en, de, fr, es, it, pt, nl, pl. English for others. Null, the default: that in which the first message is written. */
          language?: string | null | undefined;
          /** Addresses with a lower score, or none, are held; null: no address is. */
          minValidationScore?: number | null | undefined;
          /** Whether addresses of each kind are written to. A held lead waits until the verdict or this changes. Invalid addresses are never written to. */
          riskyAddresses?:
            | {
                catchAll?: 'allow' | 'hold' | undefined;
                unknown?: 'allow' | 'hold' | undefined;
                role?: 'allow' | 'hold' | undefined;
              }
            | undefined;
          /** Leads who get their first message on one day, midnight to midnight in `timezone`; follow-ups are not counted. Null: as many as the mailboxes may send. */
          maxNewLeadsPerDay?: number | null | undefined;
          /** Per cent of the messages that the mailboxes of the campaign may send a day which may be first ones, rounded down, but at least one while above 0. Follow-ups go before and may use all. 0: no new leads; null: no share. With `maxNewLeadsPerDay` the smaller number holds. */
          newLeadShare?: number | null | undefined;
          /** A tracking domain of the account: the links of new messages are on it while it is `active`, and on the installation’s own name else. Null: always on that. */
          trackingDomainId?: number | null | undefined;
          /** Whether days and times are those of the recipient: of the `personTimezone` of the lead, else of the state or country of their company. Where neither tells, they are those of `timezone`. */
          useRecipientTimezone?: boolean | undefined;
          /** Leaves out leads to whom, at whatever address, or to whose address the account has ever sent a message of any campaign (`contacted_before`): when they are added, and again before their first message. */
          onlyNeverContacted?: boolean | undefined;
          /** Makes it a subsequence: a lead whose answer to another campaign means one of `interest` enters it by itself, once, and is written to from the mailbox and in the thread of the answer where that mailbox is one of `assignedMailboxes`. A correction before then moves or cancels it. Null: leads enter by hand alone. */
          startsOn?:
            | {
                /** Answers to this campaign; null, the default: to any other one of the account. */
                campaignId?: number | null | undefined;
                interest: (
                  | 'interested'
                  | 'meeting'
                  | 'question'
                  | 'not_now'
                  | 'not_interested'
                  | 'wrong_person'
                )[];
                /** Days of sending after the answer has come. */
                afterDays: number;
              }
            | null
            | undefined;
          /** Finds the best among the texts of each step that has `variants` while the campaign sends; from then on it alone is used (`winners`, `campaign.variant_won`). Given anew, it tests the steps again of which `winners` says `variant: null`. Null, the default: nothing is decided. */
          autoWinner?:
            | {
                /** `interested`: answers whose `interest` is `interested` or `meeting`. */
                metric?: 'replied' | 'interested' | undefined;
                /** Messages of each text, before they are compared for the first time. */
                minSends?: number | undefined;
                /** 1 less this bounds how often a text wins that is not the best, in all looks together. */
                confidence?: number | undefined;
                /** Days of sending after which a message counts: it has to be answered. */
                afterDays?: number | undefined;
              }
            | null
            | undefined;
          /** When somebody answers, all others of their company (the `companyId` of the lead) are ended in this campaign (`company_replied`), and who is added later is left out. Automatic answers do not count. Switched on later it holds for answers of before, too; switched off, who was ended stays so. */
          stopCompanyOnReply?: boolean | undefined;
        };
      },
      options?: CallOptions,
    ): Promise<EnrolledCampaign>;
    /**
     * Lists the campaigns, newest first.
     *
     * Archived ones only with `archived=true`.
     */
    list(
      input?: {
        page?: number | undefined;
        limit?: number | undefined;
        search?: string | undefined;
        sort?: 'createdAt' | 'name' | undefined;
        order?: 'asc' | 'desc' | undefined;
        status?: 'draft' | 'active' | 'paused' | 'completed' | 'cancelled' | undefined;
        archived?: 'true' | 'false' | undefined;
      },
      options?: CallOptions,
    ): List<Campaign>;
    /** Reads a campaign. */
    read(input: { id: number }, options?: CallOptions): Promise<Campaign>;
    /**
     * Changes a campaign, also while it sends.
     *
     * Fields that are not given stay; lists (`assignedMailboxes`, `leadListIds`, `steps`, `variants`, `activeDays`) are replaced. Times and mailboxes take effect within seconds. Texts change for leads that have not had the message: what was sent or is already claimed keeps its text, and each new text is counted separately (`analytics/steps`). A follow-up that was sent cannot be removed, nor can its text be repeated at a later position (400 `INVALID_STATE`). A shorter sequence ends at once for leads that have had its last message, and a longer one does not bring them back; delays count from the previous message, also for leads that are already waiting. A mailbox that is removed finishes its threads; with none left, the campaign pauses (`no_mailbox`) while first messages are due. Leads stay when their list is removed. Of a cancelled campaign only `name` and `archived` can be changed. An active one cannot be archived, and starting or resuming an archived one takes it out of the archive.
     */
    update(
      input: {
        id: number;
        body?:
          | {
              name?: string | undefined;
              subjectTemplate?: string | undefined;
              bodyTemplate?: string | undefined;
              variants?:
                { subjectTemplate?: string | undefined; bodyTemplate: string }[] | undefined;
              timezone?: string | undefined;
              activeDays?: ('mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun')[] | undefined;
              startTime?: string | undefined;
              endTime?: string | undefined;
              assignedMailboxes?: (string | number)[] | undefined;
              leadListIds?: number[] | undefined;
              maxFollowups?: number | undefined;
              followupDelayDays?: number | undefined;
              steps?:
                | {
                    order: number;
                    /** Default: `followupDelayDays` of the campaign, whatever that becomes. */
                    delayDays?: number | undefined;
                    subjectTemplate?: string | undefined;
                    bodyTemplate: string;
                    variants?:
                      { subjectTemplate?: string | undefined; bodyTemplate: string }[] | undefined;
                  }[]
                | undefined;
              trackOpens?: boolean | undefined;
              trackClicks?: boolean | undefined;
              /** Sends text/plain alone: what HTML says becomes text, and `trackOpens` and `trackClicks`, which need HTML, are refused. */
              textOnly?: boolean | undefined;
              /** Of the footer and the page that ends the mails: en, de, fr, es, it, pt, nl, pl, sv, da, nb, fi, cs, hu, ro, tr, el, ru, uk, ja, zh, zh-Hant, ar, he; of built-in reminders: en, de, fr, es, it, pt, nl, pl. English for others. Null, the default: that in which the first message is written. */
              language?: string | null | undefined;
              /** Addresses with a lower score, or none, are held; null: no address is. */
              minValidationScore?: number | null | undefined;
              /** Whether addresses of each kind are written to. A held lead waits until the verdict or this changes. Invalid addresses are never written to. */
              riskyAddresses?:
                | {
                    catchAll?: 'allow' | 'hold' | undefined;
                    unknown?: 'allow' | 'hold' | undefined;
                    role?: 'allow' | 'hold' | undefined;
                  }
                | undefined;
              /** Leads who get their first message on one day, midnight to midnight in `timezone`; follow-ups are not counted. Null: as many as the mailboxes may send. */
              maxNewLeadsPerDay?: number | null | undefined;
              /** Per cent of the messages that the mailboxes of the campaign may send a day which may be first ones, rounded down, but at least one while above 0. Follow-ups go before and may use all. 0: no new leads; null: no share. With `maxNewLeadsPerDay` the smaller number holds. */
              newLeadShare?: number | null | undefined;
              /** A tracking domain of the account: the links of new messages are on it while it is `active`, and on the installation’s own name else. Null: always on that. */
              trackingDomainId?: number | null | undefined;
              /** Whether days and times are those of the recipient: of the `personTimezone` of the lead, else of the state or country of their company. Where neither tells, they are those of `timezone`. */
              useRecipientTimezone?: boolean | undefined;
              /** Leaves out leads to whom, at whatever address, or to whose address the account has ever sent a message of any campaign (`contacted_before`): when they are added, and again before their first message. */
              onlyNeverContacted?: boolean | undefined;
              /** Makes it a subsequence: a lead whose answer to another campaign means one of `interest` enters it by itself, once, and is written to from the mailbox and in the thread of the answer where that mailbox is one of `assignedMailboxes`. A correction before then moves or cancels it. Null: leads enter by hand alone. */
              startsOn?:
                | {
                    /** Answers to this campaign; null, the default: to any other one of the account. */
                    campaignId?: number | null | undefined;
                    interest: (
                      | 'interested'
                      | 'meeting'
                      | 'question'
                      | 'not_now'
                      | 'not_interested'
                      | 'wrong_person'
                    )[];
                    /** Days of sending after the answer has come. */
                    afterDays: number;
                  }
                | null
                | undefined;
              /** Finds the best among the texts of each step that has `variants` while the campaign sends; from then on it alone is used (`winners`, `campaign.variant_won`). Given anew, it tests the steps again of which `winners` says `variant: null`. Null, the default: nothing is decided. */
              autoWinner?:
                | {
                    /** `interested`: answers whose `interest` is `interested` or `meeting`. */
                    metric?: 'replied' | 'interested' | undefined;
                    /** Messages of each text, before they are compared for the first time. */
                    minSends?: number | undefined;
                    /** 1 less this bounds how often a text wins that is not the best, in all looks together. */
                    confidence?: number | undefined;
                    /** Days of sending after which a message counts: it has to be answered. */
                    afterDays?: number | undefined;
                  }
                | null
                | undefined;
              /** When somebody answers, all others of their company (the `companyId` of the lead) are ended in this campaign (`company_replied`), and who is added later is left out. Automatic answers do not count. Switched on later it holds for answers of before, too; switched off, who was ended stays so. */
              stopCompanyOnReply?: boolean | undefined;
              archived?: boolean | undefined;
              /** Chooses the text of a step that alone is used, or undoes it with `variant: null`; `autoWinner` then leaves the step alone until its texts change. Steps that are not named stay. */
              winners?:
                | {
                    /** 0 is the first message. */
                    step: number;
                    /** Its number in `analytics/steps`; null: all texts are used. */
                    variant: number | null;
                  }[]
                | undefined;
              /** Change it in one of these statuses alone; in any other: 400 `INVALID_STATE` */
              ifStatus?: ('draft' | 'active' | 'paused' | 'completed' | 'cancelled')[] | undefined;
            }
          | undefined;
      },
      options?: CallOptions,
    ): Promise<EnrolledCampaign>;
    /**
     * Deletes a campaign that does not send.
     *
     * An active or paused campaign is 400 `INVALID_STATE`: cancel it first. It is gone with the answer, however many leads it has. Links in messages that were sent go on working, and suppressions stay.
     */
    delete(input: { id: number }, options?: CallOptions): Promise<{ id: number }>;
    /**
     * Makes a draft with the same messages, times and mailboxes.
     *
     * Leads and lists are not copied.
     */
    duplicate(input: { id: number }, options?: CallOptions): Promise<Campaign>;
    /**
     * Starts a draft, or a completed campaign that has new leads.
     *
     * 400 `CAMPAIGN_NOT_READY` with `details[]` naming what is missing: `assignedMailboxes`, `leads`, a template, the account's `senderName` or `postalAddress`. An active campaign stays as it is.
     */
    start(input: { id: number }, options?: CallOptions): Promise<EnrolledCampaign>;
    /**
     * Pauses a campaign between two messages.
     *
     * Takes effect within seconds, never within a message. The same state again changes nothing; from any other state it is 400 `INVALID_STATE`.
     */
    pause(input: { id: number }, options?: CallOptions): Promise<Campaign>;
    /**
     * Resumes a paused campaign where it stood.
     *
     * Takes effect within seconds, never within a message. The same state again changes nothing; from any other state it is 400 `INVALID_STATE`.
     */
    resume(input: { id: number }, options?: CallOptions): Promise<Campaign>;
    /**
     * Cancels a campaign for good.
     *
     * Takes effect within seconds, never within a message. The same state again changes nothing; from any other state it is 400 `INVALID_STATE`.
     */
    cancel(input: { id: number }, options?: CallOptions): Promise<Campaign>;
    /**
     * Lists the leads that are to enter a campaign by their answers, and when.
     *
     * Those that `stats.pendingStarts` counts, the next one first; empty for a campaign without `startsOn`. `status` lists those instead who have entered it so, or whose start was cancelled, in the order of their ids. Whether a lead may be written to is decided when it is to enter. By `page`, or by `cursor`, which is as fast at the end as at the start.
     */
    listPendingStarts(
      input: {
        id: number;
        page?: number | undefined;
        limit?: number | undefined;
        status?: 'pending' | 'started' | 'cancelled' | undefined;
        /** `meta.pagination.nextCursor` of the page before */
        cursor?: string | undefined;
      },
      options?: CallOptions,
    ): List<PendingStart>;
    /** Checks what a start would be refused for, and lists warnings. */
    readPreflight(
      input: { id: number },
      options?: CallOptions,
    ): Promise<{
      ready: boolean;
      problems: { field: string; message: string }[];
      warnings: { field: string; message: string }[];
      leads: number;
      /** Those that can send. */
      mailboxes: number;
      /** Of the leads with messages to come, 10,000 at most. */
      addresses: {
        valid: number;
        catchAll: number;
        /** Such as full or disposable ones. */
        risky: number;
        unknown: number;
        /** Never written to. */
        invalid: number;
        unverified: number;
        /** Role addresses such as info@, whatever the verdict. */
        role: number;
        /** By `riskyAddresses` and `minValidationScore`. */
        held: number;
      };
      /** Of the leads who wait for their first message, 10,000 at most: those to whose address another campaign of the account has written. `onlyNeverContacted` leaves them out. */
      contactedBefore: number;
      /** Who gets a message with a gap, and where. It prevents no start. */
      missingValues: {
        /** Such as `firstName` or `custom.industry`. */
        variable: string;
        /** The texts that have it without a fallback. */
        fields: string[];
        /** How many of the first 10,000 leads have no value. */
        leads: number;
        /** The first of these leads. */
        examples: { id: number; name: string; email: string | null }[];
      }[];
    }>;
    /**
     * Shows all messages as a lead would get them.
     *
     * To the lead `leadId`, else to the first one of the campaign, else to a made-up person (`leadId: null`). `variant` shows that text of the messages which have it, `step` one message alone (0 is the first). `subject`, `text` and `html` are those of the first message that is shown. The unsubscribe link of a preview unsubscribes nobody.
     */
    preview(
      input: {
        id: number;
        body?:
          | {
              leadId?: number | undefined;
              /** 0 is the first message. */
              step?: number | undefined;
              /** 0 is the own text of the step. */
              variant?: number | undefined;
            }
          | undefined;
      },
      options?: CallOptions,
    ): Promise<{
      leadId: number | null;
      subject: string;
      text: string;
      /** Null for `textOnly`. */
      html: string | null;
      letters: {
        position: number;
        delayDays: number;
        variant: number;
        isAnswer: boolean;
        /** Variables without a fallback of which the lead has no value. */
        missing: string[];
        subject: string;
        text: string;
        /** Null for `textOnly`. */
        html: string | null;
      }[];
    }>;
    /**
     * Sends a message to an address of yours: the first one, or that of `step`.
     *
     * From one of the campaign’s mailboxes, with `[Test]` before the subject; it counts nowhere. `step` and `variant` choose as in a preview, and its unsubscribe link unsubscribes nobody. What the mail server says is answered: 400 `TEST_EMAIL_REFUSED`, or 502 when it cannot be reached. An address on the suppression list is 400 `RECIPIENT_SUPPRESSED`. Twenty an hour.
     */
    sendTestEmail(
      input: {
        id: number;
        body: {
          to: string;
          leadId?: number | undefined;
          /** 0 is the first message. */
          step?: number | undefined;
          /** 0 is the own text of the step. */
          variant?: number | undefined;
        };
      },
      options?: CallOptions,
    ): Promise<{ from: string; to: string; subject: string; reply: string }>;
    /** Tells whether a campaign sends now, and what each of its mailboxes waits for. */
    readSendingStatus(
      input: { id: number },
      options?: CallOptions,
    ): Promise<{
      status: 'draft' | 'active' | 'paused' | 'completed' | 'cancelled';
      pauseReason:
        | 'user'
        | 'bounce_rate'
        | 'complaint_rate'
        | 'no_mailbox'
        | 'dns_failing'
        | 'insufficient_data'
        | 'bad_placement'
        | null;
      warning: string | null;
      /** True at any time with `useRecipientTimezone`: somewhere it may be open. */
      windowOpen: boolean;
      /** Of the open window, or of the next one, in the zone of the campaign. */
      windowStartsAt: string;
      windowEndsAt: string;
      nextSendAt: string | null;
      leads: number;
      /** Leads who have not got the first message yet; 10,000 means 10,000 or more. */
      waiting: number;
      /** By `maxNewLeadsPerDay` and `newLeadShare`. */
      newLeads: {
        /** Leads whose first message went out today, or is on its way. */
        today: number;
        /** Of the day; null: none. */
        limit: number | null;
        /** When the next day of the campaign begins. */
        nextDayAt: string;
      };
      mailboxes: {
        mailboxId: number;
        email: string;
        sentLastDay: number;
        dailyLimit: number;
        sentLastHour: number;
        hourlyLimit: number;
        nextFreeAt: string;
        holdReason: string | null;
        failingReason: string | null;
        failingSince: string | null;
      }[];
    }>;
    /** Shows the results of a campaign. */
    readAnalytics(
      input: { id: number },
      options?: CallOptions,
    ): Promise<{
      /** Leads that are in it now. A deleted or removed one leaves this count, and stays in the others. */
      leads: number;
      /** Leads that are paused individually. */
      paused: number;
      /** Leads that were removed from it. */
      removed: number;
      /** Leads that were ended because somebody of their company has answered. */
      companyReplied: number;
      /** Leads that enter it later, by their answers (`startsOn`). */
      pendingStarts: number;
      /** Leads who got the first message, also those that were deleted since. */
      contacted: number;
      sent: number;
      failed: number;
      uncertain: number;
      /** By people, as far as it can be told. */
      opened: number;
      /** The same. */
      clicked: number;
      /** Fetched by a program: a security gateway, or mail loaded ahead. Counts nowhere else. */
      machineOpened: number;
      /** The same. */
      machineClicked: number;
      replied: number;
      autoReplied: number;
      bounced: number;
      /** Refused as spam or by a policy; refusals during the SMTP session are in `failed`, too. */
      rejected: number;
      unsubscribed: number;
      complained: number;
      /** Per cent of the contacted leads. */
      replyRate: number;
      /** Per cent of the messages that were sent. */
      bounceRate: number;
      openRate: number;
      clickRate: number;
      unsubscribeRate: number;
    }>;
    /**
     * Shows the results for each day (UTC) of a range.
     *
     * The last 30 days by default, 366 at most; both ends included.
     */
    readDailyAnalytics(
      input: { id: number; from?: string | undefined; to?: string | undefined },
      options?: CallOptions,
    ): Promise<
      {
        date: string;
        sent: number;
        failed: number;
        uncertain: number;
        /** By people, as far as it can be told. */
        opened: number;
        /** The same. */
        clicked: number;
        /** Fetched by a program: a security gateway, or mail loaded ahead. Counts nowhere else. */
        machineOpened: number;
        /** The same. */
        machineClicked: number;
        replied: number;
        autoReplied: number;
        bounced: number;
        /** Refused as spam or by a policy; refusals during the SMTP session are in `failed`, too. */
        rejected: number;
        unsubscribed: number;
        complained: number;
      }[]
    >;
    /**
     * Shows the results of each message of the sequence, and of each of its variants.
     *
     * Position 0 is the first message; variant 0 is the text that it stands with, the others follow it. A text that is changed after it was sent gets a number of its own, so that each number stands for one text for ever: `isCurrent` says which are sent now. What was sent of a longer sequence or of a text that is gone stays, so that the sums are those of the campaign. `winner` is the text that alone is sent (`autoWinner`), and `comparison` how sure it is which is best.
     */
    readStepAnalytics(
      input: { id: number },
      options?: CallOptions,
    ): Promise<
      {
        position: number;
        delayDays: number;
        subjectTemplate: string | null;
        sent: number;
        failed: number;
        uncertain: number;
        /** By people, as far as it can be told. */
        opened: number;
        /** The same. */
        clicked: number;
        /** Fetched by a program: a security gateway, or mail loaded ahead. Counts nowhere else. */
        machineOpened: number;
        /** The same. */
        machineClicked: number;
        replied: number;
        autoReplied: number;
        bounced: number;
        /** Refused as spam or by a policy; refusals during the SMTP session are in `failed`, too. */
        rejected: number;
        unsubscribed: number;
        complained: number;
        /** Which text alone is used. Null: nothing is decided. */
        winner: {
          variant: number | null;
          decidedBy: 'test' | 'user';
          decidedAt: string;
          /** What the test has decided by; null: it was chosen by hand. */
          figures: {
            metric: 'replied' | 'interested';
            confidence: number;
            texts: { variant: number; sent: number; successes: number }[];
          } | null;
        } | null;
        variants: {
          variant: number;
          isCurrent: boolean;
          /** Null: it is a reply in its thread, or is not stored any more. */
          subjectTemplate: string | null;
          /** Null: it is not stored any more. */
          bodyTemplate: string | null;
          sent: number;
          failed: number;
          uncertain: number;
          /** By people, as far as it can be told. */
          opened: number;
          /** The same. */
          clicked: number;
          /** Fetched by a program: a security gateway, or mail loaded ahead. Counts nowhere else. */
          machineOpened: number;
          /** The same. */
          machineClicked: number;
          replied: number;
          autoReplied: number;
          bounced: number;
          /** Refused as spam or by a policy; refusals during the SMTP session are in `failed`, too. */
          rejected: number;
          unsubscribed: number;
          complained: number;
          /** Messages with an answer that means `interested` or `meeting`. */
          interested: number;
          /** Null: a text that the step no longer has, or that stands alone. */
          comparison: {
            /** That of `autoWinner`, else `replied`. */
            metric: 'replied' | 'interested';
            /** Per cent of the messages that were sent. */
            rate: number;
            /** The true rate is between this and `high` with 95 %. */
            low: number;
            high: number;
            /** That it is the best of them, as it looks now; what wins is decided more strictly. */
            bestProbability: number;
          } | null;
        }[];
      }[]
    >;
    /**
     * The results of a campaign as a CSV file, one row per lead.
     *
     * What `GET /v1/campaigns/:id/leads` says of each lead, and what became of the messages to it: when they were sent (`sentAt`, one time per step), how many were opened, had a link followed and were answered, and what the server said that refused one (`refusal`). UTF-8 with a byte order mark, commas. A cell that a spreadsheet would take for a formula has an apostrophe in front.
     */
    export(
      input: { id: number; format?: 'csv' | undefined },
      options?: CallOptions,
    ): Promise<string>;
  };
  /** Sequences of messages to leads: times, texts, progress, results. */
  campaignLeads: {
    /**
     * Adds leads to a campaign, by their ids, as a whole list or by custom fields.
     *
     * With `custom` those leads of the list, or of the account, that have the values. A lead that is in it already, must not be written to, or has no usable address is skipped; `skippedReasons` counts them by reason, the first one that fits: `not_found`, `already_in_campaign`, `removed`, `erased`, `suppressed`, `no_email`, `invalid_email`, `duplicate_address`, `already_contacted`, `contacted_before`, `in_other_campaign`, `company_replied`. Leads that are added to a completed campaign are written to after the next start.
     */
    add(
      input: {
        id: number;
        body: {
          leadIds?: number[] | undefined;
          leadListId?: number | undefined;
          /** Leads with these values alone: `{"industry": "Bakery"}`; numbers and dates also with `employees.min` and `employees.max`. */
          custom?: Record<string, string | number | boolean> | undefined;
          skipIfInOtherCampaign?: boolean | undefined;
          /** Default: as the campaign has it. Of this request alone: before a message only the campaign’s holds. */
          onlyNeverContacted?: boolean | undefined;
        };
      },
      options?: CallOptions,
    ): Promise<{
      added: number;
      skipped: number;
      skippedReasons: {
        not_found?: number;
        already_in_campaign?: number;
        removed?: number;
        erased?: number;
        suppressed?: number;
        no_email?: number;
        invalid_email?: number;
        duplicate_address?: number;
        already_contacted?: number;
        contacted_before?: number;
        in_other_campaign?: number;
        company_replied?: number;
      };
      /** The first 100 of `duplicate_address`: which lead was left out, and which lead of the campaign has its address. */
      duplicates?: { leadId: number; recipientLeadId: number }[];
    }>;
    /**
     * Lists the leads of a campaign, each with when it is written to, or why not.
     *
     * By `page`, or by `cursor`, which is as fast at the end as at the start. Those who were never added are not among them: `skippedReasons` counts them, and each tells why by its own id.
     */
    list(
      input: {
        id: number;
        page?: number | undefined;
        limit?: number | undefined;
        status?:
          | 'queued'
          | 'in_progress'
          | 'completed'
          | 'replied'
          | 'bounced'
          | 'unsubscribed'
          | 'skipped'
          | 'paused'
          | 'failed'
          | 'removed'
          | undefined;
        /** `meta.pagination.nextCursor` of the page before */
        cursor?: string | undefined;
      },
      options?: CallOptions,
    ): List<CampaignLead>;
    /**
     * Tells why a lead is, or is not, written to, with all messages to it.
     *
     * One answer at every moment: `explanation` in a sentence, `holdReason` as a word, `nextSendAt` as the earliest moment of the next message, and each message with its state. `uncertain`: the connection broke while the message was sent; it is never sent twice. A lead that stands in a list of the campaign, or that may not be written to, and is not in the campaign, is `skipped` with what keeps it out now.
     */
    read(
      input: { id: number; leadId: number },
      options?: CallOptions,
    ): Promise<{
      leadId: number;
      personFirstName: string;
      personLastName: string;
      personEmail: string | null;
      companyName: string | null;
      status:
        | 'queued'
        | 'in_progress'
        | 'completed'
        | 'replied'
        | 'bounced'
        | 'unsubscribed'
        | 'skipped'
        | 'paused'
        | 'failed'
        | 'removed';
      /** Position of the next message; 0 is the first one. */
      step: number;
      /** Chosen with the first message; follow-ups stay with it. */
      mailboxId: number | null;
      /** Not before then; null: nothing is to come. */
      nextSendAt: string | null;
      holdReason:
        | 'campaign_not_started'
        | 'campaign_paused'
        | 'campaign_cancelled'
        | 'outside_window'
        | 'mailbox_limit'
        | 'recipient_domain_limit'
        | 'warming_up'
        | 'no_mailbox'
        | 'mailbox_failing'
        | 'soft_bounce'
        | 'auto_reply'
        | 'delivery_uncertain'
        | 'delivery_refused'
        | 'policy_rejection'
        | 'provider_rejects'
        | 'suppressed'
        | 'no_email'
        | 'invalid_email'
        | 'catch_all_address'
        | 'unknown_address'
        | 'role_address'
        | 'score_too_low'
        | 'template_failed'
        | 'complained'
        | 'erased'
        | 'in_other_campaign'
        | 'duplicate_address'
        | 'already_contacted'
        | 'not_added'
        | 'template_empty'
        | 'needs_review'
        | 'lead_paused'
        | 'removed'
        | 'new_lead_limit'
        | 'contacted_before'
        | 'undelivered'
        | 'company_replied'
        | null;
      /** Why the lead is, or is not, written to: one sentence. */
      explanation: string;
      /** Null: it was never added. */
      addedAt: string | null;
      updatedAt: string;
      sends: {
        id: number;
        step: number;
        variant: number;
        state: 'claimed' | 'sending' | 'sent' | 'deferred' | 'refused' | 'uncertain';
        subject: string;
        mailboxId: number;
        messageId: string;
        /** In the inbox (`GET /v1/inbox/threads/:id`); null until there is an answer. */
        threadId: number | null;
        attempts: number;
        smtpReply: string | null;
        claimedAt: string;
        sentAt: string | null;
        openedAt: string | null;
        clickedAt: string | null;
        /** By a program, as `machineOpened`. */
        machineOpenedAt: string | null;
        machineClickedAt: string | null;
        repliedAt: string | null;
        bouncedAt: string | null;
        /** As spam or by a policy. */
        rejectedAt: string | null;
        /** What the server said to it. */
        rejection: string | null;
        complainedAt: string | null;
        unsubscribedAt: string | null;
      }[];
    }>;
    /**
     * Removes a lead from a campaign for good.
     *
     * Nothing more is sent to the lead by this campaign; what was sent stays readable, and its answers still come in. Lists do not bring it back (`skippedReasons.removed`); adding it by its id does, and it goes on where it stood. The same state again changes nothing. A lead whose sequence has ended is 400 `INVALID_STATE`, and so is any lead of a cancelled campaign.
     */
    remove(input: { id: number; leadId: number }, options?: CallOptions): Promise<CampaignLead>;
    /**
     * Pauses many leads of a campaign.
     *
     * Nothing more is sent to the lead until it is resumed; a message that is being handed over is finished. Paused leads do not keep a campaign from completing. A lead in that state already is `unchanged`; `skippedReasons` counts `ended` sequences and leads that are `not_in_campaign`. Thousands are changed at a time, so a request that fails may have changed some; repeating it does the rest.
     */
    pauseMany(
      input: { id: number; body: { leadIds: number[] } },
      options?: CallOptions,
    ): Promise<{
      changed: number;
      unchanged: number;
      skipped: number;
      skippedReasons: { not_in_campaign?: number; ended?: number };
    }>;
    /**
     * Resumes many leads that were paused.
     *
     * The next message keeps its date, as after a pause of the whole campaign: where that has passed it is due at once. In a completed campaign it goes out after the next start. A lead in that state already is `unchanged`; `skippedReasons` counts `ended` sequences and leads that are `not_in_campaign`. Thousands are changed at a time, so a request that fails may have changed some; repeating it does the rest.
     */
    resumeMany(
      input: { id: number; body: { leadIds: number[] } },
      options?: CallOptions,
    ): Promise<{
      changed: number;
      unchanged: number;
      skipped: number;
      skippedReasons: { not_in_campaign?: number; ended?: number };
    }>;
    /**
     * Removes many leads from a campaign for good.
     *
     * Nothing more is sent to the lead by this campaign; what was sent stays readable, and its answers still come in. Lists do not bring it back (`skippedReasons.removed`); adding it by its id does, and it goes on where it stood. A lead in that state already is `unchanged`; `skippedReasons` counts `ended` sequences and leads that are `not_in_campaign`. Thousands are changed at a time, so a request that fails may have changed some; repeating it does the rest.
     */
    removeMany(
      input: { id: number; body: { leadIds: number[] } },
      options?: CallOptions,
    ): Promise<{
      changed: number;
      unchanged: number;
      skipped: number;
      skippedReasons: { not_in_campaign?: number; ended?: number };
    }>;
    /**
     * Pauses one lead of a campaign; the others go on.
     *
     * Nothing more is sent to the lead until it is resumed; a message that is being handed over is finished. Paused leads do not keep a campaign from completing. The same state again changes nothing. A lead whose sequence has ended is 400 `INVALID_STATE`, and so is any lead of a cancelled campaign.
     */
    pause(input: { id: number; leadId: number }, options?: CallOptions): Promise<CampaignLead>;
    /**
     * Resumes a lead that was paused.
     *
     * The next message keeps its date, as after a pause of the whole campaign: where that has passed it is due at once. In a completed campaign it goes out after the next start. The same state again changes nothing. A lead whose sequence has ended is 400 `INVALID_STATE`, and so is any lead of a cancelled campaign.
     */
    resume(input: { id: number; leadId: number }, options?: CallOptions): Promise<CampaignLead>;
  };
  /** What comes into all mailboxes, and answers to it. */
  inbox: {
    /**
     * Lists messages of all mailboxes, the last to arrive first.
     *
     * The order is that of arrival at the mailbox; `sent_at` is what a message says of itself. Received and sent messages that are neither archived nor snoozed, unless `view` or `direction` says otherwise. Without filters `total` is exact at any size. With filters it is exact up to 10,000, with `to` or a `search` up to 1,000, or among the last 1,000 messages where these have many that fit; beyond that `totalIsCapped` is set, while `hasNext` is always exact. Pages by `cursor` cost the same however far they reach, and count nothing.
     */
    list(
      input?: {
        page?: number | undefined;
        limit?: number | undefined;
        /** `pagination.nextCursor` of the page before */
        cursor?: string | undefined;
        view?: 'inbox' | 'archived' | 'snoozed' | 'scheduled' | 'all' | undefined;
        mailboxId?: number | undefined;
        campaignId?: number | undefined;
        leadId?: number | undefined;
        isRead?: boolean | undefined;
        /** What an answer means. */
        interest?:
          | 'interested'
          | 'meeting'
          | 'question'
          | 'not_now'
          | 'not_interested'
          | 'wrong_person'
          | undefined;
        threadId?: number | undefined;
        direction?: 'inbound' | 'outbound' | undefined;
        kind?:
          | 'message'
          | 'reply'
          | 'auto_reply'
          | 'bounce'
          | 'complaint'
          | 'unsubscribe_request'
          | 'needs_review'
          | undefined;
        label?: string | undefined;
        /** An address, or a domain as `@acme.com`. */
        from?: string | undefined;
        /** The same for recipients. */
        to?: string | undefined;
        /** Arrived at or after. */
        since?: string | undefined;
        /** Words in subject, text and addresses; quotes, `or` and `-without` work. */
        search?: string | undefined;
      },
      options?: CallOptions,
    ): List<InboxMessage>;
    /**
     * Counts unread messages in the inbox.
     *
     * Archived and snoozed messages do not count.
     */
    countUnread(input?: Record<string, never>, options?: CallOptions): Promise<{ unread: number }>;
    /** Lists the labels in use. */
    listLabels(
      input?: Record<string, never>,
      options?: CallOptions,
    ): Promise<{ label: string; letters: number }[]>;
    /**
     * Lists the sync state of the mailboxes.
     *
     * One that fails is tried again by itself. `login_refused`: the host does not take its password. `host_unreachable`: the host does not answer. `unreadable`: it answers what cannot be read. The event `mailbox.health_changed` with the aspect `sync` tells the same.
     */
    readSync(
      input?: {
        page?: number | undefined;
        limit?: number | undefined;
        mailboxId?: number | undefined;
      },
      options?: CallOptions,
    ): List<InboxSync>;
    /**
     * Reads all mailboxes, or one, now.
     *
     * New messages come by themselves within seconds; this is for mailboxes that are looked at less often, or that fail. `asked_at` of `GET /v1/inbox/sync` is null again when it was done.
     */
    sync(
      input?: { body?: { mailboxId?: number | undefined } | undefined },
      options?: CallOptions,
    ): Promise<{
      /** How many are read now. */
      mailboxes: number;
    }>;
    /**
     * Lists threads, the most recently written first.
     *
     * `isRead=false`: threads with unread messages. `total` is exact up to 10,000; from there on it stays 10,000 and `totalIsCapped` is set.
     */
    listThreads(
      input?: {
        page?: number | undefined;
        limit?: number | undefined;
        /** `pagination.nextCursor` of the page before */
        cursor?: string | undefined;
        mailboxId?: number | undefined;
        campaignId?: number | undefined;
        leadId?: number | undefined;
        isRead?: boolean | undefined;
        /** What an answer means. */
        interest?:
          | 'interested'
          | 'meeting'
          | 'question'
          | 'not_now'
          | 'not_interested'
          | 'wrong_person'
          | undefined;
      },
      options?: CallOptions,
    ): List<InboxThread>;
    /** Reads a thread with its messages, oldest first. */
    readThread(
      input: { id: number; page?: number | undefined; limit?: number | undefined },
      options?: CallOptions,
    ): List<InboxLetter>;
    /**
     * Reads a whole message.
     *
     * Reading it here does not mark it as read.
     */
    read(input: { id: number }, options?: CallOptions): Promise<InboxLetter>;
    /**
     * Marks, labels, archives or snoozes a message, or says what it is.
     *
     * Fields that are left out stay. `labels` replaces them all. A message with `snoozedUntil` comes back within a minute of that time; null brings it back now. What is read here is soon read in mail programs as well. `kind` decides about a message that is `needs_review`, which is automatic by its headers but not by its words: then all is as if it had been classified so on arrival, and the sequence, held until then, ends or goes on. A `complaint` suppresses the recipient of our message; a report that proves no message of ours (`campaignId` is null) names nobody that can be suppressed: use `POST /v1/suppressions`. For any other message it answers 400 `INVALID_STATE`, unless it is of that kind. `interest` corrects what the answer of a person means, null that it is none of these; a correction is never judged again. For what is no `reply` it answers 400 `INVALID_STATE`. `sendAt` moves a reply or forward that is `scheduled`, null sends it now; 400 `INVALID_STATE` once it leaves.
     */
    update(
      input: {
        id: number;
        body?:
          | {
              is_read?: boolean | undefined;
              labels?: string[] | undefined;
              archived?: boolean | undefined;
              snoozedUntil?: string | null | undefined;
              sendAt?: string | null | undefined;
              kind?:
                | 'reply'
                | 'auto_reply'
                | 'unsubscribe_request'
                | 'complaint'
                | 'message'
                | undefined;
              interest?:
                | 'interested'
                | 'meeting'
                | 'question'
                | 'not_now'
                | 'not_interested'
                | 'wrong_person'
                | null
                | undefined;
            }
          | undefined;
      },
      options?: CallOptions,
    ): Promise<InboxLetter>;
    /**
     * Marks messages as read, or as unread.
     *
     * Ids of no message of yours are left out of the answer.
     */
    markRead(
      input: { body: { ids: number[]; is_read?: boolean | undefined } },
      options?: CallOptions,
    ): Promise<{ ids: number[]; is_read: boolean }>;
    /**
     * Replies to a message from the same mailbox, in its thread.
     *
     * Goes to the message’s `Reply-To` or sender. Waits up to 10 seconds; `delivery.state` says how it went: `sent`, `failed` with the reason, `uncertain` when it may have arrived (it is not sent again), or `queued` and `sending` while it is being tried for about a quarter of an hour. A copy goes into the Sent folder. With `sendAt` it waits for that time, at most 60 days ahead, and the answer says `scheduled` at once: `PATCH /v1/inbox/:id {sendAt}` moves it, `POST /v1/inbox/:id/cancel` takes it back, `GET /v1/inbox?view=scheduled` lists all. It is `cancelled` where a recipient was suppressed meanwhile. So it is with `cancelOnReply`, where somebody has written in the thread meanwhile; automatic and doubtful answers do not count.
     */
    reply(
      input: {
        id: number;
        body: {
          body: string;
          bodyHtml?: string | undefined;
          cc?: string[] | undefined;
          attachments?:
            | {
                filename: string;
                contentType?: string | undefined;
                /** base64 */
                content: string;
              }[]
            | undefined;
          sendAt?: string | undefined;
          cancelOnReply?: boolean | undefined;
        };
      },
      options?: CallOptions,
    ): Promise<InboxLetter>;
    /**
     * Forwards a message with its files.
     *
     * Waits up to 10 seconds; `delivery.state` says how it went: `sent`, `failed` with the reason, `uncertain` when it may have arrived (it is not sent again), or `queued` and `sending` while it is being tried for about a quarter of an hour. A copy goes into the Sent folder. With `sendAt` it waits for that time, at most 60 days ahead, and the answer says `scheduled` at once: `PATCH /v1/inbox/:id {sendAt}` moves it, `POST /v1/inbox/:id/cancel` takes it back, `GET /v1/inbox?view=scheduled` lists all. It is `cancelled` where a recipient was suppressed meanwhile.
     */
    forward(
      input: {
        id: number;
        body: { to: string; body?: string | undefined; sendAt?: string | undefined };
      },
      options?: CallOptions,
    ): Promise<InboxLetter>;
    /**
     * Takes back a reply or forward before it leaves.
     *
     * The message stays in the inbox as `cancelled`. One that is cancelled already is answered as it is; any other that is not `scheduled` is 400 `INVALID_STATE`.
     */
    cancel(input: { id: number }, options?: CallOptions): Promise<InboxLetter>;
    /**
     * Streams a file of a message from its mailbox.
     *
     * Always as a download of `application/octet-stream`; the type that the sender gave it stands in the message. At most 50 MB.
     */
    downloadAttachment(
      input: { id: number; attachmentId: number },
      options?: CallOptions,
    ): Promise<Uint8Array>;
  };
  /** Mail between mailboxes that earns a new one its reputation. */
  warmup: {
    /**
     * Lists all mailboxes with their warm-up.
     *
     * A mailbox that was never enrolled is `inactive` with the default settings.
     */
    list(
      input?: {
        page?: number | undefined;
        limit?: number | undefined;
        status?:
          'inactive' | 'warming' | 'active' | 'paused' | 'throttled' | 'quarantined' | undefined;
      },
      options?: CallOptions,
    ): List<Warmup>;
    /**
     * Starts, pauses, resumes or stops the warm-up of many mailboxes.
     *
     * Each mailbox on its own, with its own result.
     */
    actOnMany(
      input: { body: { mailboxIds: number[]; action: 'start' | 'pause' | 'resume' | 'stop' } },
      options?: CallOptions,
    ): Promise<
      {
        mailboxId: number;
        ok: boolean;
        status: 'inactive' | 'warming' | 'active' | 'paused' | 'throttled' | 'quarantined' | null;
        error: { code: string; message: string } | null;
      }[]
    >;
    /** Reads the state of a mailbox’s warm-up. */
    read(input: { id: number }, options?: CallOptions): Promise<Warmup>;
    /** Changes the settings of a warm-up, from its next day on. */
    update(
      input: {
        id: number;
        body?:
          | {
              startVolume?: number | undefined;
              dailyIncrease?: number | undefined;
              maxVolume?: number | undefined;
              replyRate?: number | undefined;
              weekdaysOnly?: boolean | undefined;
            }
          | undefined;
      },
      options?: CallOptions,
    ): Promise<Warmup>;
    /**
     * Counts the messages of a warm-up, in total and by day.
     *
     * Days are UTC; without `from` and `to` the last 30 are shown, each in `days` and summed up beside them. `inbox` and `spam` tell where messages of this mailbox were found, the inbox in seed mailboxes alone; `savedFromSpam` which of them partners took out of spam, `received` counts messages of partners. `healthScore` looks at the last seven days, that of a day at the day; null: nothing is known.
     */
    readStats(
      input: { id: number; from?: string | undefined; to?: string | undefined },
      options?: CallOptions,
    ): Promise<WarmupStats>;
    /**
     * Enrols a mailbox in warm-up, from its first day.
     *
     * The same state again changes nothing; what is illegal in the present state is 400 `INVALID_STATE`.
     */
    start(input: { id: number }, options?: CallOptions): Promise<Warmup>;
    /**
     * Pauses a warm-up; nothing is sent until it is resumed.
     *
     * The same state again changes nothing; what is illegal in the present state is 400 `INVALID_STATE`.
     */
    pause(input: { id: number }, options?: CallOptions): Promise<Warmup>;
    /**
     * Resumes a paused warm-up on the day where it stood.
     *
     * The same state again changes nothing; what is illegal in the present state is 400 `INVALID_STATE`.
     */
    resume(input: { id: number }, options?: CallOptions): Promise<Warmup>;
    /**
     * Takes a mailbox out of warm-up; cold mail is no longer held back.
     *
     * The same state again changes nothing; what is illegal in the present state is 400 `INVALID_STATE`.
     */
    stop(input: { id: number }, options?: CallOptions): Promise<Warmup>;
  };
  /** Seed mailboxes of yours, and where a campaign’s message lands in them. */
  placementSeeds: {
    /**
     * Adds a mailbox of yours in which placement tests look where their message landed.
     *
     * A mailbox that you have at a provider, read by IMAP with TLS at a public address. The first test logs in (`status`). The password is stored sealed and never shown again. An account has at most 30.
     */
    create(
      input: {
        body: {
          /** Where tests write to. */
          address: string;
          /** Results are told by it. All but `other` know their IMAP server. */
          provider: 'google' | 'microsoft' | 'yahoo' | 'icloud' | 'zoho' | 'fastmail' | 'other';
          /** Mostly an app password. Never shown again. */
          password: string;
          /** Default: the address. */
          username?: string | undefined;
          /** Default: the server of the provider. */
          imap?:
            | {
                host: string;
                port: 993 | 143;
                /** `tls` from the first byte, the default on 465 and 993; else by STARTTLS. */
                tls?: 'tls' | 'starttls' | undefined;
              }
            | undefined;
        };
      },
      options?: CallOptions,
    ): Promise<PlacementSeed>;
    /** Lists the seed mailboxes, oldest first. */
    list(
      input?: { page?: number | undefined; limit?: number | undefined },
      options?: CallOptions,
    ): List<PlacementSeed>;
    /** Reads a seed mailbox. */
    read(input: { id: number }, options?: CallOptions): Promise<PlacementSeed>;
    /**
     * Changes how a seed mailbox is logged in to, or its provider; what is left out stays.
     *
     * Another host, port, TLS or `username` comes with the `password`: the stored one goes nowhere else.
     */
    update(
      input: {
        id: number;
        body: {
          /** Results are told by it. All but `other` know their IMAP server. */
          provider?:
            'google' | 'microsoft' | 'yahoo' | 'icloud' | 'zoho' | 'fastmail' | 'other' | undefined;
          password?: string | undefined;
          username?: string | undefined;
          imap?:
            | {
                host: string;
                port: 993 | 143;
                /** `tls` from the first byte, the default on 465 and 993; else by STARTTLS. */
                tls?: 'tls' | 'starttls' | undefined;
              }
            | undefined;
        };
      },
      options?: CallOptions,
    ): Promise<PlacementSeed>;
    /** Forgets a seed mailbox with its password; tests keep what they have found in it. */
    delete(input: { id: number }, options?: CallOptions): Promise<{ id: number }>;
  };
  /** Seed mailboxes of yours, and where a campaign’s message lands in them. */
  placementTests: {
    /**
     * Sends a campaign’s message to seed mailboxes and tells where it landed, by provider.
     *
     * Answers at once; `GET /v1/placement/tests/:id` tells the rest within ten minutes, and the event `placement_test.completed` that it is there. The message is the campaign’s own, with the fields of a lead, links, tracking and headers as it would be sent; no lead is used up. It goes out once to each seed, at once, and each counts toward the daily limit of its mailbox. Inbox and spam are seen by IMAP; tabs within the inbox, such as promotions, are not.
     */
    create(
      input: {
        body: {
          campaignId: number;
          /** 0 is the first message. */
          step?: number | undefined;
          /** 0 is the own text of the step. Default: the one that the lead would get. */
          variant?: number | undefined;
          /** Whose fields it has. Default: the campaign’s first lead, else a made-up person. */
          leadId?: number | undefined;
          /** Sends it. Default: the mailbox of the campaign that was tested longest ago. */
          mailboxId?: number | undefined;
          /** Default: all seeds of the account. */
          seedIds?: number[] | undefined;
          /** The verdict is `bad` when fewer land in the inbox. */
          minInboxPercent?: number | undefined;
          /** A bad verdict pauses the campaign, with `pauseReason: bad_placement`. */
          holdOnBadPlacement?: boolean | undefined;
        };
      },
      options?: CallOptions,
    ): Promise<PlacementTest>;
    /** Lists the placement tests, newest first. */
    list(
      input?: {
        page?: number | undefined;
        limit?: number | undefined;
        status?: 'processing' | 'completed' | 'failed' | 'cancelled' | undefined;
      },
      options?: CallOptions,
    ): List<PlacementTest>;
    /** Reads a placement test: where its message landed so far. */
    read(input: { id: number }, options?: CallOptions): Promise<PlacementTest>;
    /**
     * Stops a placement test; messages that are sent stay sent.
     *
     * Cancelling again changes nothing; a test that has ended is `INVALID_STATE`. It has no verdict.
     */
    cancel(input: { id: number }, options?: CallOptions): Promise<PlacementTest>;
  };
  /** Events, and the endpoints that they are posted to. */
  webhooks: {
    /**
     * Creates an endpoint that receives events from now on.
     *
     * Each event is posted as `{id, type, createdAt, resource, data}` with the header `X-Outreach-Signature: t=<seconds>,v1=<hex>`, an HMAC-SHA-256 of `<t>.<body>` with the `secret` of this answer, and those of Standard Webhooks (`webhook-id`, `webhook-timestamp`, `webhook-signature`), whose libraries take the same secret. A 2xx within 15 s takes it; else it is tried again after 30 s, doubling up to an hour, for three days. At least once, with the same `id`, in order per `resource`. Redirects are not followed; private addresses are refused. An endpoint that takes nothing for five days, or answers 410, is disabled (`webhook.disabled`). A key needs `inbox:read` for `includeContent: true`, too.
     */
    create(
      input: {
        body: {
          url: string;
          events: (
            | '*'
            | 'lead_process.completed'
            | 'lead_process.failed'
            | 'maps_run.completed'
            | 'maps_run.failed'
            | 'cluster.active'
            | 'cluster.failed'
            | 'cluster.sending_held'
            | 'cluster.sending_resumed'
            | 'cluster.disk_filling'
            | 'mailbox.connected'
            | 'mailbox.connection_failed'
            | 'mailbox.created'
            | 'mailbox.health_changed'
            | 'campaign.started'
            | 'campaign.paused'
            | 'campaign.completed'
            | 'campaign.variant_won'
            | 'placement_test.completed'
            | 'email.sent'
            | 'email.opened'
            | 'email.clicked'
            | 'email.bounced'
            | 'email.rejected'
            | 'email.replied'
            | 'email.auto_replied'
            | 'email.unsubscribed'
            | 'email.complained'
            | 'suppression.lifted'
            | 'message.received'
            | 'message.interest_changed'
            | 'domain.expiring'
            | 'domain.order_rejected'
            | 'domain.dns_failing'
            | 'domain.alignment_failing'
            | 'tracking_domain.active'
            | 'tracking_domain.failing'
            | 'sending.paused'
            | 'wallet.credited'
            | 'wallet.low_balance'
            | 'wallet.auto_recharge_stopped'
            | 'api_key.rotated'
            | 'webhook.disabled'
          )[];
          description?: string | null | undefined;
          /** Whether `data` of `message.received` has `from`, `fromName`, `subject` and `snippet` as well */
          includeContent?: boolean | undefined;
        };
      },
      options?: CallOptions,
    ): Promise<{
      id: number;
      url: string;
      /** Event types; `*` is all of them */
      events: string[];
      description: string | null;
      isActive: boolean;
      /** The first failed attempt since the last success; null while deliveries succeed */
      failingSince: string | null;
      /** When the service set `isActive` to false; null when it did not */
      disabledAt: string | null;
      /** `gone`: it answered 410. `failing`: it took nothing for days */
      disabledReason: 'gone' | 'failing' | null;
      /** `message.received` tells sender, subject and snippet as well */
      includeContent: boolean;
      /** Until then the secret from before the rotation signs as well */
      previousSecretExpiresAt: string | null;
      createdAt: string;
      updatedAt: string;
      /** Shown this once */
      secret: string;
    }>;
    /** Lists endpoints, newest first. */
    list(
      input?: { page?: number | undefined; limit?: number | undefined },
      options?: CallOptions,
    ): List<Webhook>;
    /** Lists the types of events. */
    listEventTypes(
      input?: Record<string, never>,
      options?: CallOptions,
    ): Promise<
      (
        | 'lead_process.completed'
        | 'lead_process.failed'
        | 'maps_run.completed'
        | 'maps_run.failed'
        | 'cluster.active'
        | 'cluster.failed'
        | 'cluster.sending_held'
        | 'cluster.sending_resumed'
        | 'cluster.disk_filling'
        | 'mailbox.connected'
        | 'mailbox.connection_failed'
        | 'mailbox.created'
        | 'mailbox.health_changed'
        | 'campaign.started'
        | 'campaign.paused'
        | 'campaign.completed'
        | 'campaign.variant_won'
        | 'placement_test.completed'
        | 'email.sent'
        | 'email.opened'
        | 'email.clicked'
        | 'email.bounced'
        | 'email.rejected'
        | 'email.replied'
        | 'email.auto_replied'
        | 'email.unsubscribed'
        | 'email.complained'
        | 'suppression.lifted'
        | 'message.received'
        | 'message.interest_changed'
        | 'domain.expiring'
        | 'domain.order_rejected'
        | 'domain.dns_failing'
        | 'domain.alignment_failing'
        | 'tracking_domain.active'
        | 'tracking_domain.failing'
        | 'sending.paused'
        | 'wallet.credited'
        | 'wallet.low_balance'
        | 'wallet.auto_recharge_stopped'
        | 'api_key.rotated'
        | 'webhook.disabled'
      )[]
    >;
    /** Lists the deliveries to an endpoint, newest first. */
    listDeliveries(
      input: {
        id: number;
        page?: number | undefined;
        limit?: number | undefined;
        state?: 'pending' | 'delivered' | 'failed' | undefined;
      },
      options?: CallOptions,
    ): List<WebhookDelivery>;
    /**
     * Queues a delivery again, whatever became of it.
     *
     * It is tried at once and has the whole time for retries before it. While an earlier event of its resource waits, it waits behind that one.
     */
    redeliver(
      input: { id: number; deliveryId: number },
      options?: CallOptions,
    ): Promise<WebhookDelivery>;
    /** Reads an endpoint. */
    read(input: { id: number }, options?: CallOptions): Promise<Webhook>;
    /**
     * Changes an endpoint.
     *
     * While `isActive` is false nothing is posted and no event is noted for it; what was noted before goes out when it is active again. `isActive: true` enables one that was disabled. A key needs `inbox:read` to set `includeContent`, and to change the `url` of an endpoint that has it, or to give that one `message.received`, too.
     */
    update(
      input: {
        id: number;
        body?:
          | {
              url?: string | undefined;
              events?:
                | (
                    | '*'
                    | 'lead_process.completed'
                    | 'lead_process.failed'
                    | 'maps_run.completed'
                    | 'maps_run.failed'
                    | 'cluster.active'
                    | 'cluster.failed'
                    | 'cluster.sending_held'
                    | 'cluster.sending_resumed'
                    | 'cluster.disk_filling'
                    | 'mailbox.connected'
                    | 'mailbox.connection_failed'
                    | 'mailbox.created'
                    | 'mailbox.health_changed'
                    | 'campaign.started'
                    | 'campaign.paused'
                    | 'campaign.completed'
                    | 'campaign.variant_won'
                    | 'placement_test.completed'
                    | 'email.sent'
                    | 'email.opened'
                    | 'email.clicked'
                    | 'email.bounced'
                    | 'email.rejected'
                    | 'email.replied'
                    | 'email.auto_replied'
                    | 'email.unsubscribed'
                    | 'email.complained'
                    | 'suppression.lifted'
                    | 'message.received'
                    | 'message.interest_changed'
                    | 'domain.expiring'
                    | 'domain.order_rejected'
                    | 'domain.dns_failing'
                    | 'domain.alignment_failing'
                    | 'tracking_domain.active'
                    | 'tracking_domain.failing'
                    | 'sending.paused'
                    | 'wallet.credited'
                    | 'wallet.low_balance'
                    | 'wallet.auto_recharge_stopped'
                    | 'api_key.rotated'
                    | 'webhook.disabled'
                  )[]
                | undefined;
              description?: string | null | undefined;
              isActive?: boolean | undefined;
              /** Whether `data` of `message.received` has `from`, `fromName`, `subject` and `snippet` as well */
              includeContent?: boolean | undefined;
            }
          | undefined;
      },
      options?: CallOptions,
    ): Promise<Webhook>;
    /** Removes an endpoint, with what was still to be delivered. */
    delete(input: { id: number }, options?: CallOptions): Promise<{ id: number }>;
    /** Posts a signed `webhook.test` to an endpoint at once and returns its answer. */
    test(
      input: { id: number },
      options?: CallOptions,
    ): Promise<{
      eventId: string;
      delivered: boolean;
      status: number | null;
      error: string | null;
      durationMs: number;
    }>;
    /**
     * Gives an endpoint a new secret; the previous one signs as well for 24 hours.
     *
     * Meanwhile the headers have two signatures: `t=…,v1=…,v1=…`, the new one first.
     */
    rotateSecret(
      input: { id: number },
      options?: CallOptions,
    ): Promise<{
      id: number;
      url: string;
      /** Event types; `*` is all of them */
      events: string[];
      description: string | null;
      isActive: boolean;
      /** The first failed attempt since the last success; null while deliveries succeed */
      failingSince: string | null;
      /** When the service set `isActive` to false; null when it did not */
      disabledAt: string | null;
      /** `gone`: it answered 410. `failing`: it took nothing for days */
      disabledReason: 'gone' | 'failing' | null;
      /** `message.received` tells sender, subject and snippet as well */
      includeContent: boolean;
      /** Until then the secret from before the rotation signs as well */
      previousSecretExpiresAt: string | null;
      createdAt: string;
      updatedAt: string;
      /** Shown this once */
      secret: string;
    }>;
  };
  /** Events, and the endpoints that they are posted to. */
  webhookDeliveries: {
    /**
     * Queues a delivery again, whatever became of it.
     *
     * It is tried at once and has the whole time for retries before it. While an earlier event of its resource waits, it waits behind that one.
     */
    redeliver(input: { id: number }, options?: CallOptions): Promise<WebhookDelivery>;
  };
  /** Events, and the endpoints that they are posted to. */
  events: {
    /**
     * Lists events, oldest first, after the last one that was read.
     *
     * For clients without an endpoint, and to catch up. `after` is the `id` of the last event that was read (`meta.pagination.nextCursor`, which is there when there is nothing new, too, and `evt_0` where nothing has happened yet). Reading on from there misses no event and repeats none; an event appears as soon as everything that could come before it is settled. Events are kept for 30 days by default; behind one that is gone, all later ones that are left are listed.
     */
    list(
      input?: {
        limit?: number | undefined;
        /** The id of the last event that was read, or `latest`: no event, only where to go on from now */
        after?: string | undefined;
        /** Event types, comma separated */
        types?: string | undefined;
      },
      options?: CallOptions,
    ): List<Event>;
    /** Reads an event, as it was posted but for content. */
    read(
      input: {
        /** `evt_<number>` */
        id: string;
      },
      options?: CallOptions,
    ): Promise<Event>;
  };
  /** Long work: its steps, and why it waits. */
  operations: {
    /**
     * Lists all long jobs of the account, newest first.
     *
     * A job is what a creating call has begun: a provisioning, a purchase, an import, a campaign. `resource` is what it works on, `actions` what may be asked of it now.
     */
    list(
      input?: {
        page?: number | undefined;
        limit?: number | undefined;
        state?:
          | 'pending'
          | 'running'
          | 'paused'
          | 'blocked'
          | 'compensating'
          | 'completed'
          | 'failed'
          | undefined;
        kind?:
          | 'buyDomain'
          | 'connectMailbox'
          | 'createMailbox'
          | 'deleteCustomField'
          | 'deleteLeadList'
          | 'deleteMailbox'
          | 'destroyCluster'
          | 'discoverLeads'
          | 'enrichWebsites'
          | 'importLeads'
          | 'importMailboxes'
          | 'importPlaces'
          | 'provisionCluster'
          | 'rechargeWallet'
          | 'renewDomain'
          | 'rotateCredentials'
          | 'runCampaign'
          | 'scrapeMaps'
          | 'sendReply'
          | 'tendTrackingDomain'
          | 'testPlacement'
          | 'verifyEmails'
          | 'warmUpMailbox'
          | undefined;
        resourceType?:
          | 'campaign'
          | 'cluster'
          | 'custom_field'
          | 'domain'
          | 'domain_renewal'
          | 'email_validation'
          | 'lead_import'
          | 'lead_list'
          | 'lead_process'
          | 'mailbox'
          | 'mailbox_import'
          | 'maps_import'
          | 'maps_run'
          | 'outgoing_message'
          | 'placement_test'
          | 'tracking_domain'
          | 'wallet_recharge'
          | 'warmup'
          | undefined;
        /** Of any type where `resourceType` is not given. */
        resourceId?: number | undefined;
      },
      options?: CallOptions,
    ): List<Operation>;
    /**
     * Runs the blocked steps of several operations again.
     *
     * Each by itself: `error` says why one was refused, and the others go on.
     */
    retryMany(
      input: { body: { ids: number[] } },
      options?: CallOptions,
    ): Promise<
      { id: number; operation: Operation | null; error: { code: string; message: string } | null }[]
    >;
    /**
     * Cancels several operations.
     *
     * Each by itself: `error` says why one was refused, and the others go on.
     */
    cancelMany(
      input: { body: { ids: number[] } },
      options?: CallOptions,
    ): Promise<
      { id: number; operation: Operation | null; error: { code: string; message: string } | null }[]
    >;
    /** Reads an operation: its steps, and why it waits. */
    read(input: { id: number }, options?: CallOptions): Promise<Operation>;
    /**
     * Runs the blocked step of an operation again.
     *
     * 400 `INVALID_STATE` where it is not among its `actions`. May be repeated.
     */
    retry(input: { id: number }, options?: CallOptions): Promise<Operation>;
    /**
     * Cancels an operation; what it has done is undone where that is possible.
     *
     * 400 `INVALID_STATE` where it is not among its `actions`. May be repeated.
     */
    cancel(input: { id: number }, options?: CallOptions): Promise<Operation>;
  };
  /** Who changed what, when and from where. */
  auditLog: {
    /**
     * Lists what was changed in the account, newest first.
     *
     * Every operation that changes something has one entry, written together with its change; a refused request has none, and a repeat under its `Idempotency-Key` none of its own. `before` and `after` tell the fields that changed; secrets, texts of messages and data of people are never among them (`leftOut` names such fields). Entries cannot be changed, and are kept for 400 days by default.
     */
    list(
      input?: {
        limit?: number | undefined;
        /** `meta.pagination.nextCursor` of the page before */
        cursor?: string | undefined;
        /** The `operationId`, such as `campaigns.start`. */
        action?: string | undefined;
        resourceType?:
          | 'account'
          | 'api_key'
          | 'campaign'
          | 'cluster'
          | 'company'
          | 'custom_field'
          | 'domain'
          | 'email_validation'
          | 'erasure'
          | 'lead'
          | 'lead_import'
          | 'lead_list'
          | 'lead_process'
          | 'mailbox'
          | 'mailbox_import'
          | 'maps_run'
          | 'message'
          | 'operation'
          | 'placement_seed'
          | 'placement_test'
          | 'schedule'
          | 'server'
          | 'suppression'
          | 'tracking_domain'
          | 'wallet'
          | 'warmup'
          | 'webhook'
          | undefined;
        resourceId?: string | undefined;
        /** `api_key`, `user`, `operator` or `system`, or the id of a key or user. */
        actor?: string | undefined;
        /** From then on. */
        since?: string | undefined;
        /** Before then. */
        until?: string | undefined;
      },
      options?: CallOptions,
    ): List<AuditEntry>;
    /**
     * The audit log as a CSV file, with the filters of `GET /v1/audit-log`.
     *
     * UTF-8 with a byte order mark, commas, one row per entry, the newest first; `before` and `after` are JSON. A cell that a spreadsheet would take for a formula has an apostrophe in front.
     */
    export(
      input?: {
        /** The `operationId`, such as `campaigns.start`. */
        action?: string | undefined;
        resourceType?:
          | 'account'
          | 'api_key'
          | 'campaign'
          | 'cluster'
          | 'company'
          | 'custom_field'
          | 'domain'
          | 'email_validation'
          | 'erasure'
          | 'lead'
          | 'lead_import'
          | 'lead_list'
          | 'lead_process'
          | 'mailbox'
          | 'mailbox_import'
          | 'maps_run'
          | 'message'
          | 'operation'
          | 'placement_seed'
          | 'placement_test'
          | 'schedule'
          | 'server'
          | 'suppression'
          | 'tracking_domain'
          | 'wallet'
          | 'warmup'
          | 'webhook'
          | undefined;
        resourceId?: string | undefined;
        /** `api_key`, `user`, `operator` or `system`, or the id of a key or user. */
        actor?: string | undefined;
        /** From then on. */
        since?: string | undefined;
        /** Before then. */
        until?: string | undefined;
        format?: 'csv' | undefined;
      },
      options?: CallOptions,
    ): Promise<string>;
  };
  /** Addresses on a cluster, their credentials and their limits. */
  sendingPauses: {
    /**
     * Lists what gets or sends no campaign messages for refusals, newest first.
     *
     * Where too large a part of the messages is refused as spam or by a policy, a mailbox, a domain, a server, or all messages to a provider are paused until `until`; the event `sending.paused` tells the same. Campaigns go on with what is not paused.
     */
    list(
      input?: {
        page?: number | undefined;
        limit?: number | undefined;
        scope?: 'mailbox' | 'domain' | 'server' | 'provider' | undefined;
        state?: 'running' | 'over' | undefined;
      },
      options?: CallOptions,
    ): List<SendingPause>;
  };
}
