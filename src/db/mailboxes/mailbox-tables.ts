/** Row shapes of mailboxes. */
import type { ColumnType, Generated } from 'kysely';
import type { SendingHold } from '../../domain/clusters/sending-hold.ts';
import type { MailServers } from '../../domain/mailboxes/mail-servers.ts';

type CreatedAt = ColumnType<Date, never, never>;
type UpdatedAt = ColumnType<Date, never, Date>;

export interface MailboxesTable {
  id: ColumnType<number, never, never>;
  user_id: string;
  /** Null: a connected mailbox, with a row of `connected_mailboxes`. */
  cluster_id: number | null;
  operation_id: number | null;
  email: string;
  password: Buffer | null;
  /** Sealed like `password`: the host may already have it, while it is being changed there. */
  next_password: Buffer | null;
  /** In the From header of its messages; null: the account's. */
  sender_name: string | null;
  /** Text, or HTML where it has tags; sanitised on input. */
  signature: string | null;
  status: Generated<'pending' | 'active' | 'failed' | 'deleting' | 'deleted'>;
  /** Null: the configured default. */
  daily_limit: number | null;
  hourly_limit: number | null;
  min_gap_seconds: number | null;
  /** It sends nothing before then: the gap after its last message. */
  next_send_at: Date | null;
  /** Why it cannot be used now (login, DNS, blocklisted); null = it can. */
  failing_reason: string | null;
  failing_since: Date | null;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
}

/** What a connected mailbox has beside its row. */
export interface ConnectedMailboxesTable {
  mailbox_id: number;
  preset: string | null;
  servers: ColumnType<MailServers, string, string>;
  /** Being proven, with `mailboxes.next_password`; null: nothing is. */
  next_servers: ColumnType<MailServers | null, string | null, string | null>;
  /** Names the message that proves it, of the attempt that is under way. */
  proof_id: string | null;
  /** That message was read, and may be deleted by now. */
  proof_seen_at: Date | null;
  proven_at: Date | null;
  /** The login showed that mail to the address comes here; null: by its owner's word alone. Choice 156. */
  address_proven_at: Generated<Date | null>;
  /** Why the last proof failed. */
  error_code: string | null;
  error_message: string | null;
}

/** What reads the connected mailboxes of an account: the holder of its inbox sync, as clusters are of others. */
export interface ConnectedInboxesTable {
  id: ColumnType<number, never, never>;
  user_id: string;
}

/** Passwords of an account that mail hosts have refused, on the last day that had any. */
export interface RefusedLoginsTable {
  user_id: string;
  day: ColumnType<string, never, never>;
  refused: number;
}

/** A view: where each mailbox lives, be it on a cluster or elsewhere. */
export interface MailboxHostsView {
  mailbox_id: ColumnType<number, never, never>;
  /** The holder of its inbox sync. */
  inbox_id: ColumnType<number | null, never, never>;
  inbox_status: ColumnType<string, never, never>;
  /** Null for a connected mailbox, as all of ours is. */
  domain_id: ColumnType<number | null, never, never>;
  domain: ColumnType<string | null, never, never>;
  dkim_selector: ColumnType<string | null, never, never>;
  server_id: ColumnType<number | null, never, never>;
  host_name: ColumnType<string | null, never, never>;
  server_status: ColumnType<string | null, never, never>;
  sending_hold: ColumnType<SendingHold | null, never, never>;
  sending_held_since: ColumnType<Date | null, never, never>;
  servers: ColumnType<MailServers | null, never, never>;
}

export interface MailboxTables {
  mailboxes: MailboxesTable;
  connected_mailboxes: ConnectedMailboxesTable;
  connected_inboxes: ConnectedInboxesTable;
  refused_logins: RefusedLoginsTable;
  mailbox_hosts: MailboxHostsView;
}
