/** Terms and limits of imports of lead files. */

export const LEAD_IMPORT_STATUSES = ['processing', 'completed', 'failed', 'cancelled'] as const;
export type LeadImportStatus = (typeof LEAD_IMPORT_STATUSES)[number];

/** Choice 47. */
export const MAX_FILE_BYTES = 10 * 1_048_576;
export const MAX_FILE_ROWS = 100_000;

/** Rows per transaction: at most these are repeated after a crash. */
export const PART_ROWS = 5_000;

/** The results of rows. The sum of the first four is the number of rows that were read. */
export interface LeadImportCounts {
  importedLeads: number;
  foundLeads: number;
  /** People who were erased: they are not stored again. */
  skippedRows: number;
  failedRows: number;
  importedCompanies: number;
  foundCompanies: number;
  /** Of `foundLeads`: something that is stored differs from the row, and stays. */
  differingLeads: number;
}
