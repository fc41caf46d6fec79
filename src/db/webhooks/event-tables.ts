/** Row shapes of events and their deliveries. */
import type { ColumnType, Generated } from 'kysely';
import type { EventType } from '../../domain/webhooks/events.ts';
import type { DisabledReason } from '../../domain/webhooks/webhook-health.ts';

type CreatedAt = ColumnType<Date, never, never>;
type UpdatedAt = ColumnType<Date, never, Date>;

export interface EventsTable {
  id: ColumnType<number, never, never>;
  /** The transaction that wrote it; positions are ordered by it. */
  txid: ColumnType<string, never, never>;
  user_id: string;
  type: EventType;
  resource: string;
  payload: ColumnType<Record<string, unknown>, string, never>;
  created_at: CreatedAt;
}

export interface WebhooksTable {
  id: ColumnType<number, never, never>;
  user_id: string;
  url: string;
  /** `*` = all. */
  event_types: string[];
  description: string | null;
  is_active: Generated<boolean>;
  /** `message.received` tells sender, subject and snippet as well. */
  include_content: Generated<boolean>;
  /** Sealed. */
  secret: Buffer | null;
  previous_secret: Buffer | null;
  previous_secret_expires_at: Date | null;
  /** Its approximate response time; null until the first attempt. */
  answer_ms: number | null;
  /** Failed attempts in a row, and since when. */
  failures: Generated<number>;
  failing_since: Date | null;
  /** It is not called before then. */
  open_until: Date | null;
  disabled_at: Date | null;
  disabled_reason: DisabledReason | null;
  /** When its owner is due to be notified; null when there is nothing to report. */
  notice_due_at: Date | null;
  noticed_at: Date | null;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
}

export interface WebhookDeliveriesTable {
  id: ColumnType<number, never, never>;
  webhook_id: number;
  event_id: number;
  resource: string;
  state: Generated<'pending' | 'delivered' | 'failed'>;
  /** Since it was written, or queued again. */
  attempts: Generated<number>;
  /** Null while an earlier one of its resource is pending, and at the end. */
  next_attempt_at: Date | null;
  /** The lease of the process that delivers it. */
  leased_until: Date | null;
  last_status: number | null;
  last_error: string | null;
  delivered_at: Date | null;
  requeued_at: Date | null;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
}

export interface EventTables {
  events: EventsTable;
  webhooks: WebhooksTable;
  webhook_deliveries: WebhookDeliveriesTable;
}
