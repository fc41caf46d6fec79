/** The message that tells a sender of a failed delivery (RFC 3464), as Postfix writes it. */
import type { QueuedMessage } from './mail-queue.ts';
import { mailDate } from './mail-date.ts';

/** `reply` is what the next hop said, such as `mx.test said: 550 5.1.1 no such user`. */
export function bounceMessage(message: QueuedMessage, raw: Buffer, reply: string): Buffer {
  const boundary = `bounce-${message.id}`;
  const status = /\b[45]\.\d{1,3}\.\d{1,3}\b/.exec(reply)?.[0] ?? '5.0.0';
  const [headers = ''] = raw.toString('latin1').split(/\r?\n\r?\n/);
  const lines = [
    `From: MAILER-DAEMON@${message.helo} (Mail Delivery System)`,
    `To: ${message.from}`,
    'Subject: Undelivered Mail Returned to Sender',
    `Date: ${mailDate(new Date())}`,
    `Message-ID: <bounce.${message.id}.${Date.now()}@${message.helo}>`,
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type=delivery-status; boundary="${boundary}"`,
    '',
    `--${boundary}`,
    'Content-Type: text/plain; charset=us-ascii',
    '',
    `This is the mail system at host ${message.helo}.`,
    '',
    "I'm sorry to have to inform you that your message could not be delivered.",
    '',
    `<${message.to}>: ${reply}`,
    '',
    `--${boundary}`,
    'Content-Type: message/delivery-status',
    '',
    `Reporting-MTA: dns; ${message.helo}`,
    `Arrival-Date: ${mailDate(new Date(message.queuedAtMs))}`,
    '',
    `Final-Recipient: rfc822; ${message.to}`,
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
