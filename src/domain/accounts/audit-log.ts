/** What an entry of the audit log is made of, and the contract of what writes it for requests. Choice 98. */

/** `system`: the product itself, for a job that the account has set up, or somebody outside. */
export const ACTOR_KINDS = ['api_key', 'user', 'operator', 'system'] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

/** What entries are about, in clients' words. */
export const AUDITED_RESOURCES = [
  'account',
  'api_key',
  'campaign',
  'cluster',
  'company',
  'custom_field',
  'domain',
  'email_validation',
  'erasure',
  'lead',
  'lead_import',
  'lead_list',
  'lead_process',
  'mailbox',
  'mailbox_import',
  'maps_run',
  'message',
  'operation',
  'placement_seed',
  'placement_test',
  'schedule',
  'server',
  'suppression',
  'tracking_domain',
  'wallet',
  'warmup',
  'webhook',
] as const;
export type AuditedResource = (typeof AUDITED_RESOURCES)[number];

export const isAuditedResource = (name: string): name is AuditedResource =>
  (AUDITED_RESOURCES as readonly string[]).includes(name);

export interface AuditActor {
  kind: ActorKind;
  id: string | null;
  name: string | null;
}

/** Names of fields and what they were, or are. Small: the log says what changed, not what everything is. */
export type AuditedValues = Readonly<Record<string, unknown>>;

/** What became of a resource; undefined: as the request says, or nothing to tell. */
export interface AuditedChange {
  resourceType?: AuditedResource | undefined;
  resourceId?: number | string | null | undefined;
  /** Null: there is nothing to tell, also where the parts of a request would tell of theirs. */
  before?: AuditedValues | null | undefined;
  after?: AuditedValues | null | undefined;
}

/** One entry. */
export interface AuditEntry extends AuditedChange {
  userId: string;
  actor: AuditActor;
  action: string;
  requestId?: string | undefined;
  ip?: string | undefined;
  userAgent?: string | undefined;
  /** Of an operator; clients do not see it. */
  reason?: string | undefined;
}

/** What a request tells before it runs; `userId` is missing where only its work can tell whose it is. */
export type AuditedRequest = Omit<AuditEntry, 'userId'> & {
  userId: string | undefined;
  /** Of a route that is repeatable: its repeats have no entry of their own. */
  idempotencyKey: { userId: string; route: string; key: string } | undefined;
};

/** The audit log as requests see it; `src/db/accounts/audit-log.ts` fulfils it. */
export interface RequestAudit {
  /**
   * Runs the work of a request, whose first transaction by `commitOnce` writes the entry; where there was none, it is
   * written when the work is done. None is written for work that throws before.
   */
  carryOut<T>(request: AuditedRequest, work: () => Promise<T>): Promise<T>;
}
