/** Complaints that mailbox providers report: RFC 5965, the Abuse Reporting Format. */
import { isReSubject } from './answered.ts';
import { isOwnAddress, isReport } from './bounces.ts';
import { addressesOf, firstMessageId, originalMessage, readFields } from './fields.ts';
import type { MessageFacts, MessageView, Reported } from './message.ts';
import { readVerp } from './verp.ts';

/** Report types that are no complaints. RFC 6430; RFC 6591. */
const NO_COMPLAINT = new Set(['not-spam', 'auth-failure', 'dmarc', 'virus']);

/**
 * `mailto:...?subject=unsubscribe%20<token>` or `.../u/<token>` of our messages (RFC 2369, RFC 8058), by their worth: one of
 * the web is good at the host of its link alone, which a campaign may have of its own.
 */
const LINKS = [/unsubscribe(?:%20|\+|\s)([\w-]{28,64})(?![\w-])/i, /\/u\/([\w-]{28,64})(?![\w-])/i];

/**
 * Undefined for any other message. A named recipient is no proof: the Message-ID, the envelope sender and the
 * link of the message are, since only those who have the message know them.
 */
export function readComplaint(
  message: MessageView,
): { facts: MessageFacts; reported: Reported } | undefined {
  const { headers, parts } = message;
  const report = parts.find(({ type }) => type === 'message/feedback-report');
  const isFeedback = /report-type="?feedback-report/i.test(headers.get('content-type') ?? '');
  if (!report && !isFeedback) return readPlainComplaint(message);
  const fields = readFields(report?.text ?? '')[0] ?? new Map<string, string>();
  const feedbackType = fields.get('feedback-type')?.toLowerCase() ?? 'abuse';
  if (NO_COMPLAINT.has(feedbackType)) return undefined;
  const original = originalMessage(parts);
  const recipient = addressIn(fields.get('original-rcpt-to') ?? original.get('to') ?? '');
  const originalMessageId = firstMessageId(original.get('message-id'));
  const verp =
    readVerp(new Map([['to', original.get('return-path') ?? '']])) ??
    readVerp(new Map([['to', fields.get('original-mail-from') ?? '']]));
  const unsubscribeToken = linkToken(original.get('list-unsubscribe') ?? '');
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

const linkToken = (header: string): string | undefined =>
  LINKS.map((link) => link.exec(header)?.[1]).find((token) => token !== undefined);

/** Subjects of Microsoft's Junk Mail Reporting Program, of SpamCop, and of hosters that pass a complaint on. */
const PLAIN = [
  /^complaint about message from [\d.:a-f]+\s*$/i,
  /^\[SpamCop \([\d.:a-f]+\) id:\d+\]/i,
  /(?<!\p{L})(?:spam|abuse|uce|junk)(?:[ -]?mail)?[ -]{0,3}(?:complaint|report|beschwerde|meldung|klacht|skarg|жалоб)|(?:complaint|report|beschwerde|plainte|queja|denuncia|reclamo|segnalazione|skarga|жалоба)\p{L}* .{0,40}(?<!\p{L})(?:spam|abuse|uce|спам)/iu,
];
const FORWARDED = /^\s*(?:fwd?|wg|tr|vb|i|enc|rv|pd)\s*:|undeliver|failure notice/i;
const MAX_CHARS = 20_000;

/**
 * A complaint without a report by RFC 5965: the message attached, or its headers in the text. Who answers a message of
 * ours, or quotes another's, complains to us themselves; that is read as what they write.
 */
function readPlainComplaint(
  message: MessageView,
): { facts: MessageFacts; reported: Reported } | undefined {
  const { headers, subject, parts, ownAddresses, fromAddress } = message;
  if (!PLAIN.some((each) => each.test(subject))) return undefined;
  // Bounces, answers, and what is handed on have our subject, which may be about spam reports.
  const isHandedOn = isReSubject(subject) || FORWARDED.test(subject);
  if (isReport(message) || headers.has('in-reply-to') || isHandedOn) return undefined;
  if (ownAddresses.has(fromAddress)) return undefined;
  const attached = originalMessage(parts);
  const original = attached.size > 0 ? attached : quotedHeaders(message.text.slice(0, MAX_CHARS));
  const originalMessageId = firstMessageId(original.get('message-id'));
  const from = addressIn(original.get('from') ?? '');
  if (originalMessageId === undefined || from === undefined) return undefined;
  if (PLAIN.some((each) => each.test(original.get('subject') ?? ''))) return undefined;
  const recipient = addressIn(original.get('x-hmxmroriginalrecipient') ?? original.get('to') ?? '');
  const isKnown = recipient !== undefined && !ownAddresses.has(recipient);
  return {
    facts: { feedbackType: 'abuse', originalMessageId, ...(isKnown && { recipient }) },
    reported: {
      blamed: isKnown ? [recipient] : [],
      returnedTo: [],
      isOfOthers: !isOwnAddress(from, message),
    },
  };
}

/** The headers of a message that a text repeats, quoted or not: the block that has its `Message-ID`. */
const quotedHeaders = (text: string): Map<string, string> =>
  readFields(text.replaceAll(/^[>|][>| ]*/gm, '')).find((block) => block.has('message-id')) ??
  new Map();

const addressIn = (text: string): string | undefined => addressesOf(text)[0];
