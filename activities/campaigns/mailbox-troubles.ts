/**
 * Handles a mailbox that cannot be used: it rests, or is taken out until it works again.
 * docs/sending-rules.md#mailboxes-that-fail.
 */
import {
  hasSentSince,
  markMailboxes,
  markSenderRefused,
  restMailbox,
} from '../../src/db/sending/sending-mailboxes.ts';
import { sendingMs } from '../../src/domain/sending/sending-time.ts';
import type { SessionTools } from './tools.ts';

export type MailboxTrouble =
  | { kind: 'login_refused' }
  | { kind: 'sender_refused'; isListed: boolean }
  | { kind: 'unreachable'; message: string };

/** Seconds of sending to rest after the first failure; doubled after each further one. */
const REST_SECONDS = 5;
const MAX_REST_SECONDS = 15 * 60;

/** What stays of them from one session to the next, so that a host that is down is not dialled all the time. */
export interface TroubleMemory {
  /** Consecutive failures by mailbox. */
  failures: Map<number, number>;
  /** When the message to a lead was last put off for trouble of the host: by lead, then by mailbox. */
  putOffs: Map<number, Map<number, Date>>;
  /** When each mailbox has last sent: known before it is written. */
  sentAt: Map<number, Date>;
}

export const newTroubles = (): TroubleMemory => ({
  failures: new Map(),
  putOffs: new Map(),
  sentAt: new Map(),
});

export function createMailboxTroubles(
  tools: Pick<SessionTools, 'db' | 'config' | 'clock' | 'logger'>,
  { failures, putOffs, sentAt }: TroubleMemory,
) {
  return {
    /**
     * Whether the host puts off this message, and not all: the mailbox has sent others since it last did. A host may
     * check recipients, or sign, and fail at one message each time. What went before its last try says nothing of now.
     */
    async isOfMessage({ leadId, mailboxId }: { leadId: number; mailboxId: number }) {
      const byMailbox = putOffs.get(leadId) ?? new Map<number, Date>();
      const last = byMailbox.get(mailboxId);
      putOffs.set(leadId, byMailbox.set(mailboxId, tools.clock.now()));
      if (last === undefined) return false;
      const sent = sentAt.get(mailboxId);
      return (sent !== undefined && sent > last) || hasSentSince(tools.db, mailboxId, last);
    },
    async note(mailboxId: number, trouble: MailboxTrouble): Promise<void> {
      const now = tools.clock.now();
      tools.logger.warn({ mailboxId, ...trouble }, 'a mailbox cannot be used');
      if (trouble.kind !== 'unreachable') {
        await tools.db
          .transaction()
          .execute((trx) =>
            trouble.kind === 'sender_refused'
              ? markSenderRefused(trx, mailboxId, { isListed: trouble.isListed, now })
              : markMailboxes(trx, [mailboxId], trouble.kind, now),
          );
        return;
      }
      const count = failures.get(mailboxId) ?? 0;
      failures.set(mailboxId, count + 1);
      const seconds = Math.min(MAX_REST_SECONDS, REST_SECONDS * 2 ** Math.min(count, 20));
      const restMs = sendingMs(seconds, tools.config.DAY_SECONDS);
      await restMailbox(tools.db, mailboxId, new Date(now.getTime() + restMs));
    },
    /** The mailbox works again. */
    noteSent(mailboxId: number): void {
      failures.delete(mailboxId);
      sentAt.set(mailboxId, tools.clock.now());
    },
    /** The message is sent, or given up. */
    forgetLead: (leadId: number): void => void putOffs.delete(leadId),
  };
}
