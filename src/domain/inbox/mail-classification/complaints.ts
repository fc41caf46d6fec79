/** Complaints that mailbox providers report: RFC 5965, the Abuse Reporting Format. */
import { isOwnAddress } from './bounces.ts';
import { firstMessageId, originalMessage, readFields } from './fields.ts';
import type { MessageFacts, MessageView, Reported } from './message.ts';
import { readVerp } from './verp.ts';

/** Report types that are no complaints. RFC 6430; RFC 6591. */
const NO_COMPLAINT = new Set(['not-spam', 'auth-failure', 'dmarc', 'virus']);

/** `.../u/<token>` or `mailto:...?subject=unsubscribe%20<token>` of our messages. RFC 2369, RFC 8058. */
const LINK = /(?:\/u\/|unsubscribe(?:%20|\+|\s))([\w-]{28,64})(?![\w-])/i;

/**
 * Undefined for any other message. A named recipient is no proof: the Message-ID, the envelope sender and the
 * link of the message are, since only those who have the message know them.
 */
export function readComplaint(
  message: MessageView,
): { facts: MessageFacts; reported: Reported } | undefined {
  const { headers, parts } = message;
  const report = parts.find(({ type }) => type === 'message/feedback-report');
  const isReport = /report-type="?feedback-report/i.test(headers.get('content-type') ?? '');
  if (!report && !isReport) return undefined;
  const fields = readFields(report?.text ?? '')[0] ?? new Map<string, string>();
  const feedbackType = fields.get('feedback-type')?.toLowerCase() ?? 'abuse';
  if (NO_COMPLAINT.has(feedbackType)) return undefined;
  const original = originalMessage(parts);
  const recipient = addressIn(fields.get('original-rcpt-to') ?? original.get('to') ?? '');
  const originalMessageId = firstMessageId(original.get('message-id'));
  const verp =
    readVerp(new Map([['to', original.get('return-path') ?? '']])) ??
    readVerp(new Map([['to', fields.get('original-mail-from') ?? '']]));
  const unsubscribeToken = LINK.exec(original.get('list-unsubscribe') ?? '')?.[1];
  const from = addressIn(original.get('from') ?? '');
  return {
    facts: {
      feedbackType,
      ...(recipient !== undefined && { recipient }),
      ...(originalMessageId !== undefined && { originalMessageId }),
      ...(verp && { verpSendId: verp.sendId, verpTag: verp.tag }),
      ...(unsubscribeToken !== undefined && { unsubscribeToken }),
    },
    reported: {
      blamed: recipient === undefined ? [] : [recipient],
      returnedTo: [],
      isOfOthers: from !== undefined && !isOwnAddress(from, message),
    },
  };
}

const addressIn = (text: string): string | undefined =>
  /[^\s<>,;"]+@[^\s<>,;"]+/.exec(text)?.[0].toLowerCase();
