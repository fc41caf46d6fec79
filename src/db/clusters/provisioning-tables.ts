/** Row shapes of domains, servers, clusters, mailboxes and operations. */
import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { OperationState, StepProgress } from '../../domain/operations/operations.ts';

type CreatedAt = ColumnType<Date, never, never>;
type UpdatedAt = ColumnType<Date, never, Date>;

export interface OperationsTable {
  id: ColumnType<number, never, never>;
  user_id: string;
  kind: string;
  workflow_id: string;
  task_queue: string;
  summary: string;
  input: JSONColumnType<object>;
  resource_type: string;
  resource_id: number;
  state: Generated<OperationState>;
  step: string | null;
  steps: ColumnType<StepProgress[], string | undefined, string>;
  /** Counts what the workflow wrote, so that a late write cannot undo a later one. */
  progress_number: Generated<number>;
  message: Generated<string>;
  hold_id: number | null;
  /** Identifies the client's request while it may be repeated; unique among a user's. */
  request_key: string | null;
  blocked_at: Date | null;
  error_code: string | null;
  error_message: string | null;
  created_at: CreatedAt;
  started_at: Date | null;
  /** When Temporal was last seen to have the workflow open. */
  workflow_seen_at: Date | null;
  finished_at: Date | null;
  updated_at: UpdatedAt;
}

export interface OperationEventsTable {
  id: ColumnType<number, never, never>;
  operation_id: number;
  at: CreatedAt;
  kind: string;
  step: string | null;
  actor: string;
  reason: Generated<string>;
  detail: ColumnType<Record<string, unknown>, string | undefined, never>;
}

export interface ProviderResourcesTable {
  id: ColumnType<number, never, never>;
  operation_id: number;
  step: string;
  generation: number;
  provider: string;
  token: string;
  state: Generated<'creating' | 'created' | 'absent' | 'deleted'>;
  external_id: string | null;
  /** Until then a request to the provider may be under way; its effect may show later still. */
  asked_until: Date;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
}

export interface DomainsTable {
  id: ColumnType<number, never, never>;
  user_id: string;
  name: string;
  provider: string;
  /** `unverified`: an import whose owner has not proven it; it claims nothing. */
  status: Generated<'unverified' | 'pending' | 'active' | 'failed'>;
  purchased_at: Date | null;
  expires_at: Date | null;
  order_ref: string | null;
  cost_cents: number | null;
  dkim_selector: string | null;
  dkim_private_key: Buffer | null;
  dkim_public_key: string | null;
  auto_renew: Generated<boolean>;
  /** What the owner of an import publishes to prove it. */
  verification_token: string | null;
  /** The expiry that clients were told of. */
  expiring_told_for: Date | null;
  /** Since then clients know that its records fail; null = they do not. */
  dns_failing_since: Date | null;
  error_code: string | null;
  error_message: string | null;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
}

/** One attempt at one more term of a domain. */
export interface DomainRenewalsTable {
  id: ColumnType<number, never, never>;
  user_id: string;
  domain_id: number;
  /** The end that is to be moved. */
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

export interface ServersTable {
  id: ColumnType<number, never, never>;
  user_id: string;
  provider: string;
  intent_name: string;
  external_id: string | null;
  host_name: string;
  ipv4: string | null;
  status: Generated<'creating' | 'active' | 'deleting' | 'deleted'>;
  client_private_key: Buffer;
  client_public_key: string;
  host_private_key: Buffer;
  host_public_key: string;
  outbound25: Generated<'open' | 'blocked' | 'unknown'>;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
}

export interface ClustersTable {
  id: ColumnType<number, never, never>;
  user_id: string;
  domain_id: number;
  server_id: number | null;
  operation_id: number | null;
  name: string;
  status: Generated<'provisioning' | 'active' | 'suspended' | 'failed' | 'deleting' | 'deleted'>;
  use_existing_vps: boolean;
  attempt: Generated<number>;
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
  /** When the registrar was last asked to make it. */
  asked_at: Date;
  /** When it was seen there, to be deleted; null since it was last asked for. */
  seen_at: Date | null;
}

export interface MailboxesTable {
  id: ColumnType<number, never, never>;
  user_id: string;
  cluster_id: number;
  operation_id: number | null;
  email: string;
  password: Buffer | null;
  /** Sealed like `password`: what the host may have already, while it is being changed there. */
  next_password: Buffer | null;
  /** In the From header of its messages; null: the account's. */
  sender_name: string | null;
  /** Text, or HTML where it has tags, made safe when it was given. */
  signature: string | null;
  status: Generated<'pending' | 'active' | 'failed' | 'deleting' | 'deleted'>;
  /** Null: the configured default. */
  daily_limit: number | null;
  hourly_limit: number | null;
  min_gap_seconds: number | null;
  /** Before that it sends nothing: the gap after its last message. */
  next_send_at: Date | null;
  /** Why it cannot be used now (login, DNS, blocklisted); null = it can. */
  failing_reason: string | null;
  failing_since: Date | null;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
}

/** How a cluster was found at the last look. */
export interface HealthSnapshotsTable {
  cluster_id: number;
  looked_at: Date;
  parts: ColumnType<unknown, string, string>;
}

export interface ProvisioningTables {
  operations: OperationsTable;
  operation_events: OperationEventsTable;
  provider_resources: ProviderResourcesTable;
  domains: DomainsTable;
  domain_renewals: DomainRenewalsTable;
  servers: ServersTable;
  clusters: ClustersTable;
  published_records: PublishedRecordsTable;
  mailboxes: MailboxesTable;
  cluster_looks: HealthSnapshotsTable;
}
