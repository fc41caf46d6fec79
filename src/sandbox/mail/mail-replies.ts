/** Recipients outside that react automatically, by the first part of their address. */
import PostalMime from 'postal-mime';
import { DAY_MS } from '../../domain/day.ts';
import type { SandboxCore } from '../core.ts';
import type { AcceptedMessage, MailRecords } from './mail-records.ts';
import { feedbackReport } from './mail-complaints.ts';
import { postOneClick } from './mail-unsubscribes.ts';
import { mailDate } from '../servers/mail-date.ts';
import type { MailQueue } from '../servers/mail-queue.ts';
import { seedAnswer } from '../warmup-seeds.ts';

/** The exchangers' name in DNS and in their greeting. */
export const EXCHANGER_NAME = 'mx.exchangers.test';

export interface Reactions {
  core: SandboxCore;
  queue: MailQueue;
  mailRecords: MailRecords;
}

/** Lets the recipient react; bounces and automatic messages get no reaction. */
export async function answerFromOutside(
  reactions: Reactions,
  message: AcceptedMessage,
): Promise<void> {
  const words = seedAnswer(message);
  if (words !== undefined) return void answerLater(reactions, message, words);
  const kind = /^(reply|ooo|complain|unsubscribe)-/i.exec(message.to)?.[1]?.toLowerCase();
  if (kind === undefined || message.from === '' || message.headers['auto-submitted']) return;
  if (kind === 'reply') {
    await reply(reactions, message, REPLIES[message.id % REPLIES.length]!);
  } else if (kind === 'ooo') answer(reactions, message, { to: message.from, ...awayNote(message) });
  else if (kind === 'complain') complain(reactions, message);
  else void unsubscribe(reactions, message);
}

interface Answer {
  to: string;
  subject: string;
  lines: string[];
  headers?: string[];
}

const REPLIES = [
  'Thanks, tell me more!',
  'Sounds interesting. What would it cost us?',
  'Could you call me tomorrow between ten and twelve?',
  'Not right now, but please write again in spring.',
];

/** A reply goes to the author, above a quotation of the message (RFC 5322, 3.6.2). */
async function reply(reactions: Reactions, message: AcceptedMessage, text: string): Promise<void> {
  const to = authorOf(message);
  const quoted = ['', `On ${message.at.slice(0, 10)}, ${to} wrote:`, ...(await quotation(message))];
  answer(reactions, message, {
    to,
    subject: `Re: ${bareSubject(message)}`,
    lines: [text, ...quoted],
  });
}

/** The delay of a person who reads mail now and then; the message is accepted at once. */
const READ_AFTER_MS = 4_000;

async function answerLater(reactions: Reactions, message: AcceptedMessage, text: string) {
  await reactions.core.wait(READ_AFTER_MS);
  if (!reactions.core.closing.aborted) await reply(reactions, message, text);
}

/** An automatic reply goes to the envelope's sender (RFC 3834, 4). */
function awayNote(message: AcceptedMessage): Omit<Answer, 'to'> {
  const back = new Date(Date.parse(message.at) + AWAY_MS);
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(back);
  return {
    subject: `Out of office: ${bareSubject(message)}`,
    lines: [`I am out of the office until ${day} and read no mail until then.`],
    headers: ['Auto-Submitted: auto-replied', 'X-Auto-Response-Suppress: All'],
  };
}

const AWAY_MS = 3 * DAY_MS;

function answer({ queue, mailRecords }: Reactions, message: AcceptedMessage, given: Answer): void {
  const messageId = `<reply.${message.id}.${Date.now()}@${message.to.split('@')[1]}>`;
  const references = `${message.headers['references'] ?? ''} ${message.messageId}`.trim();
  const raw = [
    `From: ${message.to}`,
    `To: ${given.to}`,
    `Subject: ${given.subject}`,
    `Date: ${mailDate(new Date())}`,
    `Message-ID: ${messageId}`,
    `In-Reply-To: ${message.messageId}`,
    `References: ${references}`,
    ...(given.headers ?? []),
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
    '',
    ...given.lines,
    '',
  ].join('\r\n');
  // An automatic answer must not be answered itself (RFC 3834, 3.3).
  const from = given.headers ? '' : message.to;
  queue.add({
    origin: 'outside',
    helo: EXCHANGER_NAME,
    from,
    to: [given.to],
    raw: Buffer.from(raw),
  });
  mailRecords.replied({ from: message.to, to: given.to, inReplyTo: message.messageId, messageId });
}

/** "This is spam": the provider reports it to the envelope's sender. */
function complain({ queue, mailRecords }: Reactions, message: AcceptedMessage): void {
  const { raw, messageId } = feedbackReport(message, EXCHANGER_NAME);
  const from = `complaints@${EXCHANGER_NAME}`;
  queue.add({ origin: 'outside', helo: EXCHANGER_NAME, from, to: [message.from], raw });
  mailRecords.replied({ from, to: message.from, inReplyTo: message.messageId, messageId });
}

/** By the one-click link of the message; where it has none, by a reply that asks for it. */
async function unsubscribe(reactions: Reactions, message: AcceptedMessage): Promise<void> {
  if (await postOneClick(reactions.core, message)) return;
  const subject = `Re: ${bareSubject(message)}`;
  const lines = ['Please unsubscribe me. I do not want any more mail from you.'];
  answer(reactions, message, { to: authorOf(message), subject, lines });
}

/** The address that a person replies to: Reply-To, else From. */
function authorOf({ headers, from }: AcceptedMessage): string {
  const field = headers['reply-to'] ?? headers['from'] ?? from;
  return /<([^<>]+)>\s*$/.exec(field)?.[1] ?? field.trim();
}

const bareSubject = ({ subject }: AcceptedMessage): string => subject.replace(/^(re:\s*)+/i, '');

const QUOTED_LINES = 10;

/** The first lines of the message's text. */
async function quotation({ raw }: AcceptedMessage): Promise<string[]> {
  const { text = '' } = await PostalMime.parse(Buffer.from(raw, 'latin1'));
  return text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .slice(0, QUOTED_LINES)
    .map((line) => `> ${line}`);
}
