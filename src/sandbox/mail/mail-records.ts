/** The mail exchangers' records: messages accepted, messages refused, answers sent. */
import PostalMime from 'postal-mime';
import type { Store } from '../store.ts';

export interface AcceptedMessage {
  id: number;
  /** ISO 8601 UTC. */
  at: string;
  /** Envelope; one entry per recipient. */
  from: string;
  to: string;
  /** How the client called itself. */
  helo: string;
  subject: string;
  messageId: string;
  /** By lower-case name; a header that occurs more than once is joined by line breaks. */
  headers: Record<string, string>;
  /** Bytes. */
  size: number;
  /** One character per byte. */
  raw: string;
}

export interface RefusedMessage {
  from: string;
  to: string;
  code: number;
  text: string;
}

export interface MailRecords {
  accept(message: {
    from: string;
    to: string;
    helo: string;
    raw: Buffer;
  }): Promise<AcceptedMessage>;
  /** Those that were accepted after this one; ids grow. */
  acceptedAfter(id: number): AcceptedMessage[];
  refused(message: RefusedMessage): void;
  replied(reply: { from: string; to: string; inReplyTo: string; messageId: string }): void;
  /** `mail` of `GET /_sandbox/books`. */
  shown(question: { raw: boolean }): object;
}

const ACCEPTED = 'mail-accepted';
const BOUNCED = 'mail-bounced';
const REPLIES = 'mail-replies';

export function openMailRecords(store: Store): MailRecords {
  const add = <T extends object>(collection: string, entry: T): T & { id: number; at: string } => {
    const id = store.nextId(collection);
    const whole = { id, at: new Date().toISOString(), ...entry };
    store.put(collection, String(id), whole);
    return whole;
  };
  return {
    async accept({ from, to, helo, raw }) {
      const parsed = await PostalMime.parse(raw);
      const headers: Record<string, string> = {};
      for (const { key, value } of parsed.headers) {
        headers[key] = key in headers ? `${headers[key]}\n${value}` : value;
      }
      const { subject = '', messageId = '' } = parsed;
      const text = raw.toString('latin1');
      const facts = { from, to, helo, subject, messageId, headers };
      return add(ACCEPTED, { ...facts, size: raw.length, raw: text });
    },
    acceptedAfter: (after) => store.list<AcceptedMessage>(ACCEPTED).filter(({ id }) => id > after),
    refused: (message) => void add(BOUNCED, message),
    replied: (reply) => void add(REPLIES, reply),
    shown: ({ raw }) => ({
      mail: {
        accepted: store
          .list<AcceptedMessage>(ACCEPTED)
          .map((message) => (raw ? message : { ...message, raw: undefined })),
        bounced: store.list(BOUNCED),
        replies: store.list(REPLIES),
      },
    }),
  };
}
