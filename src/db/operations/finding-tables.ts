/** Row shapes of findings and of the comparisons that make them. */
import type { HousekeepingSchedule } from '../../domain/operations/housekeeping.ts';
import type { ColumnType, Generated } from 'kysely';
import type { FindingKind } from '../../domain/operations/findings.ts';

interface FindingsTable {
  id: ColumnType<number, never, never>;
  kind: FindingKind;
  subject: string;
  /** Which comparison found it: `vps/hetzner`, `holds`, ... */
  book: string;
  operation_id: number | null;
  detail: ColumnType<Record<string, unknown>, string, string>;
  state: Generated<'open' | 'healed' | 'gone'>;
  found_at: Date;
  seen_at: Date;
  closed_at: Date | null;
  closed_by: string | null;
  reason: string | null;
}

interface BookChecksTable {
  book: string;
  checked_at: Date;
  succeeded_at: Date | null;
  /** Kind of the `ProviderError` of the last comparison; null when it succeeded. */
  error_kind: string | null;
  error: string | null;
}

interface HousekeepingRunsTable {
  schedule: HousekeepingSchedule;
  /** When the latest run began, and when one last had seen all that is due, or came further than those since then. */
  began_at: Generated<Date>;
  looked_at: Generated<Date>;
  /** After which row the furthest page began since a run last had seen all. */
  furthest: Generated<number>;
  /** What the latest run found to do, and how much of it succeeded. */
  due: Generated<number>;
  advanced: Generated<number>;
  /** Runs in a row that had at least `MIN_DUE` to do, of which nothing succeeded. */
  fruitless: Generated<number>;
}

export interface FindingTables {
  housekeeping_runs: HousekeepingRunsTable;
  findings: FindingsTable;
  book_checks: BookChecksTable;
}
