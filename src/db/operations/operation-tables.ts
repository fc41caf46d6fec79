/** Row shapes of operations, their events, and what they own at vendors. */
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

export interface OperationTables {
  operations: OperationsTable;
  operation_events: OperationEventsTable;
  provider_resources: ProviderResourcesTable;
}
