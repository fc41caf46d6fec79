/**
 * The kind of a message that is no report: decided by its text, and by its headers where the text is neutral.
 */
import type { MessageKind } from '../inbox.ts';
import { asksToComeBack } from '../interest/come-back.ts';
import {
  hasNullReturnPath,
  isByMachine,
  isNotice,
  isReceipt,
  isToMany,
  namesMessage,
} from './automatic-messages.ts';
import { saysAutoReply } from './auto-replies.ts';
import type { MessageView } from './message.ts';
import { isReSubject } from './answered.ts';
import { SOME, SURE, weigh, type Evidence } from './evidence.ts';
import { folded, visible } from './folding.ts';
import { fromGreeting, namesOf, writersNames } from './greetings.ts';
import { likenessOf, type Likeness } from './likeness/index.ts';
import { isOfferedRefusal } from './offered-words.ts';
import { isOptOut, isQuestion, sentencesOf } from './opt-outs.ts';
import { offersWayOut, withoutWayOut } from './pitches.ts';
import { withoutSignature } from './signatures.ts';
import { isAutomaticSubject, readSigns, type Signs } from './signs.ts';
import { asksBySubject, asksIn, ownSubject } from './unsubscribe-requests.ts';

/** The kind by the message alone, and the kind if it answers one of ours. */
export interface WrittenKind {
  kind: MessageKind;
  ifAnswers: MessageKind;
  /** A `message` that a machine sent, or that went to many. */
  isAutomatic?: true;
}

/** `words`: the message without its quotes; `quote`: those, where it has some. */
export function readWritten(
  message: MessageView,
  words: string,
  quote: string | undefined,
): WrittenKind {
  const hasQuote = quote !== undefined;
  const { headers } = message;
  const names = namesMessage(headers);
  const subject = ownSubject(message.subject);
  const greeted = namesOf(message);
  const ownSaid = withoutWayOut(withoutSignature(words, writersNames(message)));
  const said = fromGreeting(ownSaid, greeted);
  const signs = readSigns(said, greeted);
  const hasAutoSubject = isAutomaticSubject(subject);
  const hasReceiptSubject = isReceipt(subject);
  const isRe = isReSubject(message.subject);
  const looksLikeAnswer = names || isRe || hasAutoSubject || hasReceiptSubject;
  // "This message was sent automatically" stands in newsletters, too, and "unsubscribe" at their end.
  if (isToMany(headers) && !names) {
    const isAnswer = (hasAutoSubject && isOfMachine(signs)) || hasReceiptSubject;
    return isAnswer || saysAutoReply(headers) ? AUTO_REPLY : MAILING;
  }
  if (hasNullReturnPath(headers)) {
    return looksLikeAnswer || saysAutoReply(headers) ? AUTO_REPLY : NOTICE;
  }
  const isMachines = saysAutoReply(headers) || isByMachine(headers);
  if (asksBySubject(subject, words) || (!isRe && asksIn(subject, words))) return OPT_OUT;
  if (isOfferedRefusal(words, quote ?? '')) return OPT_OUT;
  const likeness = likenessOf(said);
  const isAlone = !names && !hasQuote && !hasAutoSubject && !hasReceiptSubject;
  // "He has left us; delete his address": the writer does not mean themselves.
  const isWish =
    signs.isOptOut &&
    !hasAutoSubject &&
    !(isOfMachine(signs) && (isMachines || (isSurelyMachines(signs) && !asksForSelf(words))));
  if (isWish) {
    const doubt = doubtOf(likeness, said, isAlone && !isRe);
    if (doubt === undefined) return OPT_OUT;
    if (doubt === 'needs_review') return { kind: doubt, ifAnswers: doubt };
  } else if (
    !hasAutoSubject &&
    !hasReceiptSubject &&
    !isMachines &&
    !isAlone &&
    (!signs.asks || asksToStop(said)) &&
    saysEnough(said) &&
    isLikeOptOut(likeness, said, signs.keeps)
  ) {
    return OPT_OUT;
  }
  // Also from a recipient of ours: `Your parcel is on its way`, `Reply "stop"`.
  if (isAlone && !saysAutoReply(headers)) {
    if (offersWayOut(folded(words))) return MAILING;
    if (!isRe && isNotice(subject) && !isOfMachine(signs)) return MAILING;
  }
  const evidence = weigh(signs, message, {
    hasAutoSubject,
    isReceipt: hasReceiptSubject,
    hasQuote,
  });
  const ofMachine =
    evidence.ofMachine +
    weightOf(likeness.autoReply) +
    // Headers that no phrase bore out. `Will do.` is like anything.
    (isMachines && likeness.autoReply >= LIKELY && saysEnough(said) ? 1 : 0);
  // The subject of a receipt says more than a text like "We have it".
  const ofPerson =
    evidence.ofPerson +
    (hasAutoSubject || hasReceiptSubject
      ? 0
      : weightOf(Math.max(likeness.reply, likeness.unsubscribe)));
  if (ofMachine >= SURE && ofMachine > ofPerson) {
    const { isAway, hasLeft, isReceived } = signs;
    // "Do not reply to this message" stands in invoices, too.
    const saysSo = isAway || hasLeft || isReceived;
    const isAnswering = looksLikeAnswer || saysAutoReply(headers);
    if (isAnswering || (saysSo && !isNotice(`${message.subject}\n${words}`))) return AUTO_REPLY;
    // To be like automatic answers alone makes no notice.
    if (evidence.ofMachine >= SURE && evidence.ofMachine > evidence.ofPerson) return NOTICE;
  }
  if (!isMachines) return isAnswer(message) ? REPLY : { kind: 'message', ifAnswers: 'reply' };
  return byHeadersAgainst(signs, message, words, evidence);
}

/** From this probability on, likeness counts as evidence; from the higher one on it is sure. */
const LIKELY = 0.5;
const VERY_LIKELY = 0.85;

const weightOf = (probability: number): number =>
  probability >= VERY_LIKELY ? SURE : probability >= LIKELY ? SOME : 0;

/**
 * So much like wishes to hear no more that it is one, without a phrase of them; the higher one where it also
 * continues the conversation.
 */
const LIKE_OPT_OUT = 0.8;
const SURELY_OPT_OUT = 0.95;
/** `Write again next year.` has the words of wishes, and is none. */
const isLikeOptOut = ({ unsubscribe }: Likeness, said: string, keeps: boolean): boolean =>
  unsubscribe >= (keeps ? SURELY_OPT_OUT : LIKE_OPT_OUT) && !asksToComeBack(said);

/**
 * What a phrase of an opt-out is doubted for: `stop sending links, attach the PDF` is like an answer. A stranger's
 * "reply STOP" is an offer, so it has to be all the more like a wish.
 */
function doubtOf(
  { unsubscribe, reply }: Likeness,
  said: string,
  isStrangers: boolean,
): 'reply' | 'needs_review' | undefined {
  if (isStrangers) return unsubscribe >= LIKE_OPT_OUT ? undefined : 'reply';
  if (unsubscribe >= LIKELY || visible(said).trim().length <= MAX_CERTAIN) return undefined;
  if (reply >= VERY_LIKELY) return 'reply';
  if (sentencesOf(said).some(isPlainWish)) return undefined;
  return reply >= DOUBTED_AS_REPLY || unsubscribe < DOUBTED ? 'needs_review' : undefined;
}

/** `Take me out of your address book`, after three friendly sentences: it is judged by itself. */
const isPlainWish = (sentence: string): boolean =>
  /\p{L}{2}/u.test(sentence) &&
  !REPEATED.test(sentence) &&
  isOptOut(sentence, folded(sentence).trim()) &&
  likenessOf(sentence).unsubscribe >= PLAIN_WISH;
const PLAIN_WISH = 0.9;
/** `Unsubscribe? Never!` */
const REPEATED = /^\s*\p{L}+\s*[?？؟]/u;

/** `Could you drop me from whatever this goes out to?`: each question is a wish. */
const asksToStop = (said: string): boolean =>
  sentencesOf(said)
    .filter(isQuestion)
    .every((question) => likenessOf(question).unsubscribe >= PLAIN_WISH);

/** `Hi there` is like anything. */
const saysEnough = (text: string): boolean =>
  (text.match(/\p{L}+/gu) ?? []).length >= MIN_WORDS || /\p{Lo}{6}/u.test(text);
const MIN_WORDS = 4;

/** `Stop!` leaves no doubt. */
const MAX_CERTAIN = 25;
/** An opt-out that is overlooked is worse than one that a person has to decide. */
const DOUBTED_AS_REPLY = 0.65;
const DOUBTED = 0.2;

const MAILING: WrittenKind = { kind: 'message', ifAnswers: 'message', isAutomatic: true };
const NOTICE: WrittenKind = { kind: 'message', ifAnswers: 'auto_reply', isAutomatic: true };
const AUTO_REPLY: WrittenKind = { kind: 'auto_reply', ifAnswers: 'auto_reply' };
const OPT_OUT: WrittenKind = { kind: 'unsubscribe_request', ifAnswers: 'unsubscribe_request' };
const REPLY: WrittenKind = { kind: 'reply', ifAnswers: 'reply' };

/** Phrases that exclude an opt-out. */
const isSurelyMachines = ({ hasLeft, isAway, isReceived, isGenerated, hints }: Signs): boolean =>
  hasLeft || isAway || (isReceived && (isGenerated || hints > 1));

const isOfMachine = ({ isAway, hasLeft, isReceived, isGenerated }: Signs): boolean =>
  isAway || hasLeft || isReceived || isGenerated;

/** `I have retired, please take me off your list`: machines ask it for an address, and name another one. */
const asksForSelf = (words: string): boolean => !words.includes('@') && SELF.test(folded(words));
const SELF =
  /(?:take|remove|delete|unsubscribe|drop|exclude|contact\p{L}{0,20}|e-?mail\p{L}{0,20}|mail\p{L}{0,20}|writ\p{L}{1,20} to|write|send\p{L}{0,20}|bother\p{L}{0,20}|stop|leave) (?:me|us|my|our)(?!\p{L})|(?<!\p{L})(?:mich|uns|mij|ons|mnie|меня|нас|мене|mig|meg|minut|engem)(?!\p{L})|(?:retire[rz]?|desinscri\p{L}+|supprime[rz]?)[- ](?:moi|nous)|(?<!\p{L})(?:me|nous) (?:retirer|desinscrire|supprimer)|(?:cancella|toglie|elimin)te?mi/u;

/**
 * Automatic headers against the text: helpdesks set them on people's messages, too. Used where the text has
 * no phrase of machines, or a person's phrases weigh more.
 */
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
    ofPerson >= SURE ||
    (signs.isConversation && (!says || ofPerson > 0)) ||
    (!says && isLong(words));
  const ifAnswers: MessageKind = isPerson || isOfPerson(signs) ? 'reply' : 'needs_review';
  if (namesMessage(headers)) return { kind: ifAnswers, ifAnswers };
  if (says && !isPerson) return { kind: 'needs_review', ifAnswers };
  return { kind: 'message', ifAnswers, isAutomatic: true };
}

/** A whole sentence without a phrase of machines. */
const isLong = (words: string): boolean =>
  words.split(/\s+/).length >= 6 || /\p{Lo}{15}/u.test(words);

const isOfPerson = ({ isPersonal, asks, greets, isFromPhone }: Signs): boolean =>
  isPersonal || asks || greets || isFromPhone;

/** RFC 5322, 3.6.4. */
const isAnswer = ({ headers }: MessageView): boolean =>
  headers.has('in-reply-to') || (headers.has('references') && isReSubject(headers.get('subject')));
