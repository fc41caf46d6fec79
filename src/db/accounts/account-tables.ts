/** Row shapes of users, API keys and idempotency keys. */
import type { Generated } from 'kysely';

export interface UsersTable {
  user_id: string;
  email: string;
  name: string | null;
  /** What recipients read as the sender; starts as the JWT's `name`. */
  sender_name: string | null;
  postal_address: string | null;
  timezone: Generated<string>;
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
  expires_at: Date;
  created_at: Date;
}

export interface AccountTables {
  users: UsersTable;
  api_keys: ApiKeysTable;
  api_key_secrets: ApiKeySecretsTable;
  idempotency_keys: IdempotencyKeysTable;
}
