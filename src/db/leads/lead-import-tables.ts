/** Row shapes of imports of lead files. */
import type { ColumnType, Generated } from 'kysely';
import type { Delimiter } from '../../domain/csv.ts';
import type { CustomFileColumn } from '../../domain/leads/lead-file-custom.ts';
import type { LeadFileMapping } from '../../domain/leads/lead-file-columns.ts';
import type { LeadImportStatus } from '../../domain/leads/lead-imports.ts';

export interface LeadImportsTable {
  id: ColumnType<number, never, never>;
  user_id: string;
  /** Null: no list was named, or it was deleted meanwhile. */
  lead_list_id: number | null;
  status: Generated<LeadImportStatus>;
  file_name: string | null;
  source: string | null;
  delimiter: Delimiter;
  headers: string[];
  mapping: ColumnType<LeadFileMapping, string, never>;
  /** Columns that are read as custom fields; null: none. */
  custom_columns: ColumnType<CustomFileColumn[] | null, string | null, never>;
  total_rows: number;
  processed_rows: Generated<number>;
  created_leads: Generated<number>;
  found_leads: Generated<number>;
  skipped_rows: Generated<number>;
  failed_rows: Generated<number>;
  imported_companies: Generated<number>;
  found_companies: Generated<number>;
  /** Found leads that keep a value which differs from their row in the file. */
  differing_leads: Generated<number>;
  error_code: string | null;
  error_message: string | null;
  created_at: ColumnType<Date, never, never>;
  updated_at: ColumnType<Date, never, Date>;
  finished_at: Date | null;
}

export interface LeadImportPartsTable {
  import_id: number;
  /** Of the file, as a spreadsheet counts: the header is row 1. */
  first_row: number;
  content: string;
}

/** Companies that an import found, kept until it ends, so that each is counted once. */
export interface LeadImportCompaniesTable {
  import_id: number;
  company_id: number;
}

export interface LeadImportErrorsTable {
  import_id: number;
  row_number: number;
  /** The header of the faulty cell; empty when it is the whole row. */
  column_name: string;
  problem: string;
  cells: string[];
}

export interface LeadImportTables {
  lead_imports: LeadImportsTable;
  lead_import_parts: LeadImportPartsTable;
  lead_import_errors: LeadImportErrorsTable;
  lead_import_companies: LeadImportCompaniesTable;
}
