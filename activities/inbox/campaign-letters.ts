/** Puts what a campaign has written into the threads of its answers, so that both sides are read. */
import type { Transaction } from 'kysely';
import { insertMessages, type NewMessage } from '../../src/db/inbox/messages.ts';
import { listAnsweredLetters, type AnsweredLetter } from '../../src/db/sending/send-texts.ts';
import type { Database } from '../../src/db/tables.ts';
import type { MatchedSend } from '../../src/db/inbox/message-sends.ts';
import { oneLine } from './letter-people.ts';

export interface CampaignAnswer {
  send: Omit<MatchedSend, 'emailKey'>;
  threadId: number;
}

const SNIPPET_CHARS = 200;

/**
 * Before the answers, in the same transaction. Letters that the inbox has already, from the host's
 * Sent folder or with an answer before, stay as they are. Choice 34. Needs `lockInbox`.
 */
export async function insertCampaignLetters(
  trx: Transaction<Database>,
  userId: string,
  answers: readonly CampaignAnswer[],
): Promise<void> {
  const bySend = new Map(answers.map((answer) => [answer.send.id, answer]));
  const letters = await listAnsweredLetters(trx, [...bySend.keys()]);
  const byMailbox = new Map<number, NewMessage[]>();
  for (const letter of letters) {
    const messages = byMailbox.get(letter.mailboxId) ?? [];
    byMailbox.set(letter.mailboxId, messages);
    messages.push(asMessage(letter, bySend.get(letter.answeredId)!));
  }
  for (const [mailboxId, messages] of byMailbox) {
    await insertMessages(trx, { userId, mailboxId }, firstOfEach(messages));
  }
}

/** Two answers of one person are about the same letters. */
function firstOfEach(messages: readonly NewMessage[]): NewMessage[] {
  const byId = new Map(messages.map((message) => [message.messageId, message]));
  return [...byId.values()];
}

const asMessage = (letter: AnsweredLetter, { send, threadId }: CampaignAnswer): NewMessage => ({
  threadId,
  direction: 'outbound',
  kind: 'message',
  messageId: letter.messageId,
  inReplyTo: letter.references.at(-1) ?? null,
  referenceIds: letter.references,
  fromAddress: letter.fromAddress,
  fromName: letter.fromName,
  toAddresses: [letter.to],
  ccAddresses: [],
  replyTo: null,
  subject: letter.subject,
  snippet: oneLine(letter.text.slice(0, SNIPPET_CHARS * 5)).slice(0, SNIPPET_CHARS),
  bodyText: letter.text,
  bodyHtml: null,
  sentAt: letter.at,
  receivedAt: letter.takenAt,
  isRead: true,
  labels: [],
  archived: false,
  campaignId: letter.campaignId,
  leadId: send.leadId,
  sendId: letter.sendId,
  sizeBytes: Buffer.byteLength(letter.text),
  facts: {},
  attachments: [],
});
