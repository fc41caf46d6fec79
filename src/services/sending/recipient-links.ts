/** Handles the links in messages to recipients. docs/sending-rules.md#unsubscribing; RFC 8058. */
import type { Transaction } from 'kysely';
import type { Context } from '../../context.ts';
import { noteChange } from '../../db/accounts/audit-log.ts';
import { commitOnce } from '../../db/accounts/request-effects.ts';
import { despiteDeadlocks } from '../../db/deadlocks.ts';
import { insertFetch } from '../../transactions/link-fetches.ts';
import { findSendOfLink, suppressRecipient } from '../../db/sending/recipient-links.ts';
import { recordSendOutcome } from '../../transactions/send-outcomes.ts';
import type { Database } from '../../db/tables.ts';
import type { RecipientLink } from '../../domain/sending/recipient-links.ts';

type Needs = Pick<Context, 'db' | 'clock' | 'logger' | 'config'>;

/**
 * Stops all mail to the message's recipient: suppressed, follow-ups stopped, reported to the client.
 * Safe to repeat. Succeeds also when the campaign is gone: the recipient could not fix that.
 */
export async function unsubscribe(
  { db, clock, logger, config }: Needs,
  sendId: number,
): Promise<void> {
  const inTransaction = async (trx: Transaction<Database>) => {
    const send = await findSendOfLink(trx, sendId);
    if (!send) return false;
    await recordSendOutcome(trx, sendId, { kind: 'unsubscribed', at: clock.now() }, config);
    await suppressRecipient(trx, send);
    noteChange({ userId: send.user_id, after: { sendId } });
    return true;
  };
  const isKnown = await despiteDeadlocks(() => commitOnce(db, inTransaction));
  if (!isKnown) logger.warn({ sendId, kind: 'unsubscribed' }, 'the message of a link is gone');
}

/**
 * A link of the message, or its tracking pixel (no target), was fetched. Whether a person opened or
 * clicked is judged a few seconds later, when other fetches are known.
 */
export async function noteFetch(
  { db, clock, logger }: Needs,
  { sendId, target = '' }: Pick<RecipientLink, 'sendId' | 'target'>,
  isMachine: boolean,
): Promise<void> {
  if (await insertFetch(db, { sendId, target, at: clock.now(), isMachine })) return;
  logger.warn({ sendId, kind: 'fetched' }, 'the message of a link is gone');
}
