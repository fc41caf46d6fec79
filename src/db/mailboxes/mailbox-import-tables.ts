/** Row shapes of files of mailboxes. */
import type { ColumnType, Generated } from 'kysely';
import type {
  MailboxImportStatus,
  MailboxRowState,
} from '../../domain/mailboxes/mailbox-imports.ts';
import type { MailServers } from '../../domain/mailboxes/mail-servers.ts';

export interface MailboxImportsTable {
  id: ColumnType<number, never, never>;
  user_id: string;
  status: Generated<MailboxImportStatus>;
  file_name: string | null;
  total_rows: number;
  error_code: Generated<string | null>;
  error_message: Generated<string | null>;
  created_at: ColumnType<Date, never, never>;
  updated_at: ColumnType<Date, never, Date>;
  finished_at: ColumnType<Date | null, never, Date | null>;
}

export interface MailboxImportRowsTable {
  import_id: number;
  /** As a spreadsheet counts: the header is mostly row 1. */
  row_number: number;
  state: MailboxRowState;
  /** Null where the row's cell is no address: whatever else it is, a password too, is not kept. */
  email: string | null;
  /** Until its turn; see `rowPasswordBinding`. */
  password: Buffer | null;
  preset: string | null;
  servers: ColumnType<MailServers | null, string | null, string | null>;
  sender_name: string | null;
  daily_limit: number | null;
  /** Made at its turn. */
  mailbox_id: Generated<number | null>;
  /** The message that proves it was handed over: it is not sent again before it was looked for. */
  sent_at: Generated<Date | null>;
  /** The field of a row that is invalid. */
  field: string | null;
  error_code: string | null;
  error_message: string | null;
  begun_at: Generated<Date | null>;
  ended_at: Date | null;
}

export interface MailboxImportTables {
  mailbox_imports: MailboxImportsTable;
  mailbox_import_rows: MailboxImportRowsTable;
}
