/** Row shapes of operations, their events, and their resources at vendors. */
import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { Place } from '../../domain/operations/jobs.ts';
import type { OperationState, StepProgress } from '../../domain/operations/operations.ts';

type CreatedAt = ColumnType<Date, never, never>;
type UpdatedAt = ColumnType<Date, never, Date>;

export interface OperationsTable {
  id: ColumnType<number, never, never>;
  user_id: string;
  kind: string;
  /** Derived from ids; its workflow's id in Temporal is `workflowIdOf`. */
  workflow_id: string;
  /** Random, so that no other row ever had the same identity; null in rows of before. */
  run_key: ColumnType<string | null, string | undefined, never>;
  task_queue: string;
  summary: string;
  input: JSONColumnType<object>;
  resource_type: string;
  resource_id: number;
  state: Generated<OperationState>;
  step: string | null;
  steps: ColumnType<StepProgress[], string | undefined, string>;
  /** Numbers the workflow's writes, so that a late write cannot overwrite a later one. */
  progress_number: Generated<number>;
  /** The runs that have numbered them, by their ids in Temporal, the latest last; null until one of this version has written. */
  progress_run: string | null;
  message: Generated<string>;
  hold_id: number | null;
  /** Of jobs: whether it has one of the places of its account (`operation-places.ts`); null where it needs none. */
  place: ColumnType<Place | null, Place | null | undefined, Place>;
  /** Identifies the client's request while it may be repeated; unique per user. */
  request_key: string | null;
  /** `X-Request-Id` of the request that ordered it; null where none did. */
  request_id: string | null;
  /** W3C traceparent of the operation's span; null where it was ordered without tracing. */
  trace_parent: string | null;
  blocked_at: Date | null;
  /** How long it waited for a person, without the block that lasts. */
  blocked_seconds: Generated<number>;
  error_code: string | null;
  error_message: string | null;
  created_at: CreatedAt;
  started_at: Date | null;
  /** When the workflow was last seen open in Temporal. */
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
  /** Until then a request to the provider may be in progress; its effect may become visible even later. */
  asked_until: Date;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
}

export interface OperationTables {
  operations: OperationsTable;
  operation_events: OperationEventsTable;
  provider_resources: ProviderResourcesTable;
}
