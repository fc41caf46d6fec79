/** Row shapes of role mailboxes, and of the reports that come to them. */
import type { ColumnType, Generated } from 'kysely';
import type { RoleName } from '../../domain/mail-reports/role-mailboxes.ts';

export interface RoleMailboxesTable {
  cluster_id: number;
  name: RoleName;
  /** Sealed; see `rolePasswordBinding`. */
  password: Buffer;
  /** When it was put on the host; null = it is not there, or the client has a mailbox of this name. */
  installed_at: Date | null;
  /** Where reading goes on in a mailbox of the client's. */
  uid_validity: number | null;
  last_uid: Generated<number>;
  read_at: Date | null;
  failing_since: Date | null;
}

export interface MailReportsTable {
  id: ColumnType<number, never, never>;
  user_id: string;
  domain_id: number;
  kind: 'dmarc' | 'tls';
  organization: string;
  report_id: string;
  begins_at: Date;
  ends_at: Date;
  received_at: Date;
}

export interface MailReportRowsTable {
  report_id: number;
  source: string;
  /** DMARC: pass or fail. TLS: success, or the type of the failure. */
  result: string;
  /** Of DMARC alone, like those below. */
  disposition: 'none' | 'pass' | 'quarantine' | 'reject' | null;
  dkim: 'pass' | 'fail' | null;
  spf: 'pass' | 'fail' | null;
  auth_results: string | null;
  /** TLS: connections. */
  messages: number;
}

export interface MailReportTables {
  role_mailboxes: RoleMailboxesTable;
  mail_reports: MailReportsTable;
  mail_report_rows: MailReportRowsTable;
}
