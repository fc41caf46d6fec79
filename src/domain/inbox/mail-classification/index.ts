/** Tells what a letter is. Choice 34; docs/sending-rules.md#kinds-of-incoming-messages. */
import { kindAs, type Answered } from './answered.ts';
import { isReport, readBounce } from './bounces.ts';
import { readComplaint } from './complaints.ts';
import type { LetterFacts, LetterView, Verdict } from './letter.ts';
import { ownWords, splitQuote } from './quotes.ts';
import { readReturnDate } from './return-dates.ts';
import { readUnsubscribeToken } from './unsubscribe-requests.ts';
import { readVerp } from './verp.ts';
import { readWritten } from './written-letters.ts';

export { isReSubject, kindAs, provesBounce, type Answered } from './answered.ts';
export type { LetterFacts, LetterView, ReportPart, Verdict } from './letter.ts';

/**
 * Reports of machines first (they quote anything), then what the words say, then the headers. A letter
 * that answers nothing is a `message`. `answered` is what is known of the letter it answers; who learns
 * that later asks `kindAs`. Own mail is always a `message`.
 */
export function classifyLetter(letter: LetterView, answered?: Answered): Verdict {
  const verdict = read(letter);
  return { ...verdict, kind: kindAs(verdict, answered) };
}

function read(letter: LetterView): Verdict {
  const complaint = readComplaint(letter);
  if (complaint) {
    return { ...report(letter, 'complaint', complaint.facts), reported: complaint.reported };
  }
  const bounce = readBounce(letter);
  if (bounce) return { ...report(letter, 'bounce', bounce.facts), reported: bounce.reported };
  if (isReport(letter) || letter.ownAddresses.has(letter.fromAddress)) {
    return { kind: 'message', facts: {}, ifAnswers: 'message' };
  }
  // Before what machines send: a mail program asks in its person's name.
  const unsubscribeToken = readUnsubscribeToken(letter.subject);
  if (unsubscribeToken !== undefined) {
    const kind = 'unsubscribe_request' as const;
    return { kind, facts: { unsubscribeToken }, ifAnswers: kind };
  }
  const { words, hasQuote } = splitQuote(letter.text);
  const written = readWritten(letter, words, hasQuote);
  if (written.kind !== 'auto_reply') return { ...written, facts: {} };
  const returnDate = returnDateIn(letter);
  return { ...written, facts: returnDate === undefined ? {} : { returnDate } };
}

/** The day on which the writer of an automatic answer is back. */
export const returnDateIn = ({
  subject,
  text,
  receivedAt,
}: Pick<LetterView, 'subject' | 'text' | 'receivedAt'>): string | undefined =>
  readReturnDate(`${subject}\n${ownWords(text)}`, receivedAt);

function report(
  { headers }: LetterView,
  kind: 'complaint' | 'bounce',
  facts: LetterFacts,
): Verdict {
  // People may write to the address, too; they are known by what they answer.
  const verp = readVerp(headers);
  const all = verp ? { ...facts, verpSendId: verp.sendId, verpTag: verp.tag } : facts;
  return { kind, facts: all, ifAnswers: kind };
}
