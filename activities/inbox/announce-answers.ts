/** Tells clients of each answer that has come in, the first of a lead and those after it. */
import type { Transaction } from 'kysely';
import { insertEvents } from '../../src/db/webhooks/events.ts';
import type { Database } from '../../src/db/tables.ts';
import { ANSWER_KINDS } from '../../src/domain/inbox/inbox.ts';
import { kindOf, type Match } from './match-sends.ts';
import type { ReadMessage } from './read-message.ts';
import type { FolderRead } from './store-messages.ts';

/** A message that was stored, and what it was tied to. */
export interface StoredMessage {
  message: ReadMessage;
  match: Match | undefined;
  inboxId: number | undefined;
  threadId: number;
}

/** Ids alone: who may see more is told by the endpoint's delivery. */
export async function announceAnswers(
  trx: Transaction<Database>,
  { userId, mailboxId }: Pick<FolderRead, 'userId' | 'mailboxId'>,
  stored: readonly StoredMessage[],
): Promise<void> {
  const events = stored.flatMap(({ message, match, inboxId, threadId }) => {
    const kind = kindOf(message, match);
    if (!match || inboxId === undefined || !ANSWER_KINDS.includes(kind)) return [];
    const { campaignId, leadId, id: sendId } = match.send;
    const at = message.receivedAt.toISOString();
    return {
      userId,
      type: 'message.received' as const,
      resource: leadId === null ? `message/${inboxId}` : `lead/${leadId}`,
      payload: { inboxId, threadId, kind, campaignId, leadId, mailboxId, sendId, at },
    };
  });
  if (events.length > 0) await insertEvents(trx, events);
}
