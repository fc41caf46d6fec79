/** Row shape of the servers of `outreach doctor --order`. */
import type { ColumnType } from 'kysely';

interface DoctorTrialsTable {
  /** Of the server at the vendor, never given out again; also the label of its host name. */
  name: string;
  provider: string;
  /** Where the host's record is, below `domain`. */
  registrar: string;
  domain: string;
  started_at: ColumnType<Date, Date, never>;
  /** Null while the vendor may have the server. */
  ended_at: Date | null;
}

export interface DoctorTrialTables {
  doctor_trials: DoctorTrialsTable;
}
