/** Adds the campaign's messages to the threads of their answers, so that both sides can be read. */
import type { Transaction } from 'kysely';
import { insertMessages, type NewMessage } from '../../src/db/inbox/messages.ts';
import { listAnsweredMessages, type AnsweredMessage } from '../../src/db/sending/send-texts.ts';
import type { Database } from '../../src/db/tables.ts';
import type { MatchedSend } from '../../src/db/inbox/message-sends.ts';
import { oneLine } from './message-people.ts';

export interface CampaignAnswer {
  send: Omit<MatchedSend, 'emailKey'>;
  threadId: number;
}

const SNIPPET_CHARS = 200;

/**
 * Runs before the answers are stored, in the same transaction. Messages that the inbox has already, from
 * the host's Sent folder or with an earlier answer, stay as they are. Choice 34. Needs `lockInbox`.
 */
export async function insertCampaignMessages(
  trx: Transaction<Database>,
  userId: string,
  answers: readonly CampaignAnswer[],
): Promise<void> {
  const bySend = new Map(answers.map((answer) => [answer.send.id, answer]));
  const originals = await listAnsweredMessages(trx, [...bySend.keys()]);
  const byMailbox = new Map<number, NewMessage[]>();
  for (const original of originals) {
    const messages = byMailbox.get(original.mailboxId) ?? [];
    byMailbox.set(original.mailboxId, messages);
    messages.push(asMessage(original, bySend.get(original.answeredId)!));
  }
  for (const [mailboxId, messages] of byMailbox) {
    await insertMessages(trx, { userId, mailboxId }, firstOfEach(messages));
  }
}

/** Removes duplicates: two answers of one person refer to the same messages. */
function firstOfEach(messages: readonly NewMessage[]): NewMessage[] {
  const byId = new Map(messages.map((message) => [message.messageId, message]));
  return [...byId.values()];
}

const asMessage = (original: AnsweredMessage, { send, threadId }: CampaignAnswer): NewMessage => ({
  threadId,
  direction: 'outbound',
  kind: 'message',
  messageId: original.messageId,
  inReplyTo: original.references.at(-1) ?? null,
  referenceIds: original.references,
  fromAddress: original.fromAddress,
  fromName: original.fromName,
  toAddresses: [original.to],
  ccAddresses: [],
  replyTo: null,
  subject: original.subject,
  snippet: oneLine(original.text.slice(0, SNIPPET_CHARS * 5)).slice(0, SNIPPET_CHARS),
  bodyText: original.text,
  bodyHtml: null,
  sentAt: original.at,
  receivedAt: original.takenAt,
  isRead: true,
  labels: [],
  archived: false,
  campaignId: original.campaignId,
  leadId: send.leadId,
  sendId: original.sendId,
  sizeBytes: Buffer.byteLength(original.text),
  facts: {},
  attachments: [],
});
