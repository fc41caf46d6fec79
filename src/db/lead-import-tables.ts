/** Row shapes of imports of lead files. */

export interface LeadImportTables {}
