/** Classifies a message. Choice 34; docs/sending-rules.md#kinds-of-incoming-messages. */
import { kindAs, type Answered } from './answered.ts';
import { isReport, readBounce } from './bounces.ts';
import { readComplaint } from './complaints.ts';
import type { MessageFacts, MessageView, Verdict } from './message.ts';
import { ownWords, splitQuote } from './quotes.ts';
import { readReturnDate } from './return-dates.ts';
import { readUnsubscribeToken } from './unsubscribe-requests.ts';
import { readVerp } from './verp.ts';
import { readWritten } from './written-messages.ts';

export { isReSubject, kindAs, provesBounce, type Answered } from './answered.ts';
export type { MessageFacts, MessageView, ReportPart, Verdict } from './message.ts';

/**
 * Machines' reports first (they quote anything), then the text, then the headers. A message that answers
 * nothing is a `message`. `answered`: what is known of the message it answers; if that is learned later, call
 * `kindAs`. The account's own mail is always a `message`.
 */
export function classifyMessage(message: MessageView, answered?: Answered): Verdict {
  const verdict = read(message);
  return { ...verdict, kind: kindAs(verdict, answered) };
}

function read(message: MessageView): Verdict {
  const complaint = readComplaint(message);
  if (complaint) {
    return { ...report(message, 'complaint', complaint.facts), reported: complaint.reported };
  }
  const bounce = readBounce(message);
  if (bounce) return { ...report(message, 'bounce', bounce.facts), reported: bounce.reported };
  if (isReport(message) || message.ownAddresses.has(message.fromAddress)) {
    return { kind: 'message', facts: {}, ifAnswers: 'message' };
  }
  // Before automatic messages: a mail program sends the request for its user.
  const unsubscribeToken = readUnsubscribeToken(message.subject);
  if (unsubscribeToken !== undefined) {
    const kind = 'unsubscribe_request' as const;
    return { kind, facts: { unsubscribeToken }, ifAnswers: kind };
  }
  const { words, quote } = splitQuote(message.text);
  const written = readWritten(message, words, quote);
  if (written.kind !== 'auto_reply') return { ...written, facts: {} };
  const returnDate = returnDateIn(message);
  return { ...written, facts: returnDate === undefined ? {} : { returnDate } };
}

/** The day on which the writer of an automatic answer is back. */
export const returnDateIn = ({
  subject,
  text,
  receivedAt,
}: Pick<MessageView, 'subject' | 'text' | 'receivedAt'>): string | undefined =>
  readReturnDate(`${subject}\n${ownWords(text)}`, receivedAt);

function report(
  { headers }: MessageView,
  kind: 'complaint' | 'bounce',
  facts: MessageFacts,
): Verdict {
  // People may write to the address, too; they are recognised by the message they answer.
  const verp = readVerp(headers);
  const all = verp ? { ...facts, verpSendId: verp.sendId, verpTag: verp.tag } : facts;
  return { kind, facts: all, ifAnswers: kind };
}
