/** Row shapes of mailboxes. */
import type { ColumnType, Generated } from 'kysely';

type CreatedAt = ColumnType<Date, never, never>;
type UpdatedAt = ColumnType<Date, never, Date>;

export interface MailboxesTable {
  id: ColumnType<number, never, never>;
  user_id: string;
  cluster_id: number;
  operation_id: number | null;
  email: string;
  password: Buffer | null;
  /** Sealed like `password`: the host may already have it, while it is being changed there. */
  next_password: Buffer | null;
  /** In the From header of its messages; null: the account's. */
  sender_name: string | null;
  /** Text, or HTML where it has tags; sanitised on input. */
  signature: string | null;
  status: Generated<'pending' | 'active' | 'failed' | 'deleting' | 'deleted'>;
  /** Null: the configured default. */
  daily_limit: number | null;
  hourly_limit: number | null;
  min_gap_seconds: number | null;
  /** It sends nothing before then: the gap after its last message. */
  next_send_at: Date | null;
  /** Why it cannot be used now (login, DNS, blocklisted); null = it can. */
  failing_reason: string | null;
  failing_since: Date | null;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
}

export interface MailboxTables {
  mailboxes: MailboxesTable;
}
