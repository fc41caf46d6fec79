/** Words for the inbox: which way a message went, and what it is. */

export type MessageDirection = 'inbound' | 'outbound';

/**
 * What a message is; only `reply` stops a sequence as an answer. Of one that `needs_review` the headers
 * say that a machine wrote it, and its words do not: the sequence waits until a person has decided.
 * Mail: rules of sending.
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

/** What a person may decide that such a message is. */
export const DECIDED_KINDS = ['reply', 'auto_reply', 'unsubscribe_request', 'message'] as const;
export type DecidedKind = (typeof DECIDED_KINDS)[number];

/** Of people who were written to, and of the machines that answer for them. */
export const ANSWER_KINDS: readonly MessageKind[] = [
  'reply',
  'auto_reply',
  'unsubscribe_request',
  'needs_review',
];

export type FolderRole = 'inbox' | 'sent' | 'junk' | 'other';

/** Why a mailbox cannot be read. */
export const SYNC_TROUBLES = ['login_refused', 'host_unreachable', 'unreadable'] as const;
export type SyncTrouble = (typeof SYNC_TROUBLES)[number];

/** Of a message that a person wrote; `uncertain` may have arrived and is never sent again by itself. */
export const DELIVERY_STATES = ['queued', 'sending', 'sent', 'failed', 'uncertain'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** A file that goes with a message. */
export interface OutgoingAttachment {
  filename: string;
  contentType: string;
  /** base64 */
  content: string;
}

/** Files of a message that is sent, together; hosts take 25 MB, and base64 makes a third more of it. */
export const MAX_MESSAGE_BYTES = 10_000_000;
