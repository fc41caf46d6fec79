/** Reports of spam as mailbox providers send them (RFC 5965). */
import type { AcceptedMessage } from './mail-records.ts';
import { mailDate } from '../servers/mail-date.ts';

/** The report about a message, from the provider that runs `reporter`. */
export function feedbackReport(
  message: AcceptedMessage,
  reporter: string,
): { raw: Buffer; messageId: string } {
  const boundary = `report-${message.id}`;
  const messageId = `<complaint.${message.id}.${Date.now()}@${reporter}>`;
  const [headers = ''] = message.raw.split(/\r?\n\r?\n/);
  const lines = [
    `From: Feedback loop <complaints@${reporter}>`,
    `To: ${message.from}`,
    `Subject: FW: ${message.subject}`,
    `Date: ${mailDate(new Date())}`,
    `Message-ID: ${messageId}`,
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type=feedback-report; boundary="${boundary}"`,
    '',
    `--${boundary}`,
    'Content-Type: text/plain; charset=us-ascii',
    '',
    'This is an email abuse report for an email message received at our exchangers.',
    '',
    `--${boundary}`,
    'Content-Type: message/feedback-report',
    '',
    'Feedback-Type: abuse',
    `User-Agent: ${reporter}/1.0`,
    'Version: 1',
    `Original-Mail-From: <${message.from}>`,
    `Original-Rcpt-To: <${message.to}>`,
    `Arrival-Date: ${mailDate(new Date(message.at))}`,
    '',
    `--${boundary}`,
    'Content-Type: text/rfc822-headers',
    '',
    headers,
    '',
    `--${boundary}--`,
    '',
  ];
  return { raw: Buffer.from(lines.join('\r\n').replace(/\r?\n/g, '\r\n'), 'latin1'), messageId };
}
