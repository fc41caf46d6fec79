/** Terms of the inbox: the direction of a message, and its kind. */

export type MessageDirection = 'inbound' | 'outbound';

/**
 * The kind of a message; only `reply` stops a sequence as an answer. For `needs_review` the headers say that
 * a machine wrote the message, and its text does not: the sequence waits until a person has decided.
 * docs/sending-rules.md#kinds-of-incoming-messages.
 */
export const MESSAGE_KINDS = [
  'message',
  'reply',
  'auto_reply',
  'bounce',
  'complaint',
  'unsubscribe_request',
  'needs_review',
] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** The kinds that a person may choose for such a message. */
export const DECIDED_KINDS = [
  'reply',
  'auto_reply',
  'unsubscribe_request',
  'complaint',
  'message',
] as const;
export type DecidedKind = (typeof DECIDED_KINDS)[number];

/** Of people who were written to, and of the machines that answer for them. */
export const ANSWER_KINDS = [
  'reply',
  'auto_reply',
  'unsubscribe_request',
  'needs_review',
] as const satisfies readonly MessageKind[];
export type AnswerKind = (typeof ANSWER_KINDS)[number];

export const isAnswer = (kind: MessageKind): kind is AnswerKind =>
  (ANSWER_KINDS as readonly MessageKind[]).includes(kind);

export type FolderRole = 'inbox' | 'sent' | 'junk' | 'other';

/** Why a mailbox cannot be read. */
export const SYNC_TROUBLES = ['login_refused', 'host_unreachable', 'unreadable'] as const;
export type SyncTrouble = (typeof SYNC_TROUBLES)[number];

/**
 * Of a message that a person wrote: `scheduled` waits for its time, `uncertain` may have arrived and is never
 * sent again by itself, `cancelled` was taken back before it left.
 */
export const DELIVERY_STATES = [
  'scheduled',
  'queued',
  'sending',
  'sent',
  'failed',
  'uncertain',
  'cancelled',
] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** A file that goes with a message. */
export interface OutgoingAttachment {
  filename: string;
  contentType: string;
  /** base64 */
  content: string;
}

/** Total size of the files of a sent message; hosts accept 25 MB, and base64 adds a third. */
export const MAX_MESSAGE_BYTES = 10_000_000;

/** When a message that waits is sent, and whether an answer that comes before then cancels it. Choice 126. */
export interface SendingTime {
  sendAt: Date;
  cancelOnReply: boolean;
}

/** Choice 126: the farthest that a message is put off. */
export const MAX_SCHEDULED_DAYS = 60;

/** Choice 126: their files, of 10 MB each at most, are kept in the database until then. */
export const MAX_SCHEDULED_MESSAGES = 200;
