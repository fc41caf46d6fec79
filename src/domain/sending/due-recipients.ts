/** The due recipients of a campaign, and why some of them are not written to. Choice 9. */
import type { AddressVerdict } from '../campaigns/address-risk.ts';
import type { HoldReason, RecipientStatus } from '../campaigns/campaigns.ts';
import type { LeadStatus } from '../leads/leads.ts';
import { threadAfter, type MessageRecipient, type MessageThread } from './message-content.ts';
import type { Whereabouts } from '../country-zones.ts';

/** A recipient whose row is locked, with the data that decide about the message and its content. */
export interface DueRecipient {
  leadId: number;
  step: number;
  /** Null: not yet written to. */
  mailboxId: number | null;
  dueAt: Date;
  /** For a deferred first message: the time of the last attempt. */
  triedAt: Date | null;
  /** Key of `recipient.email`. */
  emailKey: string | null;
  leadStatus: LeadStatus;
  isSuppressed: boolean;
  /** Of `recipient.email`. */
  verdict: Omit<AddressVerdict, 'emailKey'>;
  /** So many messages to this address were put off before the lead began anew. */
  again: number;
  /** Their list is being deleted. */
  isGone: boolean;
  /**
   * The address has had the message before: another lead with it, or this one before it was elsewhere; or the first
   * message to another lead there is deferred.
   */
  isWritten: boolean;
  /** Somebody of their company has answered, in a campaign that stops companies. */
  hasCompanyReplied: boolean;
  /** An empty `email` when the lead has none. */
  recipient: MessageRecipient;
  whereabouts: Whereabouts;
  /** Of the answer by which they have entered the campaign, oldest first, and the mailbox that has it. */
  answered: { mailboxId: number; messages: readonly ThreadMessage[] } | null;
  /** What the campaign has sent to them, oldest first. */
  sent: readonly ThreadMessage[];
}

export interface ThreadMessage {
  subject: string;
  messageId: string;
}

/** What their next message continues: the answer only from the mailbox that has it. Choice 117. */
export const threadFrom = (
  { answered, sent }: Pick<DueRecipient, 'answered' | 'sent'>,
  mailboxId: number,
): MessageThread | null =>
  threadAfter(answered?.mailboxId === mailboxId ? answered.messages : [], sent);

/** A recipient who is not written to: never, or not now. */
export interface Dropped {
  leadId: number;
  /** Null: unchanged. */
  status: RecipientStatus | null;
  holdReason: HoldReason | null;
  /** Absent: nothing more is sent. */
  dueAt?: Date | undefined;
}

/** The domain of the address, in lower case; empty where there is none. */
export const recipientDomainOf = ({
  recipient: { email },
}: Pick<DueRecipient, 'recipient'>): string =>
  email.slice(email.lastIndexOf('@') + 1).toLowerCase();
