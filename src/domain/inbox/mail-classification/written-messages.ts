/** What a message is that reports nothing: its words decide, and its headers where these say nothing. */
import type { MessageKind } from '../inbox.ts';
import { isByMachine, isNotice, isReceipt, isToMany, namesMessage } from './automatic-messages.ts';
import { saysAutoReply } from './auto-replies.ts';
import type { MessageView } from './message.ts';
import { isReSubject } from './answered.ts';
import { SOME, SURE, weigh, type Evidence } from './evidence.ts';
import { namesOf } from './greetings.ts';
import { isAutomaticSubject, readSigns, type Signs } from './signs.ts';
import { asksBySubject, asksIn, ownSubject } from './unsubscribe-requests.ts';

/** Of the message alone, and what it is if it answers one of ours. */
export interface WrittenKind {
  kind: MessageKind;
  ifAnswers: MessageKind;
  /** A `message` that a machine sent, or that went to many. */
  isAutomatic?: true;
}

/** `words`: the message without its quotes; `hasQuote`: it has some. */
export function readWritten(message: MessageView, words: string, hasQuote: boolean): WrittenKind {
  const { headers } = message;
  const names = namesMessage(headers);
  const subject = ownSubject(message.subject);
  const signs = readSigns(words, namesOf(message));
  const hasAutoSubject = isAutomaticSubject(subject);
  // "This message was sent automatically" stands in newsletters, too, and "unsubscribe" at their end.
  if (isToMany(headers) && !names) {
    const isAnswer = (hasAutoSubject && isOfMachine(signs)) || isReceipt(subject);
    return isAnswer || saysAutoReply(headers) ? AUTO_REPLY : NOTICE;
  }
  const isMachines = saysAutoReply(headers) || isByMachine(headers);
  if (asksBySubject(subject, words) || (!isReSubject(message.subject) && asksIn(subject, words)))
    return OPT_OUT;
  // "He has left us; delete his address": nobody speaks of themselves there.
  if (signs.isOptOut && !hasAutoSubject && !(isOfMachine(signs) && (isMachines || signs.hasLeft)))
    return OPT_OUT;
  const evidence = weigh(signs, message, {
    hasAutoSubject,
    isReceipt: isReceipt(subject),
    hasQuote,
  });
  if (evidence.ofMachine >= SURE && evidence.ofMachine > evidence.ofPerson) {
    const { isAway, hasLeft, isReceived } = signs;
    const isAnswer = names || isReSubject(message.subject) || hasAutoSubject || isReceipt(subject);
    // "Do not reply to this message" stands in invoices, too.
    const saysSo = isAway || hasLeft || isReceived;
    return isAnswer || (saysSo && !isNotice(`${message.subject}\n${words}`)) ? AUTO_REPLY : NOTICE;
  }
  if (!isMachines) return isAnswer(message) ? REPLY : { kind: 'message', ifAnswers: 'reply' };
  return byHeadersAgainst(signs, message, words, evidence);
}

const NOTICE: WrittenKind = { kind: 'message', ifAnswers: 'auto_reply', isAutomatic: true };
const AUTO_REPLY: WrittenKind = { kind: 'auto_reply', ifAnswers: 'auto_reply' };
const OPT_OUT: WrittenKind = { kind: 'unsubscribe_request', ifAnswers: 'unsubscribe_request' };
const REPLY: WrittenKind = { kind: 'reply', ifAnswers: 'reply' };

const isOfMachine = ({ isAway, hasLeft, isReceived, isGenerated }: Signs): boolean =>
  isAway || hasLeft || isReceived || isGenerated;

/** Helpdesks mark what people write in them; what machines say was not found, or a person's words weigh more. */
function byHeadersAgainst(
  signs: Signs,
  message: MessageView,
  words: string,
  { ofPerson }: Evidence,
): WrittenKind {
  const { headers } = message;
  const says = saysAutoReply(headers);
  if (ofPerson < SOME && words.trim() === '' && namesMessage(headers)) return AUTO_REPLY;
  const isPerson =
    ofPerson >= SURE || (signs.isTalk && (!says || ofPerson > 0)) || (!says && isLong(words));
  const ifAnswers: MessageKind = isPerson || isOfPerson(signs) ? 'reply' : 'needs_review';
  if (namesMessage(headers)) return { kind: ifAnswers, ifAnswers };
  if (says && !isPerson) return { kind: 'needs_review', ifAnswers };
  return { kind: 'message', ifAnswers, isAutomatic: true };
}

/** A whole sentence without a word of machines. */
const isLong = (words: string): boolean =>
  words.split(/\s+/).length >= 6 || /\p{Lo}{15}/u.test(words);

const isOfPerson = ({ isPersonal, asks, greets, isFromPhone }: Signs): boolean =>
  isPersonal || asks || greets || isFromPhone;

/** RFC 5322, 3.6.4. */
const isAnswer = ({ headers }: MessageView): boolean =>
  headers.has('in-reply-to') || (headers.has('references') && isReSubject(headers.get('subject')));
