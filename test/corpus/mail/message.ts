/** Made-up letters with labels: what each is, and what is to be read out of it. */
import type { MessageFacts } from '../../../src/domain/inbox/mail-classification/index.ts';
import type { MessageKind } from '../../../src/domain/inbox/inbox.ts';

/** All letters came to this mailbox, on a Saturday. */
export const MAILBOX = 'anna@acme-outreach.test';
export const RECEIVED = new Date('2026-11-21T10:00:00Z');
/** The letter that most of them are about. */
export const ORIGINAL_ID = '<c7.l12.s0@acme-outreach.test>';
export const LEAD = 'paul.weber@client.test';

export interface LabelledMessage {
  name: string;
  kind: MessageKind;
  /** Where it matters; others are not checked. */
  facts?: MessageFacts;
  raw: string;
}

export interface MessageParts {
  from?: string;
  to?: string;
  subject?: string;
  headers?: Record<string, string>;
  text?: string;
  /** A multipart of these instead of the text alone; the first is the text. */
  parts?: { type: string; text: string }[];
  /** `multipart/report; report-type=...`. */
  multipart?: string;
}

/** The letter as it comes over the wire. */
export function raw(message: MessageParts): string {
  const {
    from = `Paul Weber <${LEAD}>`,
    to = MAILBOX,
    subject = 'Re: A question',
    text = '',
  } = message;
  const head: Record<string, string> = {
    From: from,
    To: to,
    Subject: encoded(subject),
    Date: RECEIVED.toUTCString(),
    'Message-ID': '<one@client.test>',
    'MIME-Version': '1.0',
    ...message.headers,
  };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`);
  const utf8 = 'text/plain; charset=utf-8';
  if (!message.parts) {
    const type = ['Content-Type: ' + utf8, 'Content-Transfer-Encoding: 8bit'];
    return crlf([...lines, ...type, '', text].join('\n'));
  }
  const parts = [{ type: utf8, text }, ...message.parts];
  return crlf(
    [
      ...lines,
      `Content-Type: ${message.multipart ?? 'multipart/mixed'}; boundary="=_b"`,
      '',
      ...parts.flatMap((part) => ['--=_b', `Content-Type: ${part.type}`, '', part.text]),
      '--=_b--',
      '',
    ].join('\n'),
  );
}

const crlf = (text: string) => text.replaceAll(/\r?\n/g, '\r\n');

const encoded = (text: string) =>
  /^[\x20-\x7e]*$/.test(text) ? text : `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`;

export const quoted = `

On Fri, 20 Nov 2026 at 09:00, Anna <${MAILBOX}> wrote:
> Hi Paul, shall we talk? If you do not want my letters, reply "unsubscribe" or "stop".
> I am out of the office from time to time. Undeliverable mail is returned.
> Anna`;
