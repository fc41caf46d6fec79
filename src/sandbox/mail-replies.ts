/** Recipients outside that answer by themselves: `reply-*` as a person, `ooo-*` as a machine. */
import type { AcceptedLetter, MailBooks } from './mail-books.ts';
import type { MailQueue } from './servers/mail-queue.ts';
import { mailDate } from './servers/mail-date.ts';

/** The name by which the exchangers are known, and greet. */
export const EXCHANGER_NAME = 'mx.exchangers.test';

/** Queues the answer to the letter's sender; bounces and automatic letters get none. */
export function answerFromOutside(
  queue: MailQueue,
  books: MailBooks,
  letter: AcceptedLetter,
): void {
  const person = /^reply-/i.test(letter.to);
  const automatic = /^ooo-/i.test(letter.to);
  if ((!person && !automatic) || letter.from === '' || letter.headers['auto-submitted']) return;
  const domain = letter.to.split('@')[1];
  const messageId = `<reply.${letter.id}.${Date.now()}@${domain}>`;
  const subject = letter.subject.replace(/^(re:\s*)+/i, '');
  const references = `${letter.headers['references'] ?? ''} ${letter.messageId}`.trim();
  const lines = [
    `From: ${letter.to}`,
    `To: ${letter.from}`,
    `Subject: ${automatic ? 'Out of office:' : 'Re:'} ${subject}`,
    `Date: ${mailDate(new Date())}`,
    `Message-ID: ${messageId}`,
    `In-Reply-To: ${letter.messageId}`,
    `References: ${references}`,
    ...(automatic ? ['Auto-Submitted: auto-replied', 'X-Auto-Response-Suppress: All'] : []),
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    '',
    automatic ? 'I am out of the office and back next Monday.' : 'Thanks, tell me more!',
    '',
  ];
  const raw = Buffer.from(lines.join('\r\n'));
  queue.add({ origin: 'outside', helo: EXCHANGER_NAME, from: letter.to, to: [letter.from], raw });
  books.replied({ from: letter.to, to: letter.from, inReplyTo: letter.messageId, messageId });
}
