/** Row shapes of schedules, their runs, and the places that each has seen. */
import type { ColumnType, Generated } from 'kysely';
import type {
  ScheduledJob,
  ScheduleKind,
  ScheduleRunOutcome,
  ScheduleTimes,
} from '../../domain/schedules/schedules.ts';

type CreatedAt = ColumnType<Date, never, never>;
type UpdatedAt = ColumnType<Date, never, Date>;
type Json<T> = ColumnType<T, string, string>;

export interface SchedulesTable {
  id: ColumnType<number, never, never>;
  user_id: string;
  /** Random part of the Schedule's id in Temporal. */
  run_key: string;
  name: string;
  kind: ScheduleKind;
  job: Json<ScheduledJob['order']>;
  only_new_places: boolean;
  /** The list that a discovery fills whose order names none; it may be deleted. */
  own_list_id: ColumnType<number | null, never, number>;
  times: Json<ScheduleTimes>;
  paused: Generated<boolean>;
  /** Counts changes. */
  version: Generated<number>;
  /** The version that Temporal had at `seen_at`, or before where it did not take a newer one then. */
  kept_version: Generated<number>;
  seen_at: Generated<Date>;
  request_key: string | null;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
  deleted_at: Date | null;
}

interface ScheduleRunsTable {
  id: ColumnType<number, never, never>;
  schedule_id: number;
  /** Of the run of Temporal's Schedule, or of the request: one row each. */
  run_key: string;
  outcome: ScheduleRunOutcome;
  reason: string | null;
  maps_run_id: number | null;
  lead_process_id: number | null;
  placement_test_id: Generated<number | null>;
  created_at: CreatedAt;
}

interface SchedulePlacesTable {
  schedule_id: number;
  place_id: string;
  first_run_id: number;
  last_run_id: number;
}

export interface ScheduleTables {
  schedules: SchedulesTable;
  schedule_runs: ScheduleRunsTable;
  schedule_places: SchedulePlacesTable;
}
