/** Who of a campaign is due, and why somebody of them is not written to. Choice 9. */
import type { AddressVerdict } from '../campaigns/address-risk.ts';
import type { HoldReason, RecipientStatus } from '../campaigns/campaigns.ts';
import type { LeadStatus } from '../leads/leads.ts';
import type { MessageRecipient, MessageThread } from './message-content.ts';

/** A recipient whose row is locked, with what decides about the message and what it says. */
export interface DueRecipient {
  leadId: number;
  step: number;
  /** Null: not yet written to. */
  mailboxId: number | null;
  dueAt: Date;
  /** Of a first message that was put off: when it was tried last. */
  triedAt: Date | null;
  /** Key of `recipient.email`. */
  emailKey: string | null;
  leadStatus: LeadStatus;
  isSuppressed: boolean;
  /** Of `recipient.email`. */
  verdict: Omit<AddressVerdict, 'emailKey'>;
  /** Their list is being deleted: they are gone. */
  isGone: boolean;
  /** Another lead with the address had the first message, or its message is put off. */
  isWritten: boolean;
  /** An empty `email` when the lead has none. */
  recipient: MessageRecipient;
  thread: MessageThread | null;
}

/** Somebody who is not written to: never, or not now. */
export interface Dropped {
  leadId: number;
  /** Null: it stays what it is. */
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
