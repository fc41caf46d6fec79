/** Row shapes of warm-up. */
import type { ColumnType, Generated } from 'kysely';
import type { WarmupReason, WarmupStatus } from '../../domain/warmup/warmup.ts';

type CreatedAt = ColumnType<Date, never, never>;
type UpdatedAt = ColumnType<Date, never, Date>;

export interface WarmupsTable {
  mailbox_id: number;
  user_id: string;
  status: Generated<WarmupStatus>;
  status_reason: WarmupReason | null;
  start_volume: number;
  daily_increase: number;
  max_volume: number;
  /** Per cent. */
  reply_rate: number;
  weekdays_only: boolean;
  /** Days of sending so far, the current one included. */
  day: Generated<number>;
  day_started_at: Date | null;
  /** Messages planned for the current day. */
  day_volume: Generated<number>;
  /** Healthy days since the warm-up proper ended: the volume of cold mail grows with them. */
  cold_day: Generated<number>;
  quarantined_at: Date | null;
  /** 0-100; null = no data yet. */
  health_score: number | null;
  run: Generated<number>;
  started_at: Date | null;
  paused_at: Date | null;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
}

export interface WarmupMessagesTable {
  id: ColumnType<number, never, never>;
  from_mailbox_id: number;
  /** Null: an external seed address. */
  to_mailbox_id: number | null;
  to_address: string;
  in_reply_to_id: number | null;
  message_id: string;
  state: Generated<
    'planned' | 'claimed' | 'sending' | 'sent' | 'refused' | 'uncertain' | 'cancelled'
  >;
  planned_at: Date;
  claimed_by: string | null;
  claimed_at: Date | null;
  sent_at: Date | null;
  smtp_reply: string | null;
  /** When and where it was found in the partner's mailbox. */
  seen_at: Date | null;
  seen_in: 'inbox' | 'spam' | null;
  /** When it was moved out of spam. */
  saved_at: Date | null;
  bounced_at: Date | null;
  created_at: CreatedAt;
}

export interface WarmupTables {
  warmups: WarmupsTable;
  warmup_letters: WarmupMessagesTable;
}
