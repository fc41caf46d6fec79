/** The mailbox of a warm-up session, and what all steps of the session share. */
import type { Context } from '../../src/context.ts';
import { openLogin } from '../../src/db/mailboxes/mailbox-access.ts';
import type { WarmupSnapshot } from '../../src/db/warmup/warmups.ts';
import type { MailboxAccess } from '../../src/providers/mail-transport/port.ts';

export type WarmupContext = Pick<
  Context,
  'db' | 'config' | 'cipher' | 'clock' | 'logger' | 'mailTransport'
>;

/** One attempt at a session. */
export interface WarmupSession {
  context: WarmupContext;
  mailboxId: number;
  operationId: number;
  /** Fencing token against writes of a dead attempt. */
  claimedBy: string;
  signal: AbortSignal;
  /** Fires when it hangs and is left: it may never come to its end. */
  left?: AbortSignal;
  /** The database without the watch: leases are renewed by it, which says nothing of whether the session gets on. */
  leaseDb?: WarmupContext['db'];
}

/** The mailbox as of the last poll. */
export interface WarmupMailbox extends WarmupSnapshot {
  access: MailboxAccess;
  now: Date;
}

/** Undefined while the cluster is not active or the mailbox has no login. */
export function reachableMailbox(
  context: WarmupContext,
  look: WarmupSnapshot,
  now: Date,
): WarmupMailbox | undefined {
  const { login, row } = look;
  if (look.inboxStatus !== 'active' || login === undefined) return undefined;
  return { ...look, access: openLogin(context, row.mailbox_id, login), now };
}
