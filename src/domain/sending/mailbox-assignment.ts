/** Which free mailbox sends to which recipient. Choice 7. */
import type { DueRecipient } from './due-recipients.ts';

/** A mailbox that may send `slots` messages now. */
export interface FreeMailbox {
  mailboxId: number;
  slots: number;
  /** False: only its threads continue. */
  takesFirst: boolean;
}

/** Threads are sent from their own mailbox, first messages from those that have slots left, in rotation. */
export function assignMailboxes<R extends Pick<DueRecipient, 'mailboxId'>, M extends FreeMailbox>(
  recipients: readonly R[],
  open: readonly M[],
  most: number,
): { recipient: R; mailbox: M }[] {
  const left = new Map(open.map((mailbox) => [mailbox.mailboxId, mailbox.slots]));
  const byId = new Map(open.map((mailbox) => [mailbox.mailboxId, mailbox]));
  const pairs: { recipient: R; mailbox: M }[] = [];
  const give = (recipient: R, mailbox: M) => {
    left.set(mailbox.mailboxId, left.get(mailbox.mailboxId)! - 1);
    pairs.push({ recipient, mailbox });
  };
  for (const recipient of recipients) {
    if (recipient.mailboxId !== null && pairs.length < most) {
      give(recipient, byId.get(recipient.mailboxId)!);
    }
  }
  let available = open.filter(({ takesFirst }) => takesFirst);
  let next = 0;
  for (const recipient of recipients) {
    if (recipient.mailboxId !== null) continue;
    available = available.filter(({ mailboxId }) => left.get(mailboxId)! > 0);
    if (available.length === 0 || pairs.length >= most) break;
    give(recipient, available[next % available.length]!);
    next += 1;
  }
  return pairs;
}
