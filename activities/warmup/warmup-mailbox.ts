/** The mailbox of a round of warm-up, and what all steps of the round share. */
import type { Context } from '../../src/context.ts';
import { passwordBinding } from '../../src/db/mailboxes/mailboxes.ts';
import type { WarmupSnapshot } from '../../src/db/warmup/warmups.ts';
import type { MailboxAccess } from '../../src/providers/mail-transport/port.ts';

export type WarmupContext = Pick<
  Context,
  'db' | 'config' | 'cipher' | 'clock' | 'logger' | 'mailTransport'
>;

/** One attempt at a round. */
export interface WarmupSession {
  context: WarmupContext;
  mailboxId: number;
  operationId: number;
  /** Fences what a dead attempt may still do. */
  claimedBy: string;
  signal: AbortSignal;
}

/** The mailbox as it was seen at the last look. */
export interface WarmupMailbox extends WarmupSnapshot {
  access: MailboxAccess;
  now: Date;
}

/** Undefined while the cluster is not active or the mailbox has no login. */
export function reachableMailbox(
  { cipher }: WarmupContext,
  look: WarmupSnapshot,
  now: Date,
): WarmupMailbox | undefined {
  const { host, password, email, row } = look;
  if (look.clusterStatus !== 'active' || host === null || password === null) return undefined;
  const opened = cipher.open(password, passwordBinding(row.mailbox_id));
  return { ...look, access: { host, email, password: opened }, now };
}
