/** Warm-up messages of a mailbox that its inbox reads: handled by the inbox's connection, so that there is one. */
import { hasAskedReader } from '../../src/db/warmup/tending-requests.ts';
import { readWarmupSnapshot } from '../../src/db/warmup/warmups.ts';
import { ProviderError } from '../../src/domain/errors.ts';
import { warmupJobState } from '../../src/domain/warmup/warmup.ts';
import type { ImapSession } from '../../src/providers/mail-transport/port.ts';
import { quarantineForLogin } from './health.ts';
import { listExpected, tendIn } from './tend.ts';
import type { WarmupContext } from './warmup-mailbox.ts';

/** What warm-up has asked for. It leaves any folder selected, and forgets changes that were told of it. */
export async function tendForInbox(
  context: WarmupContext,
  mailboxId: number,
  { session, signal }: { session: ImapSession; signal: AbortSignal },
): Promise<void> {
  const look = await readWarmupSnapshot(context.db, mailboxId);
  if (!look?.isMailboxActive || warmupJobState(look.row.status) !== 'active') return;
  const tending = { context, mailboxId, signal };
  const mailbox = { ...look, now: context.clock.now() };
  const expected = await listExpected(tending, mailbox);
  if (expected.length === 0) return;
  try {
    await tendIn(tending, mailbox, session, expected);
  } catch (error) {
    // A command that is refused says nothing about the connection: the mailbox is read all the same.
    if (!(error instanceof ProviderError && error.kind === 'rejected')) throw error;
    context.logger.warn({ mailboxId, err: error }, 'warm-up messages could not be handled');
  }
}

/** The inbox's login was refused. Where warm-up waits for it, it hears of that as of its own. */
export async function noteRefusedLogin(context: WarmupContext, mailboxId: number): Promise<void> {
  if (await hasAskedReader(context.db, mailboxId)) await quarantineForLogin(context, mailboxId);
}
