/** What one SMTP transaction asks, and what its replies say about each address. */
import type { SmtpReply } from './smtp-connection.ts';
import { recipientAnswer, sameWords, saysListed, type RecipientAnswer } from './smtp-replies.ts';
import type { VerifierVerdict } from './port.ts';
import {
  catchAll,
  fullInbox,
  mailboxDisabled,
  mailboxExists,
  mailboxNotFound,
  unknown,
} from './verdicts.ts';

/** What is known of a domain at its exchanger. */
export interface DomainState {
  domain: string;
  /** An address that nobody has. */
  nobody: string;
  /** Whether the server accepts it: null = it would not say now, undefined = not asked yet. */
  takesAll?: boolean | null;
  /** Its reply about it. */
  nobodyReply?: SmtpReply;
  /** Why it would not say. */
  testReason?: string;
  hasAccepted: boolean;
}

/** Addresses that are asked about in one transaction; `rest` waits for the catch-all test. */
export interface Ticket {
  state: DomainState;
  emails: string[];
  rest: string[];
  isInternational: boolean;
}

export interface Reading {
  verdicts: { email: string; verdict: VerifierVerdict }[];
  /** To be asked once more, on another connection or in a smaller transaction. */
  left: string[];
  /** The most recipients that the server accepts in one transaction. */
  limit?: number;
  /** Whether there was any result. */
  isFruitful: boolean;
  /** The server says that our address is on a blocklist: no more is asked there. */
  isListed: boolean;
}

export const needsTest = (ticket: Ticket): boolean => ticket.state.takesAll === undefined;

/** What is asked in one transaction; `withTest`: the address that nobody has goes first. */
export interface Question {
  ticket: Ticket;
  withTest: boolean;
  recipients: string[];
  isInternational: boolean;
}

export function questionOf(ticket: Ticket): Question {
  const withTest = needsTest(ticket);
  const recipients = withTest ? [ticket.state.nobody, ...ticket.emails] : ticket.emails;
  return { ticket, withTest, recipients, isInternational: ticket.isInternational };
}

/** Reads the replies to a question, in its order; there may be fewer. */
export function readReplies(
  { ticket, withTest }: Question,
  replies: readonly SmtpReply[],
): Reading {
  const wasTested = !needsTest(ticket);
  const isListed = replies.some(saysListed);
  if (withTest && replies[0] && !wasTested) noteTest(ticket.state, replies[0]);
  // The test got no reply, so none of the replies that follow can be judged.
  if (needsTest(ticket)) {
    const nothing = { verdicts: [], left: ticket.emails, isFruitful: false };
    return { ...nothing, isListed, ...limitOf(replies) };
  }
  const own = withTest ? replies.slice(1) : replies;
  const answers = own.map(recipientAnswer);
  const stop = answers.findIndex((answer) => UNANSWERED.has(answer));
  const answered = stop < 0 ? answers.length : stop;
  if (answers.slice(0, answered).includes('accepted')) ticket.state.hasAccepted = true;
  const verdicts = ticket.emails
    .slice(0, answered)
    .map((email, at) => ({ email, verdict: verdictOf(ticket.state, own[at]!) }));
  const left = ticket.emails.slice(answered);
  const isFruitful = verdicts.length > 0 || !wasTested;
  return { verdicts, left, isFruitful, isListed, ...limitOf(replies) };
}

/** Replies that say nothing about the address: it stays in the queue. */
const UNANSWERED: ReadonlySet<RecipientAnswer> = new Set(['too_many', 'closing', 'listed']);

/** 452 4.5.3: the limit is the number of recipients that were accepted. */
function limitOf(replies: readonly SmtpReply[]): { limit?: number } {
  const at = replies.findIndex((reply) => recipientAnswer(reply) === 'too_many');
  return at < 0 ? {} : { limit: Math.max(2, at) };
}

function noteTest(state: DomainState, reply: SmtpReply): void {
  const answer = recipientAnswer(reply);
  if (UNANSWERED.has(answer)) return;
  const isPassing = answer === 'greylisted' || answer === 'later';
  state.takesAll = answer === 'accepted' ? true : isPassing ? null : false;
  state.nobodyReply = reply;
  if (isPassing) state.testReason = answer === 'greylisted' ? 'greylisted' : 'temporary_failure';
}

function verdictOf(state: DomainState, reply: SmtpReply): VerifierVerdict {
  switch (recipientAnswer(reply)) {
    case 'accepted':
      if (state.takesAll === null) return unknown(state.testReason ?? 'temporary_failure');
      if (state.takesAll) return catchAll();
      return mailboxExists({ catchAll: false, fullInbox: false, disabled: false });
    case 'no_mailbox':
      return mailboxNotFound({ catchAll: false });
    case 'disabled':
      return mailboxDisabled();
    case 'full':
      return fullInbox();
    case 'greylisted':
      return unknown('greylisted');
    case 'later':
      return unknown('temporary_failure');
    case 'refused':
      return unknown('probe_refused');
    default:
      return isLikeNobody(state, reply) ? mailboxNotFound() : unknown('probe_refused');
  }
}

/**
 * A reply that we do not understand, but the same as for an address that nobody has, from a server that
 * accepts others at this domain: there is no such mailbox.
 */
const isLikeNobody = ({ hasAccepted, nobodyReply, takesAll }: DomainState, reply: SmtpReply) =>
  hasAccepted && takesAll === false && nobodyReply !== undefined && sameWords(reply, nobodyReply);

/**
 * The reason of `unknown` where our address is on a blocklist, and for as long as the provider rests.
 */
export const LISTED = 'probe_blocklisted';

/** What a refusal of MAIL FROM, or of the whole connection, says about every address. */
export function reasonOfRefusal(reply: SmtpReply): string {
  if (saysListed(reply)) return LISTED;
  if (reply.code >= 500) return 'probe_refused';
  return recipientAnswer(reply) === 'greylisted' ? 'greylisted' : 'temporary_failure';
}
