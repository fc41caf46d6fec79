/** What the inbox shows for a message that the database rejects, or whose text does not come. */
import { createHash } from 'node:crypto';
import type { ReadMessage } from './read-message.ts';

type Known = Pick<ReadMessage, 'uid' | 'isSeen' | 'messageId' | 'receivedAt' | 'sizeBytes'>;

/** The message without anything that its sender chose. Deterministic. */
export const asUnstorable = (message: Known): ReadMessage => ({
  uid: message.uid,
  isSeen: message.isSeen,
  headers: new Map(),
  messageId: `<${createHash('sha256').update(message.messageId).digest('hex').slice(0, 40)}@unreadable.invalid>`,
  inReplyTo: null,
  referenceIds: [],
  fromAddress: '',
  fromName: null,
  toAddresses: [],
  ccAddresses: [],
  replyTo: null,
  subject: '(unreadable)',
  snippet: '',
  bodyText: '',
  bodyHtml: null,
  sentAt: message.receivedAt,
  receivedAt: message.receivedAt,
  sizeBytes: message.sizeBytes,
  attachments: [],
  verdict: { kind: 'message', facts: {}, ifAnswers: 'message' },
});
