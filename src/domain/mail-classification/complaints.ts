/** Complaints that mailbox providers report: RFC 5965, the Abuse Reporting Format. */
import { firstMessageId, originalLetter, readFields } from './fields.ts';
import type { LetterFacts, LetterView } from './letter.ts';

/** What reports about letters that were not meant as complaints say. RFC 6430; RFC 6591. */
const NO_COMPLAINT = new Set(['not-spam', 'auth-failure', 'dmarc', 'virus']);

/** Undefined for any other letter. */
export function readComplaint({ headers, parts }: LetterView): LetterFacts | undefined {
  const report = parts.find(({ type }) => type === 'message/feedback-report');
  const isReport = /report-type="?feedback-report/i.test(headers.get('content-type') ?? '');
  if (!report && !isReport) return undefined;
  const fields = readFields(report?.text ?? '')[0] ?? new Map<string, string>();
  const feedbackType = fields.get('feedback-type')?.toLowerCase() ?? 'abuse';
  if (NO_COMPLAINT.has(feedbackType)) return undefined;
  const original = originalLetter(parts);
  const recipient = addressIn(fields.get('original-rcpt-to') ?? original.get('to') ?? '');
  const originalMessageId = firstMessageId(original.get('message-id'));
  return {
    feedbackType,
    ...(recipient !== undefined && { recipient }),
    ...(originalMessageId !== undefined && { originalMessageId }),
  };
}

const addressIn = (text: string): string | undefined =>
  /[^\s<>,;"]+@[^\s<>,;"]+/.exec(text)?.[0].toLowerCase();
