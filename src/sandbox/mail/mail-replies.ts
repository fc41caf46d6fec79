/** Recipients outside that react by themselves, by the first part of their address. */
import PostalMime from 'postal-mime';
import type { SandboxCore } from '../core.ts';
import type { AcceptedLetter, MailBooks } from './mail-books.ts';
import { feedbackReport } from './mail-complaints.ts';
import { postOneClick } from './mail-unsubscribes.ts';
import { mailDate } from '../servers/mail-date.ts';
import type { MailQueue } from '../servers/mail-queue.ts';
import { seedAnswer } from '../warmup-seeds.ts';

/** The name by which the exchangers are known, and greet. */
export const EXCHANGER_NAME = 'mx.exchangers.test';

export interface Reactions {
  core: SandboxCore;
  queue: MailQueue;
  books: MailBooks;
}

/** Lets the recipient react; bounces and automatic letters get no reaction. */
export async function answerFromOutside(
  reactions: Reactions,
  letter: AcceptedLetter,
): Promise<void> {
  const words = seedAnswer(letter);
  if (words !== undefined) return void answerLater(reactions, letter, words);
  const kind = /^(reply|ooo|complain|unsubscribe)-/i.exec(letter.to)?.[1]?.toLowerCase();
  if (kind === undefined || letter.from === '' || letter.headers['auto-submitted']) return;
  if (kind === 'reply') {
    await reply(reactions, letter, REPLIES[letter.id % REPLIES.length]!);
  } else if (kind === 'ooo') answer(reactions, letter, { to: letter.from, ...awayNote(letter) });
  else if (kind === 'complain') complain(reactions, letter);
  else void unsubscribe(reactions, letter);
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

/** Whoever answers answers the author, above a quotation of what was written (RFC 5322, 3.6.2). */
async function reply(reactions: Reactions, letter: AcceptedLetter, text: string): Promise<void> {
  const to = authorOf(letter);
  const quoted = ['', `On ${letter.at.slice(0, 10)}, ${to} wrote:`, ...(await quotation(letter))];
  answer(reactions, letter, {
    to,
    subject: `Re: ${bareSubject(letter)}`,
    lines: [text, ...quoted],
  });
}

/** Whoever reads mail now and then; the letter is taken meanwhile. */
const READ_AFTER_MS = 4_000;

async function answerLater(reactions: Reactions, letter: AcceptedLetter, text: string) {
  await reactions.core.wait(READ_AFTER_MS);
  if (!reactions.core.closing.aborted) await reply(reactions, letter, text);
}

/** A machine answers the envelope's sender (RFC 3834, 4). */
function awayNote(letter: AcceptedLetter): Omit<Answer, 'to'> {
  const back = new Date(Date.parse(letter.at) + AWAY_MS);
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(back);
  return {
    subject: `Out of office: ${bareSubject(letter)}`,
    lines: [`I am out of the office until ${day} and read no mail until then.`],
    headers: ['Auto-Submitted: auto-replied', 'X-Auto-Response-Suppress: All'],
  };
}

const AWAY_MS = 3 * 86_400_000;

function answer({ queue, books }: Reactions, letter: AcceptedLetter, given: Answer): void {
  const messageId = `<reply.${letter.id}.${Date.now()}@${letter.to.split('@')[1]}>`;
  const references = `${letter.headers['references'] ?? ''} ${letter.messageId}`.trim();
  const raw = [
    `From: ${letter.to}`,
    `To: ${given.to}`,
    `Subject: ${given.subject}`,
    `Date: ${mailDate(new Date())}`,
    `Message-ID: ${messageId}`,
    `In-Reply-To: ${letter.messageId}`,
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
  const from = given.headers ? '' : letter.to;
  queue.add({
    origin: 'outside',
    helo: EXCHANGER_NAME,
    from,
    to: [given.to],
    raw: Buffer.from(raw),
  });
  books.replied({ from: letter.to, to: given.to, inReplyTo: letter.messageId, messageId });
}

/** "This is spam": the provider reports it to the envelope's sender. */
function complain({ queue, books }: Reactions, letter: AcceptedLetter): void {
  const { raw, messageId } = feedbackReport(letter, EXCHANGER_NAME);
  const from = `complaints@${EXCHANGER_NAME}`;
  queue.add({ origin: 'outside', helo: EXCHANGER_NAME, from, to: [letter.from], raw });
  books.replied({ from, to: letter.from, inReplyTo: letter.messageId, messageId });
}

/** By the one click that the letter offers; where it offers none, in words. */
async function unsubscribe(reactions: Reactions, letter: AcceptedLetter): Promise<void> {
  if (await postOneClick(reactions.core, letter)) return;
  const subject = `Re: ${bareSubject(letter)}`;
  const lines = ['Please unsubscribe me. I do not want any more mail from you.'];
  answer(reactions, letter, { to: authorOf(letter), subject, lines });
}

/** Whom a person answers: Reply-To, else From. */
function authorOf({ headers, from }: AcceptedLetter): string {
  const field = headers['reply-to'] ?? headers['from'] ?? from;
  return /<([^<>]+)>\s*$/.exec(field)?.[1] ?? field.trim();
}

const bareSubject = ({ subject }: AcceptedLetter): string => subject.replace(/^(re:\s*)+/i, '');

const QUOTED_LINES = 10;

/** The first lines of the letter's text. */
async function quotation({ raw }: AcceptedLetter): Promise<string[]> {
  const { text = '' } = await PostalMime.parse(Buffer.from(raw, 'latin1'));
  return text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .slice(0, QUOTED_LINES)
    .map((line) => `> ${line}`);
}
