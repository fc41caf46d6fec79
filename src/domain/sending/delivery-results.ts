/** Delivery results of messages, as they are stored. */
import type { HoldReason, RecipientStatus, SendState } from '../campaigns/campaigns.ts';

/** The result of a message's SMTP session. */
export interface DeliveryResult {
  sendId: number;
  leadId: number;
  mailboxId: number;
  step: number;
  variant: number;
  messageId: string;
  /** `back`: its text was not begun and no server has refused it, so the claim is released. */
  state: Extract<SendState, 'sent' | 'deferred' | 'refused' | 'uncertain'> | 'back';
  reply: string;
  subject: string;
  at: Date;
  recipient: {
    status: RecipientStatus;
    /** Position of the next message. */
    step: number;
    dueAt: Date | null;
    holdReason: HoldReason | null;
  };
  /** The address does not exist. */
  hasBounced: boolean;
  /** Refused as spam or by a policy. */
  isRejected?: boolean;
  /** The trouble is of the mailbox or its host: another one may send the first message. */
  isFree?: boolean;
}

/** Whose messages they are. */
export interface EndedSession {
  campaignId: number;
  userId: string;
  claimedBy: string;
}

/** Its recipient is due already: with the first message at another address, or since the sequence has changed. */
export const dueNow = (end: DeliveryResult, dueAt: Date): DeliveryResult => ({
  ...end,
  recipient: { ...end.recipient, dueAt },
});
