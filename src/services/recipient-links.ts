/** What recipients do with the links in their letters. Mail: rules of sending; RFC 8058. */
import type { Transaction } from 'kysely';
import type { Context } from '../context.ts';
import { despiteDeadlocks } from '../db/deadlocks.ts';
import { findSendOfLink, suppressRecipient } from '../db/recipient-links.ts';
import { recordSendOutcome } from '../db/send-outcomes.ts';
import type { Database } from '../db/tables.ts';

type Needs = Pick<Context, 'db' | 'clock' | 'logger' | 'config'>;

/**
 * No more mail for whom the letter went to: suppressed, follow-ups stopped, told to the client. May
 * be repeated. A letter whose campaign is gone is nothing that the recipient could cure.
 */
export const unsubscribe = (context: Needs, sendId: number): Promise<void> =>
  record(context, sendId, { kind: 'unsubscribed' });

/** The letter's picture was fetched. */
export const noteOpening = (context: Needs, sendId: number): Promise<void> =>
  record(context, sendId, { kind: 'opened' });

/** A link of the letter was followed. */
export const noteClick = (context: Needs, sendId: number, target: string): Promise<void> =>
  record(context, sendId, { kind: 'clicked', detail: { url: target } });

async function record(
  { db, clock, logger, config }: Needs,
  sendId: number,
  outcome: { kind: 'unsubscribed' | 'opened' | 'clicked'; detail?: Record<string, string> },
): Promise<void> {
  const inTransaction = async (trx: Transaction<Database>) => {
    const send = await findSendOfLink(trx, sendId);
    if (!send) return false;
    await recordSendOutcome(trx, sendId, { ...outcome, at: clock.now() }, config);
    if (outcome.kind === 'unsubscribed') await suppressRecipient(trx, send);
    return true;
  };
  const isKnown = await despiteDeadlocks(() => db.transaction().execute(inTransaction));
  if (!isKnown) logger.warn({ sendId, kind: outcome.kind }, 'the letter of a link is gone');
}
