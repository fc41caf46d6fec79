/** Reports of spam as mailbox providers send them (RFC 5965). */
import type { AcceptedLetter } from './mail-books.ts';
import { mailDate } from '../servers/mail-date.ts';

/** The report about a letter, from the provider that runs `reporter`. */
export function feedbackReport(
  letter: AcceptedLetter,
  reporter: string,
): { raw: Buffer; messageId: string } {
  const boundary = `report-${letter.id}`;
  const messageId = `<complaint.${letter.id}.${Date.now()}@${reporter}>`;
  const [headers = ''] = letter.raw.split(/\r?\n\r?\n/);
  const lines = [
    `From: Feedback loop <complaints@${reporter}>`,
    `To: ${letter.from}`,
    `Subject: FW: ${letter.subject}`,
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
    `Original-Mail-From: <${letter.from}>`,
    `Original-Rcpt-To: <${letter.to}>`,
    `Arrival-Date: ${mailDate(new Date(letter.at))}`,
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
