/** Tells what a letter is. Choice 34; Mail: rules of sending. */
import { isReport, readBounce } from './bounces.ts';
import { readComplaint } from './complaints.ts';
import { isAutoReply } from './auto-replies.ts';
import { isByMachine, isToMany, namesLetter } from './automatic-letters.ts';
import type { LetterFacts, LetterView, Verdict } from './letter.ts';
import { ownWords } from './quotes.ts';
import { readReturnDate } from './return-dates.ts';
import { isUnsubscribeRequest } from './unsubscribe-requests.ts';
import { readVerp } from './verp.ts';

export type { LetterFacts, LetterView, ReportPart, Verdict } from './letter.ts';

/**
 * Reports of machines first (they quote anything), then automatic answers, then what people wrote.
 * A letter that answers nothing is a `message`; whether it comes from somebody who was written to is
 * for the caller to know. Own mail is always a `message`.
 */
export function classifyLetter(letter: LetterView): Verdict {
  const is = (kind: Verdict['kind'], facts: LetterFacts = {}): Verdict => ({
    kind,
    facts,
    mayBeAnswer: kind === 'message',
  });
  const report = (kind: 'complaint' | 'bounce', facts: LetterFacts): Verdict => {
    // People may write to the address, too; they are known by what they answer.
    const verp = readVerp(letter.headers);
    return is(kind, verp ? { ...facts, verpSendId: verp.sendId, verpTag: verp.tag } : facts);
  };
  const complaint = readComplaint(letter);
  if (complaint) return report('complaint', complaint);
  const bounce = readBounce(letter);
  if (bounce) return report('bounce', bounce);
  if (isReport(letter) || letter.ownAddresses.has(letter.fromAddress)) {
    return { kind: 'message', facts: {}, mayBeAnswer: false };
  }
  const words = ownWords(letter.text);
  if (isAutoReply(letter, words)) {
    const returnDate = readReturnDate(`${letter.subject}\n${words}`, letter.receivedAt);
    return is('auto_reply', returnDate === undefined ? {} : { returnDate });
  }
  // The word stands at the end of each newsletter.
  const isNewsletter = isToMany(letter.headers) && !namesLetter(letter.headers);
  if (!isNewsletter && isUnsubscribeRequest(letter, words)) return is('unsubscribe_request');
  if (isAnswer(letter)) return is('reply');
  const isAutomatic = isNewsletter || isByMachine(letter.headers);
  return isAutomatic ? { ...is('message'), mayBeAnswer: false, isAutomatic } : is('message');
}

/** RFC 5322, 3.6.4. */
const isAnswer = ({ headers }: LetterView): boolean =>
  headers.has('in-reply-to') || (headers.has('references') && isReSubject(headers.get('subject')));

/** Re:, AW:, Sv:, Odp: ... of mail programs that keep no In-Reply-To. */
const isReSubject = (subject = ''): boolean =>
  /^\s*(?:re|aw|antw(?:ort)?|sv|vs|odp|rif|r|res|ynt|tr)(?:\[\d+\])?\s*:/i.test(subject);
