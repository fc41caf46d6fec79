/** Handles the links in messages to recipients. docs/sending-rules.md#unsubscribing; RFC 8058. */
import type { Transaction } from 'kysely';
import type { Context } from '../../context.ts';
import { noteChange } from '../../db/accounts/audit-log.ts';
import { commitOnce } from '../../db/accounts/request-effects.ts';
import { despiteDeadlocks } from '../../db/deadlocks.ts';
import { insertFetch } from '../../transactions/link-fetches.ts';
import { findSendOfLink, mayTakeBack } from '../../db/sending/recipient-links.ts';
import {
  takeBackUnsubscription,
  type TakenBack,
} from '../../transactions/take-back-unsubscription.ts';
import { recordSendOutcome } from '../../transactions/send-outcomes.ts';
import type { Database } from '../../db/tables.ts';
import type { RecipientLink } from '../../domain/sending/recipient-links.ts';
import { hintCampaigns } from '../campaigns/campaign-wakes.ts';

type Needs = Pick<Context, 'db' | 'clock' | 'logger' | 'config'>;

/**
 * Stops all mail to the message's recipient: suppressed, follow-ups stopped, reported to the client.
 * Safe to repeat. Succeeds also when the campaign is gone: the recipient could not fix that. Returns the id of the entry
 * where this request has made it and the recipient may take it back.
 */
export async function unsubscribe(
  { db, clock, logger, config }: Needs,
  sendId: number,
): Promise<number | undefined> {
  const now = clock.now();
  const inTransaction = async (trx: Transaction<Database>) => {
    const send = await findSendOfLink(trx, sendId);
    if (!send) return { isKnown: false, ownId: undefined };
    const outcome = { kind: 'unsubscribed', at: now, isByLink: true } as const;
    const entry = await recordSendOutcome(trx, sendId, outcome, config);
    noteChange({ userId: send.user_id, after: { sendId } });
    const isOwn = entry && (await mayTakeBack(trx, entry));
    return { isKnown: true, ownId: isOwn ? entry.id : undefined };
  };
  const { isKnown, ownId } = await despiteDeadlocks(() => commitOnce(db, inTransaction));
  if (!isKnown) logger.warn({ sendId, kind: 'unsubscribed' }, 'the message of a link is gone');
  return ownId;
}

/**
 * Takes back what the link of a message has done to its recipient's address, and nothing else: bounces, complaints and
 * entries of the owner stay. Safe to repeat. True where the address is not suppressed any more. Choice 155.
 */
export async function resubscribe(
  context: Pick<Context, 'db' | 'clock' | 'temporal'>,
  taken: TakenBack,
): Promise<boolean> {
  const now = context.clock.now();
  const { isDone, campaignIds } = await despiteDeadlocks(() =>
    commitOnce(context.db, (trx) => takeBackUnsubscription(trx, taken, now)),
  );
  await hintCampaigns(context, campaignIds);
  return isDone;
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
