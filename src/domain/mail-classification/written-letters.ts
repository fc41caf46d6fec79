/** What a letter is that reports nothing: its words decide, and its headers where these say nothing. */
import type { MessageKind } from '../inbox.ts';
import { isByMachine, isReceipt, isToMany, namesLetter } from './automatic-letters.ts';
import { saysAutoReply } from './auto-replies.ts';
import type { LetterView } from './letter.ts';
import { isReSubject } from './answered.ts';
import { isAutomaticSubject, readSigns, type Signs } from './signs.ts';
import { asksBySubject } from './unsubscribe-requests.ts';

/** Of the letter alone, and what it is if it answers one of ours. */
export interface WrittenKind {
  kind: MessageKind;
  ifAnswers: MessageKind;
  /** A `message` that a machine sent, or that went to many. */
  isAutomatic?: true;
}

/** `words`: the letter without its quotes. */
export function readWritten(letter: LetterView, words: string): WrittenKind {
  const { headers, subject } = letter;
  const names = namesLetter(headers);
  const hasAutoSubject = isAutomaticSubject(subject);
  // "This message was sent automatically" stands in newsletters, too, and "unsubscribe" at their end.
  if (isToMany(headers) && !names) {
    const isAnswer = saysAutoReply(headers) || hasAutoSubject || isReceipt(subject);
    return isAnswer ? AUTO_REPLY : NOTICE;
  }
  if (hasAutoSubject) return AUTO_REPLY;
  const signs = readSigns(words, nameOf(letter));
  const isMachines = saysAutoReply(headers) || isByMachine(headers);
  if (asksBySubject(subject, words)) return OPT_OUT;
  // "He has left us; delete his address": nobody speaks of themselves there.
  if (signs.isOptOut && !(hasWordsOfMachine(signs) && (isMachines || signs.hasLeft)))
    return OPT_OUT;
  if (isAutomatic(signs, headers)) {
    const { isAway, hasLeft, isReceived } = signs;
    const isAnswer = names || isReSubject(subject) || isReceipt(subject);
    // "Do not reply to this message" stands in invoices, too.
    return isAnswer || isAway || hasLeft || isReceived ? AUTO_REPLY : NOTICE;
  }
  if (!isMachines) return isAnswer(letter) ? REPLY : { kind: 'message', ifAnswers: 'reply' };
  return byHeadersAgainst(signs, letter, words);
}

const NOTICE: WrittenKind = { kind: 'message', ifAnswers: 'auto_reply', isAutomatic: true };
const AUTO_REPLY: WrittenKind = { kind: 'auto_reply', ifAnswers: 'auto_reply' };
const OPT_OUT: WrittenKind = { kind: 'unsubscribe_request', ifAnswers: 'unsubscribe_request' };
const REPLY: WrittenKind = { kind: 'reply', ifAnswers: 'reply' };

const hasWordsOfMachine = ({ isAway, hasLeft, isReceived, isGenerated }: Signs): boolean =>
  isAway || hasLeft || isReceived || isGenerated;

/** By its words; who asks or proposes something while away is a person, unless headers say otherwise. */
function isAutomatic(signs: Signs, headers: LetterView['headers']): boolean {
  if (!hasWordsOfMachine(signs)) return false;
  const isPerson = signs.isPersonal || signs.asks;
  if (saysAutoReply(headers) || isByMachine(headers)) {
    return signs.isAway || signs.hasLeft || !signs.isPersonal;
  }
  return !isPerson;
}

/** Helpdesks mark what people write in them; no words of a machine were found. */
function byHeadersAgainst(signs: Signs, letter: LetterView, words: string): WrittenKind {
  const { headers, subject } = letter;
  const says = saysAutoReply(headers);
  const isSure = signs.isPersonal || signs.asks;
  if (!isSure && (isReceipt(subject) || (words.trim() === '' && namesLetter(headers)))) {
    return AUTO_REPLY;
  }
  const isPerson = isSure || (signs.isTalk && !says);
  const ifAnswers: MessageKind = isPerson ? 'reply' : 'needs_review';
  if (namesLetter(headers)) return { kind: ifAnswers, ifAnswers };
  if (says && !isPerson) return { kind: 'needs_review', ifAnswers };
  return { kind: 'message', ifAnswers, isAutomatic: true };
}

/** The name that an answer greets: of the address it came to. */
const nameOf = ({ headers }: LetterView): string =>
  /\p{L}{3,}/u.exec((headers.get('to') ?? '').toLowerCase().normalize('NFKD'))?.[0] ?? '';

/** RFC 5322, 3.6.4. */
const isAnswer = ({ headers }: LetterView): boolean =>
  headers.has('in-reply-to') || (headers.has('references') && isReSubject(headers.get('subject')));
