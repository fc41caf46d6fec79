/** What recipients do with the links in their messages. Mail: rules of sending; RFC 8058. */
import type { Transaction } from 'kysely';
import type { Context } from '../../context.ts';
import { despiteDeadlocks } from '../../db/deadlocks.ts';
import { insertFetch } from '../../db/sending/link-fetches.ts';
import { findSendOfLink, suppressRecipient } from '../../db/sending/recipient-links.ts';
import { recordSendOutcome } from '../../db/sending/send-outcomes.ts';
import type { Database } from '../../db/tables.ts';
import type { RecipientLink } from '../../domain/sending/recipient-links.ts';

type Needs = Pick<Context, 'db' | 'clock' | 'logger' | 'config'>;

/**
 * No more mail for whom the message went to: suppressed, follow-ups stopped, told to the client. May
 * be repeated. A message whose campaign is gone is nothing that the recipient could cure.
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
    return true;
  };
  const isKnown = await despiteDeadlocks(() => db.transaction().execute(inTransaction));
  if (!isKnown) logger.warn({ sendId, kind: 'unsubscribed' }, 'the message of a link is gone');
}

/**
 * A link of the message, or its picture (no target), was fetched. Whether that was an opening or a
 * click of a person is judged a few seconds later, when it is known what else was fetched.
 */
export async function noteFetch(
  { db, clock, logger }: Needs,
  { sendId, target = '' }: Pick<RecipientLink, 'sendId' | 'target'>,
  isMachine: boolean,
): Promise<void> {
  if (await insertFetch(db, { sendId, target, at: clock.now(), isMachine })) return;
  logger.warn({ sendId, kind: 'fetched' }, 'the message of a link is gone');
}
