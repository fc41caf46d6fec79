/** The letter that tells a sender of a failed delivery (RFC 3464), as Postfix writes it. */
import type { QueuedLetter } from './mail-queue.ts';
import { mailDate } from './mail-date.ts';

/** `reply` is what the next hop said, such as `mx.test said: 550 5.1.1 no such user`. */
export function bounceLetter(letter: QueuedLetter, raw: Buffer, reply: string): Buffer {
  const boundary = `bounce-${letter.id}`;
  const status = /\b[45]\.\d{1,3}\.\d{1,3}\b/.exec(reply)?.[0] ?? '5.0.0';
  const [headers = ''] = raw.toString('latin1').split(/\r?\n\r?\n/);
  const lines = [
    `From: MAILER-DAEMON@${letter.helo} (Mail Delivery System)`,
    `To: ${letter.from}`,
    'Subject: Undelivered Mail Returned to Sender',
    `Date: ${mailDate(new Date())}`,
    `Message-ID: <bounce.${letter.id}.${Date.now()}@${letter.helo}>`,
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type=delivery-status; boundary="${boundary}"`,
    '',
    `--${boundary}`,
    'Content-Type: text/plain; charset=us-ascii',
    '',
    `This is the mail system at host ${letter.helo}.`,
    '',
    "I'm sorry to have to inform you that your message could not be delivered.",
    '',
    `<${letter.to}>: ${reply}`,
    '',
    `--${boundary}`,
    'Content-Type: message/delivery-status',
    '',
    `Reporting-MTA: dns; ${letter.helo}`,
    `Arrival-Date: ${mailDate(new Date(letter.queuedAtMs))}`,
    '',
    `Final-Recipient: rfc822; ${letter.to}`,
    'Action: failed',
    `Status: ${status.replace(/^4/, '5')}`,
    `Diagnostic-Code: smtp; ${reply.replace(/^.* said: /, '')}`,
    '',
    `--${boundary}`,
    'Content-Type: text/rfc822-headers',
    '',
    headers,
    '',
    `--${boundary}--`,
    '',
  ];
  return Buffer.from(lines.join('\r\n').replace(/\r?\n/g, '\r\n'), 'latin1');
}
