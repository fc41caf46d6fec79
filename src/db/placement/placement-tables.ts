/** Row shapes of seed mailboxes and placement tests. */
import type { ColumnType, Generated } from 'kysely';
import type { MailServer } from '../../domain/mailboxes/mail-servers.ts';
import type {
  PlacementMessageState,
  PlacementOutcome,
  PlacementTestStatus,
  PlacementVerdict,
  SeedProvider,
} from '../../domain/placement/placement.ts';

type CreatedAt = ColumnType<Date, never, never>;
type UpdatedAt = ColumnType<Date, never, Date>;

export interface PlacementSeedsTable {
  id: ColumnType<number, never, never>;
  user_id: string;
  address: string;
  provider: SeedProvider;
  username: string;
  imap: ColumnType<MailServer, string, string>;
  /** See `seedPasswordBinding`. */
  password: Buffer;
  /** When it was last logged in to, or could not be. */
  checked_at: Generated<Date | null>;
  error_code: Generated<string | null>;
  error_message: Generated<string | null>;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
}

export interface PlacementTestsTable {
  id: ColumnType<number, never, never>;
  user_id: string;
  /** Null: the campaign was deleted. */
  campaign_id: number | null;
  mailbox_id: number;
  step: number;
  variant: number | null;
  lead_id: number | null;
  min_inbox_percent: number;
  holds_campaign: boolean;
  status: Generated<PlacementTestStatus>;
  /** From its first turn on. */
  look_until: Generated<Date | null>;
  verdict: Generated<PlacementVerdict | null>;
  inbox_percent: Generated<number | null>;
  campaign_held: Generated<boolean>;
  error_code: Generated<string | null>;
  error_message: Generated<string | null>;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
  finished_at: ColumnType<Date | null, never, Date | null>;
}

export interface PlacementMessagesTable {
  id: ColumnType<number, never, never>;
  test_id: number;
  /** Null: the seed was deleted. */
  seed_id: number | null;
  mailbox_id: number;
  address: string;
  provider: SeedProvider;
  /** With angle brackets; the same at every attempt. */
  message_id: string;
  state: Generated<PlacementMessageState>;
  /** Which attempt holds it; no other attempt may continue it. */
  claimed_by: Generated<string | null>;
  claimed_at: Generated<Date | null>;
  sent_at: Generated<Date | null>;
  /** Null: it is still sent or looked for. */
  outcome: Generated<PlacementOutcome | null>;
  folder: Generated<string | null>;
  decided_at: Generated<Date | null>;
  /** A later test has found it: its own look had ended and said nothing. */
  shown_at: Generated<Date | null>;
  error_code: Generated<string | null>;
  error_message: Generated<string | null>;
}

export interface PlacementTables {
  placement_seeds: PlacementSeedsTable;
  placement_tests: PlacementTestsTable;
  placement_messages: PlacementMessagesTable;
}
