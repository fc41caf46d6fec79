/** The port of mail clients: what a user's mail program would do with a mailbox. */

import type { Readable } from 'node:stream';
import type { FolderRole } from '../../domain/inbox/inbox.ts';
import type { MailServers } from '../../domain/mailboxes/mail-servers.ts';
import type { OauthGrant } from '../../domain/mailboxes/oauth.ts';
import type { AddressGuard } from '../address-guard.ts';
import type { AddressResolver } from '../network.ts';

/** A mailbox on a mail host. IMAP is on 993, submission on 465, both TLS from the first byte. */
export interface MailboxAccess {
  host: string;
  email: string;
  /** Not used where `servers.oauth` names a consent. */
  password: string;
  /** Of a connected mailbox: its owner named them, so that they MUST be at public addresses. */
  servers?: MailServers | undefined;
  /** The operator named its host, which may be inside. */
  isOperators?: boolean | undefined;
}

/** What logs in to a mailbox in place of a password. */
export interface AccessToken {
  value: string;
  /** Some time before it expires; a session MUST not be used any more from then on. */
  usableUntil: Date;
  /** It was got for this call. */
  isNew: boolean;
}

/** Where access tokens come from. */
export interface AccessTokens {
  /**
   * `refused`: one that a server did not take; another one is got. MUST throw `rejected` where the consent does not
   * hold any more, and else what getting one throws.
   */
  tokenOf(grant: OauthGrant, refused?: string): Promise<AccessToken>;
}

/** A relay that the service itself uses. */
export interface RelayAccess {
  host: string;
  port: number;
  user: string;
  password: string;
  /** TLS from the first byte; else by STARTTLS, before which nothing else is sent. */
  isTls: boolean;
  /** Our EHLO name: the domain of our messages. */
  name: string;
  /** `public`: a stranger named it. `outside`: its records are a client's; not at internal ones. Else an operator's. */
  mustBe?: 'public' | 'outside' | undefined;
  /** Logs in instead of the password. */
  token?: AccessToken | undefined;
}

/** A message as it goes over the wire, with its envelope (RFC 5321). */
export interface RawMessage {
  /** Envelope sender: the mailbox, or the mailbox with an extension (`sales+b12-0a1b2c3d@acme.com`). */
  from: string;
  /** One recipient; of several, those whom the server refuses are named in its answer. */
  to: string | readonly string[];
  /** Headers and body with CRLF line ends, not dot-stuffed. */
  raw: Buffer;
}

/** A connection for submission that is logged in and takes messages one after the other. */
export interface SubmissionSession {
  /**
   * Submits one message and answers the server's last reply. `beforeText` runs after the server's 354
   * and before the first byte of the text: when it throws, the connection is dropped, nothing was sent,
   * and its error comes out. MUST throw `rejected` for a 5xx, `rate_limited` for a 4xx (both with `550
   * 5.1.1` as `providerCode` and the whole `reply` in the facts), `unavailable` when the text was not
   * begun, and `outcome_unknown` when it was and no reply came. When it throws, `beforeText` has ended
   * or was never called. Concurrent messages are sent one after the other.
   */
  send(
    message: RawMessage,
    beforeText: () => Promise<void>,
  ): Promise<{ reply: string; refused: readonly string[] }>;
  /** False once the connection is gone; a new one is needed then. */
  isUsable(): boolean;
  close(): void;
}

export interface ImapFolder {
  path: string;
  role: FolderRole;
  /** Absent where it was not asked for, or where the server does not tell it with the list. */
  state?: FolderState;
}

/** What tells whether a folder has changed. `highestModseq` is null where the server has no CONDSTORE (RFC 7162). */
export interface FolderState {
  uidValidity: number;
  uidNext: number;
  exists: number;
  highestModseq: number | null;
}

export interface FetchedMessage {
  uid: number;
  flags: string[];
  internalDate: Date;
  sizeBytes: number;
  /** Up to `maxBytes` of the message. */
  source: Buffer;
  isWhole: boolean;
  /** The host gave no text, or clearly less than expected: `source` is not the message. */
  isTextless?: boolean;
  /** All parts of a message that was cut, including those behind the cut. */
  parts?: readonly MessagePart[];
}

/** A part with content of its own, as BODYSTRUCTURE tells it, by its number: `1`, `2.1`. RFC 9051, 7.5.2. */
export interface MessagePart {
  number: string;
  /** Lower case, without parameters. */
  type: string;
  name: string | undefined;
  /** Lower case; empty where none is given. */
  disposition: string;
  filename: string | undefined;
  contentId: string | undefined;
  /** Size of the decoded content: exact to a few bytes for base64, else an upper bound. */
  sizeBytes: number;
}

/** A logged-in IMAP connection; one command at a time. Folders are named by path. */
export interface ImapSession {
  folders(): Promise<ImapFolder[]>;
  /**
   * The same with the state of each, in one command, where the server can do that: LIST-STATUS (RFC 5819). The state
   * MUST NOT be newer than what the next command sees.
   */
  foldersWithState(): Promise<ImapFolder[]>;
  /** Selects the folder. */
  open(path: string): Promise<FolderState>;
  /** Whether the folder is the selected one, in which `idle` waits. */
  isOpen(path: string): boolean;
  /**
   * Messages with a UID above `afterUid`, oldest first, with their text; at most `batch` of them at a
   * time. MUST mark a message whose text did not come with `isTextless`.
   */
  fetchNew(
    path: string,
    range: { afterUid: number; maxBytes: number; batch: number },
  ): AsyncIterable<FetchedMessage[]>;
  /** UIDs with flags of the whole folder, or of what changed since a modseq. */
  fetchFlags(path: string, since?: { modseq: number }): Promise<{ uid: number; flags: string[] }[]>;
  /**
   * UIDs of messages whose header contains this value (RFC 9051, 6.4.4), ignoring case. Exact only for
   * values that no other value contains, such as a Message-ID in angle brackets.
   */
  search(path: string, header: { name: string; value: string }): Promise<number[]>;
  addFlags(path: string, uids: number[], flags: string[]): Promise<void>;
  removeFlags(path: string, uids: number[], flags: string[]): Promise<void>;
  move(path: string, uids: number[], to: string): Promise<void>;
  append(path: string, raw: Buffer, flags: string[]): Promise<void>;
  /** Deletes these messages for ever; those that are not there are left out. */
  remove(path: string, uids: number[]): Promise<void>;
  /** The content of one part, decoded, as it comes. */
  download(path: string, uid: number, part: string): Promise<Readable>;
  /** Until the open folder changes, the signal fires or `limitMs` has passed: in IDLE, which alone `tellsChanges` at once. */
  idle(limitMs: number, signal?: AbortSignal): Promise<'changed' | 'over'>;
  tellsChanges: boolean;
  /** When it has to log in again: the server may end it from then on. Undefined: never. */
  endsAt?: Date | undefined;
  isUsable(): boolean;
  close(): Promise<void>;
}

/** A message to be submitted. */
export interface OutgoingMessage {
  to: string;
  subject: string;
  text: string;
  messageId: string;
}

/** The content of a message; MIME, dates and encodings are the composer's. */
export interface ComposedMessage {
  from: { address: string; name?: string | undefined };
  to: string;
  cc?: readonly string[] | undefined;
  replyTo?: string | undefined;
  subject: string;
  text: string;
  /** The second part of `multipart/alternative`. */
  html?: string | undefined;
  messageId: string;
  date?: Date | undefined;
  inReplyTo?: string | undefined;
  /** Oldest first. */
  references?: readonly string[] | undefined;
  /** Further headers, such as `List-Unsubscribe`. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Each is a part after the text: part 2, 3, ... of the message. */
  files?: readonly { filename: string; contentType: string; content: Buffer }[] | undefined;
}

export interface MailTransport {
  /** Headers and body with CRLF line ends. MUST encode any one-line value safely as a header. */
  compose(message: ComposedMessage): Promise<Buffer>;

  /** Logs in for submission and out. MUST check the certificate against the host name. */
  checkSubmission(mailbox: MailboxAccess): Promise<void>;

  /** Logs in by IMAP and out. MUST check the certificate against the host name. */
  checkImap(mailbox: MailboxAccess): Promise<void>;

  /**
   * Does a TLS handshake with the server at `ipv4` and closes, without a login. MUST check the certificate against
   * the host name, and MUST NOT look that up: a client may let it lead to any address. Throws only `unavailable`.
   */
  checkTls(server: { host: string; port: number; ipv4: string }): Promise<{ expiresAt: Date }>;

  /** MUST check the certificate against the host name. `rejected` = the login is refused. */
  openSubmission(mailbox: MailboxAccess): Promise<SubmissionSession>;

  /** The same at a relay. */
  openRelay(relay: RelayAccess): Promise<SubmissionSession>;

  /**
   * MUST check the certificate against the host name. `rejected` = the login is refused. A server that sends more than a
   * text of twice `maxMessageBytes` (default: 512 KB), or a list without an end, is left: `unavailable`.
   */
  openImap(
    mailbox: MailboxAccess,
    options?: { maxMessageBytes?: number | undefined },
  ): Promise<ImapSession>;

  /** Submits one message; answers the server's last reply. `outcome_unknown` when lost after DATA. */
  submit(mailbox: MailboxAccess, message: OutgoingMessage): Promise<{ reply: string }>;
}

/** What a transport is made of, for both protocols. */
export interface TransportTools {
  dns: AddressResolver;
  outboundProxy: string | undefined;
  /** For connecting and for each reply of the server. */
  timeoutMs: number;
  /** For hosts that strangers named; default: public addresses alone. */
  guard?: AddressGuard | undefined;
  /** For mailboxes that are used by OAuth. */
  accessTokens?: AccessTokens | undefined;
  /** `benchmark`: only hosts of the sandbox are dialled. */
  reach?: 'benchmark' | undefined;
  /** PEM: the only authority that is trusted; Node's own where it is left out. */
  ca?: string | undefined;
}
