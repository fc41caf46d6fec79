/** Row shapes of the inbox. */
import type { ColumnType, Generated } from 'kysely';
import type { Interest, InterestJudge } from '../../domain/inbox/interest/interest.ts';
import type {
  DeliveryState,
  FolderRole,
  MessageDirection,
  MessageKind,
  OutgoingAttachment,
  SyncTrouble,
} from '../../domain/inbox/inbox.ts';

type CreatedAt = ColumnType<Date, never, never>;

export interface MailboxFoldersTable {
  mailbox_id: number;
  path: string;
  role: FolderRole;
  uid_validity: number;
  /** The highest UID that was read. */
  last_uid: Generated<number>;
  highest_modseq: number | null;
  synced_at: Date | null;
  /** Known messages of the folder; maintained by a trigger. */
  places: Generated<number>;
}

export interface MailboxSyncsTable {
  mailbox_id: number;
  synced_at: Date | null;
  /** For the log; clients are told `reason`. */
  error: string | null;
  reason: SyncTrouble | null;
  failing_since: Date | null;
  /** The last look that did not come to the end of the mailbox: it failed, or is a long one. */
  looked_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  /** A user has requested a sync now. */
  sync_asked_at: Date | null;
  /** Warm-up has requested that its messages be handled by the connection that reads the mailbox. */
  warmup_asked_at: Date | null;
  /** Clients were told that it is failing. */
  is_told: Generated<boolean>;
}

export interface ThreadsTable {
  id: ColumnType<number, never, never>;
  user_id: string;
  mailbox_id: number;
  campaign_id: number | null;
  lead_id: number | null;
  subject: string;
  messages_count: Generated<number>;
  unread_count: Generated<number>;
  last_message_at: Date;
  created_at: CreatedAt;
}

export interface MessagesTable {
  id: ColumnType<number, never, never>;
  user_id: string;
  mailbox_id: number;
  thread_id: number;
  direction: MessageDirection;
  kind: Generated<MessageKind>;
  /** With angle brackets; derived from the content where a message has none. */
  message_id: string;
  in_reply_to: string | null;
  reference_ids: Generated<string[]>;
  from_address: string;
  from_name: string | null;
  to_addresses: Generated<string[]>;
  cc_addresses: Generated<string[]>;
  reply_to: string | null;
  subject: Generated<string>;
  snippet: Generated<string>;
  body_text: Generated<string>;
  /** Sanitised: safe to show, without remote content. */
  body_html: string | null;
  sent_at: Date;
  received_at: Generated<Date>;
  is_read: Generated<boolean>;
  /** The read state was changed here and not yet at the host: the sync pushes it and clears this. */
  seen_unpushed: Generated<boolean>;
  has_attachments: Generated<boolean>;
  labels: Generated<string[]>;
  archived: Generated<boolean>;
  snoozed_until: Date | null;
  /** Neither archived nor snoozed: what the list shows by default. */
  in_inbox: Generated<boolean>;
  campaign_id: number | null;
  lead_id: number | null;
  send_id: number | null;
  size_bytes: Generated<number>;
  /** Extracted facts: status code of a bounce, return date of an absence, whether it came in by the junk folder. */
  facts: ColumnType<Record<string, unknown>, string | undefined, string>;
  interest: Interest | null;
  interest_by: InterestJudge | null;
  interest_confidence: number | null;
  search: ColumnType<string, never, never>;
  created_at: CreatedAt;
}

/** What a client has corrected, with a digest of the words it was said of. */
export interface InterestCorrectionsTable {
  message_id: number;
  user_id: string;
  words_key: string;
  /** What it was judged to be before. */
  judged: Interest | null;
  judged_by: InterestJudge | null;
  interest: Interest | null;
  corrected_at: Date;
}

/** An answer whose meaning a language model is to say. */
export interface InterestQuestionsTable {
  message_id: number;
  user_id: string;
  asked_at: Generated<Date>;
  /** When a model is asked, at the earliest. */
  due_at: Generated<Date>;
  /** Calls that gave no verdict on this answer. */
  tries: Generated<number>;
  /** Why it has none yet, or why it was left without. */
  problem: string | null;
  left_at: Date | null;
}

/** Calls of the account on its last day (UTC) with any. */
export interface InterestModelCallsTable {
  user_id: string;
  day: string;
  calls: number;
}

export interface MessagePlacesTable {
  mailbox_id: number;
  path: string;
  uid: number;
  message_id: number;
}

export interface AttachmentsTable {
  id: ColumnType<number, never, never>;
  message_id: number;
  /** IMAP's number of the part, `2.1`. */
  part: string;
  filename: string;
  content_type: string;
  size_bytes: number;
  content_id: string | null;
  is_inline: Generated<boolean>;
}

export interface InboxCountsTable {
  user_id: string;
  messages: Generated<number>;
  unread: Generated<number>;
}

/** Kept by triggers. */
export interface ThreadCountsTable {
  user_id: string;
  threads: ColumnType<number, never, never>;
}

export interface OutgoingMessagesTable {
  id: ColumnType<number, never, never>;
  /** The row of the message in the inbox. */
  message_id: number;
  user_id: string;
  mailbox_id: number;
  /** The message whose attachments are forwarded with it. */
  forwarded_id: number | null;
  state: Generated<DeliveryState>;
  /** When it is, or was, to be sent; null for what was sent at once. */
  send_at: Date | null;
  /** A message that comes into the thread before then cancels it. */
  cancel_on_reply: Generated<boolean>;
  /** As it is sent; `messages` has the sanitised form. */
  body_html: string | null;
  /** Kept until the message was sent; then the host has them. */
  attachments: ColumnType<OutgoingAttachment[] | null, string | null, string | null>;
  /** The attempt that began the SMTP session. */
  claimed_by: string | null;
  smtp_reply: string | null;
  failure: string | null;
  /** Of what failed while its operation succeeded; null in rows of before. */
  failure_code: ColumnType<string | null, string | null | undefined, string | null>;
  sent_at: Date | null;
  /** When a copy was put into the host's Sent folder. */
  filed_at: Date | null;
  created_at: CreatedAt;
}

export interface InboxTables {
  outgoing_letters: OutgoingMessagesTable;
  mailbox_folders: MailboxFoldersTable;
  mailbox_syncs: MailboxSyncsTable;
  threads: ThreadsTable;
  messages: MessagesTable;
  message_places: MessagePlacesTable;
  interest_corrections: InterestCorrectionsTable;
  interest_questions: InterestQuestionsTable;
  interest_model_calls: InterestModelCallsTable;
  attachments: AttachmentsTable;
  inbox_counts: InboxCountsTable;
  thread_counts: ThreadCountsTable;
}
