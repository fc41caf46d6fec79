/** Reads a message from its host into what is stored: text, people, parts, and its kind. */
import { createHash } from 'node:crypto';
import type { FolderKey } from '../../src/db/inbox/mailbox-folders.ts';
import type { MessageContents } from '../../src/db/inbox/messages.ts';
import type { FolderRole } from '../../src/domain/inbox/inbox.ts';
import { classifyMessage, type Verdict } from '../../src/domain/inbox/mail-classification/index.ts';
import { shortened, storable } from '../../src/domain/storable-text.ts';
import type { FetchedMessage } from '../../src/providers/mail-transport/port.ts';
import { oneLine, peopleIn, type Person } from './message-people.ts';
import { textsOf } from './message-text.ts';
import { wordsIn } from './mime-headers.ts';
import type { MimeMessage } from './mime-message.ts';
import { withMessage } from './mime-reader.ts';
import { attachmentsOf, reportParts } from './mime-parts.ts';

/** A message that was read and not yet matched to a send. */
export interface ReadMessage extends MessageContents {
  uid: number;
  isSeen: boolean;
  headers: ReadonlyMap<string, string>;
  verdict: Verdict;
}

/** The folder of a mailbox that is being read. */
export interface FolderRead extends FolderKey {
  userId: string;
  role: FolderRole;
  uidValidity: number;
}

const MAX_TEXT_CHARS = 200_000;
/** Of one header, as far as it is classified: a line has 998 (RFC 5322, 2.1.1), a host lets 100,000 through. */
const MAX_HEADER_CHARS = 8_000;
const MAX_SUBJECT_CHARS = 1_000;
/** RFC 5322, 2.1.1: a line; a Postgres index entry cannot hold much more. */
const MAX_ID_BYTES = 990;
const MAX_REFERENCES = 100;
const MAX_ADDRESSES = 500;
const SNIPPET_CHARS = 200;
/** A message dated in the future would stay on top of the inbox. */
const MAX_CLOCK_AHEAD_MS = 10 * 60_000;

/** Never throws: what cannot be parsed is stored as raw text. */
export async function readMessage(
  message: FetchedMessage,
  ownAddresses: ReadonlySet<string>,
): Promise<ReadMessage> {
  try {
    return await withMessage(message.source, (mime) => readMime(message, mime, ownAddresses));
  } catch {
    return readMime(message, unreadable(message), ownAddresses);
  }
}

function readMime(
  message: FetchedMessage,
  { headers: all, parts }: MimeMessage,
  ownAddresses: ReadonlySet<string>,
): ReadMessage {
  const headers = firstOfEach(all);
  const people = (name: string) => all.flatMap((each) => peopleOf(name, each));
  const { address: fromAddress, name: fromName } = sender(headers);
  const subject = shortened(oneLine(wordsIn(headers.get('subject') ?? '')), MAX_SUBJECT_CHARS);
  const { text, html } = textsOf(parts);
  const verdict = classifyMessage({
    headers,
    fromAddress,
    fromName,
    subject,
    text,
    parts: reportParts(parts),
    receivedAt: message.internalDate,
    ownAddresses,
  });
  return {
    uid: message.uid,
    isSeen: message.flags.includes('\\Seen'),
    headers,
    messageId: idsIn(headers.get('message-id'))[0] ?? madeUpId(message.source),
    inReplyTo: idsIn(headers.get('in-reply-to'))[0] ?? null,
    referenceIds: idsIn(headers.get('references')).slice(-MAX_REFERENCES),
    fromAddress,
    fromName: fromName === '' ? null : fromName,
    toAddresses: addresses(people('to')),
    ccAddresses: addresses(people('cc')),
    replyTo: addresses(people('reply-to'))[0] ?? null,
    subject,
    snippet: shortened(oneLine(shortened(text, SNIPPET_CHARS * 5)), SNIPPET_CHARS),
    bodyText: text,
    bodyHtml: html,
    sentAt: sentAt(headers.get('date'), message.internalDate),
    receivedAt: message.internalDate,
    sizeBytes: message.sizeBytes,
    // A truncated message has more attachments than its source shows.
    attachments: attachmentsOf(message.parts ?? parts),
    verdict,
  };
}

/** The text alone, of a message that nests too deep or has megabytes of headers. */
const unreadable = ({ source }: FetchedMessage): MimeMessage => ({
  headers: [{ key: 'subject', value: '(unreadable)' }],
  parts: [
    {
      number: '1',
      type: 'text/plain',
      name: undefined,
      disposition: '',
      filename: undefined,
      contentId: undefined,
      alternative: 0,
      size: () => source.length,
      bytes: () => source,
      text: () => source.toString('latin1', 0, MAX_TEXT_CHARS),
    },
  ],
});

function firstOfEach(headers: MimeMessage['headers']): Map<string, string> {
  const first = new Map<string, string>();
  for (const { key, value } of headers) if (!first.has(key)) first.set(key, bounded(key, value));
  return first;
}

/** The last references are of the messages that it answers. */
const bounded = (key: string, value: string): string =>
  key === 'references' ? value.slice(-MAX_HEADER_CHARS) : value.slice(0, MAX_HEADER_CHARS);

const NOBODY: Person = { address: '', name: '' };

function sender(headers: ReadonlyMap<string, string>): Person {
  const [from] = peopleIn(headers.get('from') ?? '');
  return from ?? peopleIn(headers.get('sender') ?? '')[0] ?? NOBODY;
}

const peopleOf = (name: string, { key, value }: MimeMessage['headers'][number]): Person[] =>
  key === name && value !== '' ? peopleIn(value) : [];

/** Message-IDs with angle brackets, in order. */
const idsIn = (value: string | undefined): string[] =>
  [...storable(value ?? '').matchAll(/<[^<>\s]+>/g)]
    .map(([id]) => id)
    .filter((id) => Buffer.byteLength(id) <= MAX_ID_BYTES);

/** Deterministic, for messages without a Message-ID; `.invalid` is reserved (RFC 2606). */
const madeUpId = (source: Buffer): string =>
  `<${createHash('sha256').update(source).digest('hex').slice(0, 40)}@no-message-id.invalid>`;

const addresses = (people: readonly Person[]): string[] =>
  people.slice(0, MAX_ADDRESSES).map(({ address }) => address);

/** The Date header, where it is plausible. */
function sentAt(date: string | undefined, receivedAt: Date): Date {
  const said = new Date(date ?? Number.NaN);
  const isPossible =
    said.getTime() > 0 && said.getTime() < receivedAt.getTime() + MAX_CLOCK_AHEAD_MS;
  return isPossible ? said : receivedAt;
}
