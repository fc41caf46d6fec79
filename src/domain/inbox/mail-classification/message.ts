/** The input and the result of the classification of a message. */
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
  /** Addresses of the receiving account: messages from them are no answers. */
  ownAddresses: ReadonlySet<string>;
}

/** Facts extracted from a message. Stored as JSON with it. */
export interface MessageFacts {
  /** Bounces: the recipient who was not reached; complaints: who complained. */
  recipient?: string;
  /** Enhanced status code (RFC 3463), `5.1.1`; derived from the SMTP reply where there is no other. */
  status?: string;
  /** RFC 3464, 2.3.3. The host still tries to deliver a `delayed` message. */
  action?: 'failed' | 'delayed' | 'delivered' | 'relayed' | 'expanded';
  /** Bounces: false = 4.x.x, which does not suppress. */
  isPermanent?: boolean;
  /** Permanent bounces: the party that the host's words blame. */
  refusal?: Refusal;
  /** Refused as spam, by a policy, or since a blocklist or a ban has us. */
  isRejection?: true;
  /** Rejections: the host's words, without addresses. */
  words?: string;
  /** Refusals of the sender: a blocklist has our host or domain. */
  isListed?: true;
  /** The message that it is about. */
  originalMessageId?: string;
  /** The send it is about, where the address it came to names one (VERP). */
  verpSendId?: number;
  /** Proves that we made this address. */
  verpTag?: string;
  /** Opt-outs by our `mailto:`, and complaints: the token of the message's link. */
  unsubscribeToken?: string;
  /** Automatic answers: the day on which the person is back, `YYYY-MM-DD`. */
  returnDate?: string;
  /** RFC 5965: `abuse`, `not-spam`, ... */
  feedbackType?: string;
}

/** The recipients and the message that a bounce report names, as far as it does. */
export interface Reported {
  /** The recipients it blames, in lower case. */
  blamed: readonly string[];
  /** The recipients of the returned message. */
  returnedTo: readonly string[];
  /** The returned message is not from the account. */
  isOfOthers: boolean;
}

export interface Verdict {
  /** As far as the message alone shows. */
  kind: MessageKind;
  facts: MessageFacts;
  /** The kind of a `message` if it answers a message of ours, or comes from a recipient of ours. */
  ifAnswers: MessageKind;
  /** A `message` that a machine sent, or that went to many. */
  isAutomatic?: true;
  /** Of a bounce or a complaint. */
  reported?: Reported;
}
