/** Row shapes of users, API keys and idempotency keys. */
import type { Generated } from 'kysely';
import type { ActorKind, AuditedResource } from '../../domain/accounts/audit-log.ts';

export interface UsersTable {
  user_id: string;
  email: string;
  name: string | null;
  /** What recipients read as the sender; starts as the JWT's `name`. */
  sender_name: string | null;
  postal_address: string | null;
  timezone: Generated<string>;
  use_language_model: Generated<boolean>;
  created_at: Generated<Date>;
}

export interface ApiKeysTable {
  id: string;
  user_id: string;
  name: string;
  ip_whitelist: Generated<string[]>;
  scopes: Generated<string[]>;
  expires_at: Date | null;
  last_used_at: Date | null;
  created_at: Generated<Date>;
}

export interface ApiKeySecretsTable {
  /** SHA-256 of the key's text; the text itself is nowhere. */
  hash: Buffer;
  key_id: string;
  /** `svc_` and the first four digits, for people who look at a list. */
  prefix: string;
  last4: string;
  /** Null for the current secret; set when a rotation gave it a grace period. */
  expires_at: Date | null;
  created_at: Generated<Date>;
}

export interface IdempotencyKeysTable {
  user_id: string;
  route: string;
  key: string;
  body_hash: Buffer;
  holder: string;
  lease_until: Date;
  status: number | null;
  sealed_answer: Buffer | null;
  /** The result of `commitOnce`, kept until the response is stored. */
  sealed_effect: Buffer | null;
  /** The entry of this request is in the audit log. */
  is_audited: Generated<boolean>;
  /** A person was erased: the answer is not kept, and the request is not carried out again. */
  is_forgotten: Generated<boolean>;
  expires_at: Date;
  created_at: Date;
}

/** See migration 0160: rows are inserted and read, and old ones pruned; nothing else. */
export interface AuditLogTable {
  id: Generated<number>;
  user_id: string;
  at: Generated<Date>;
  actor_kind: ActorKind;
  /** Of a key its id, of a session the user's; null for operators. */
  actor_id: string | null;
  /** Of a key its visible beginning, of an operator the login. */
  actor_name: string | null;
  ip: string | null;
  user_agent: string | null;
  /** What an operator gave as the reason; clients do not see it. */
  reason: string | null;
  action: string;
  resource_type: AuditedResource | null;
  resource_id: string | null;
  request_id: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

export interface AccountTables {
  audit_log: AuditLogTable;
  users: UsersTable;
  api_keys: ApiKeysTable;
  api_key_secrets: ApiKeySecretsTable;
  idempotency_keys: IdempotencyKeysTable;
}
