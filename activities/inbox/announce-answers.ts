/** Tells clients of each answer that came in, the first of a lead and later ones. */
import type { Transaction } from 'kysely';
import { insertEvents } from '../../src/db/webhooks/events.ts';
import type { Database } from '../../src/db/tables.ts';
import type { Judgement } from '../../src/domain/inbox/interest/interest.ts';
import { isAnswer } from '../../src/domain/inbox/inbox.ts';
import { kindOf, type Match } from './match-sends.ts';
import type { ReadMessage, FolderRead } from './read-message.ts';

/** A stored message, and the send that it was matched to. */
export interface StoredMessage {
  message: ReadMessage;
  match: Match | undefined;
  inboxId: number | undefined;
  threadId: number;
  judgement: Judgement | undefined;
}

/** Ids only: the delivery adds content where the endpoint may see it. */
export async function announceAnswers(
  trx: Transaction<Database>,
  { userId, mailboxId }: Pick<FolderRead, 'userId' | 'mailboxId'>,
  stored: readonly StoredMessage[],
): Promise<void> {
  const events = stored.flatMap(({ message, match, inboxId, threadId, judgement }) => {
    const kind = kindOf(message, match);
    if (!match || inboxId === undefined || !isAnswer(kind)) return [];
    const { campaignId, leadId, id: sendId } = match.send;
    const at = message.receivedAt.toISOString();
    return {
      userId,
      type: 'message.received' as const,
      resource: leadId === null ? `message/${inboxId}` : `lead/${leadId}`,
      payload: {
        inboxId,
        threadId,
        kind,
        campaignId,
        leadId,
        mailboxId,
        sendId,
        at,
        interest: judgement?.interest ?? null,
      },
    };
  });
  if (events.length > 0) await insertEvents(trx, events);
}
