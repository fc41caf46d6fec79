/** What stands in the inbox for a letter that the database refuses, or whose text does not come. */
import { createHash } from 'node:crypto';
import type { ReadLetter } from './read-letter.ts';

type Known = Pick<ReadLetter, 'uid' | 'isSeen' | 'messageId' | 'receivedAt' | 'sizeBytes'>;

/** The letter without anything that its writer has chosen; the same at every reading. */
export const asUnstorable = (letter: Known): ReadLetter => ({
  uid: letter.uid,
  isSeen: letter.isSeen,
  headers: new Map(),
  messageId: `<${createHash('sha256').update(letter.messageId).digest('hex').slice(0, 40)}@unreadable.invalid>`,
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
  sentAt: letter.receivedAt,
  receivedAt: letter.receivedAt,
  sizeBytes: letter.sizeBytes,
  attachments: [],
  verdict: { kind: 'message', facts: {}, ifAnswers: 'message' },
});
