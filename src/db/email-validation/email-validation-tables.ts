/** Row shapes of e-mail validation. */
import type { ColumnType, Generated } from 'kysely';
import type { VerifierWait } from '../../domain/email-validation/email-validation.ts';
import type { EmailFacts } from '../../domain/email-validation/email-check.ts';

type CreatedAt = ColumnType<Date, never, never>;
type UpdatedAt = ColumnType<Date, never, Date>;

type CheckedStatus = 'valid' | 'risky' | 'invalid' | 'unknown';

/** What a verifier reported besides status and reason. */
export interface KeptFacts {
  catchAll: boolean | null;
  smtp: boolean | null;
  fullInbox: boolean | null;
  disabled: boolean | null;
  disposable: boolean | null;
}

export interface EmailChecksTable {
  /** SHA-256 of the address's key. */
  key_hash: Buffer;
  status: CheckedStatus;
  reason: string;
  facts: ColumnType<KeptFacts, string, string>;
  /** Which verifier reported it. */
  verifier: string;
  checked_at: Date;
  expires_at: Date;
}

export interface EmailValidationJobsTable {
  id: ColumnType<number, never, never>;
  user_id: string;
  /** `bulk`: addresses in the request; `list`: those of a list's leads. */
  kind: 'bulk' | 'list';
  lead_list_id: number | null;
  status: Generated<'processing' | 'completed' | 'failed' | 'cancelled'>;
  total: number;
  valid: Generated<number>;
  risky: Generated<number>;
  invalid: Generated<number>;
  unknown: Generated<number>;
  error_code: string | null;
  error_message: string | null;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
  completed_at: Date | null;
  /** What it waits for, since when and until when; null: it waits for no verifier. */
  waiting_reason: VerifierWait | null;
  waiting_since: Date | null;
  waiting_until: Date | null;
  /** When an operator last said that the cause is cured. */
  woken_at: Date | null;
}

export interface EmailValidationItemsTable {
  id: ColumnType<number, never, never>;
  job_id: number;
  /** As it was given. */
  email: string;
  /** The form by which leads are compared; null where it is no address. */
  email_key: string | null;
  lead_id: number | null;
  /** Null: not checked yet. */
  status: CheckedStatus | null;
  score: number | null;
  is_valid: boolean | null;
  reason: string | null;
  checks: ColumnType<EmailFacts | null, string | null, string | null>;
  suggestion: string | null;
  checked_at: Date | null;
  /** How often a verifier was asked. */
  tries: Generated<number>;
  /** How often none could be asked. */
  unasked: Generated<number>;
  /** When the address is retried. */
  again_at: Date | null;
}

export interface EmailValidationTables {
  email_checks: EmailChecksTable;
  email_validation_jobs: EmailValidationJobsTable;
  email_validation_items: EmailValidationItemsTable;
}
