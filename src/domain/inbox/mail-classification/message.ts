/** A message as classification sees it, and what it finds. */
import type { MessageKind } from '../inbox.ts';
import type { Refusal } from '../../sending/smtp-refusals.ts';

/** A part of a multipart/report, or a message within the message. */
export interface ReportPart {
  /** Lower case, without parameters: `message/delivery-status`. */
  type: string;
  text: string;
}

export interface MessageView {
  /** First value of each header, by lower-case name, unfolded. */
  headers: ReadonlyMap<string, string>;
  /** Lower case; empty for the null sender. */
  fromAddress: string;
  fromName: string;
  subject: string;
  /** The readable text, quotes included. */
  text: string;
  parts: readonly ReportPart[];
  receivedAt: Date;
  /** Addresses of the account that got it: their messages are no answers. */
  ownAddresses: ReadonlySet<string>;
}

/** What was read out of a message. Stored as JSON beside it. */
export interface MessageFacts {
  /** Bounces: the recipient who was not reached; complaints: who complained. */
  recipient?: string;
  /** Enhanced status code (RFC 3463), `5.1.1`; made of the SMTP reply where there is no other. */
  status?: string;
  /** RFC 3464, 2.3.3. Of a `delayed` message the host still tries to deliver it. */
  action?: 'failed' | 'delayed' | 'delivered' | 'relayed' | 'expanded';
  /** Bounces: false = 4.x.x, which does not suppress. */
  isPermanent?: boolean;
  /** Bounces that failed for good: whom the host's words blame. */
  refusal?: Refusal;
  /** Of those as spam or by a policy: what the host said, without addresses. */
  words?: string;
  /** Such bounces of the sender: a list has our host or domain. */
  isListed?: true;
  /** The message that it is about. */
  originalMessageId?: string;
  /** The send it is about, where the address it came to names one (VERP). */
  verpSendId?: number;
  /** Proves that this address was made by us. */
  verpTag?: string;
  /** Requests by our `mailto:` to be left alone, and complaints: the token of the message's link. */
  unsubscribeToken?: string;
  /** Automatic answers: the day on which the person is back, `YYYY-MM-DD`. */
  returnDate?: string;
  /** RFC 5965: `abuse`, `not-spam`, ... */
  feedbackType?: string;
}

/** Whom and what a report of a bounce speaks of, as far as it says. */
export interface Reported {
  /** Whom it blames, in lower case. */
  blamed: readonly string[];
  /** Whom the returned message went to. */
  returnedTo: readonly string[];
  /** The returned message is by nobody of the account. */
  isOfOthers: boolean;
}

export interface Verdict {
  /** As far as the message alone tells. */
  kind: MessageKind;
  facts: MessageFacts;
  /** What a `message` is if it answers a message of ours, or comes from somebody who was written to. */
  ifAnswers: MessageKind;
  /** A `message` that a machine sent, or that went to many. */
  isAutomatic?: true;
  /** Of a bounce or a complaint. */
  reported?: Reported;
}
