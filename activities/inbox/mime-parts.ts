/** Classifies the parts of a message: attachments for people, reports for programs. */
import type { ReportPart } from '../../src/domain/inbox/mail-classification/index.ts';
import type { NewAttachment } from '../../src/db/inbox/messages.ts';
import { shortened, storable } from '../../src/domain/storable-text.ts';
import type { MessagePart } from '../../src/providers/mail-transport/port.ts';
import { wordsIn } from './mime-headers.ts';
import type { MimePart } from './mime-message.ts';

/** A message with more parts than this was not written by a person. */
const MAX_PARTS = 200;
/** Nothing in a report beyond this is needed. */
const MAX_REPORT_BYTES = 100_000;
const MAX_NAME_CHARS = 255;

const TEXTS = new Set(['text/plain', 'text/html']);

/** What a person would call an attachment: every part except the texts of the message. */
export const attachmentsOf = (parts: readonly (MimePart | MessagePart)[]): NewAttachment[] =>
  parts.slice(0, MAX_PARTS).flatMap((part) => {
    const { type, disposition, filename, contentId = null } = part;
    const name = filename ?? part.name;
    if (TEXTS.has(type) && disposition !== 'attachment' && name === undefined) return [];
    if (REPORTS.has(type)) return [];
    return {
      part: part.number,
      filename: shortName(storable(wordsIn(name ?? ''))) || 'attachment',
      contentType: storable(type || 'application/octet-stream').slice(0, MAX_NAME_CHARS),
      sizeBytes: 'sizeBytes' in part ? part.sizeBytes : part.size(),
      contentId: contentId && storable(contentId).slice(0, MAX_NAME_CHARS),
      isInline:
        disposition === 'inline' ||
        (disposition !== 'attachment' && contentId !== null && contentId !== ''),
    };
  });

/** By its ending programs know what a file is. */
function shortName(name: string): string {
  if (name.length <= MAX_NAME_CHARS) return name;
  const ending = /\.[\p{L}\p{N}]{1,12}$/u.exec(name)?.[0] ?? '';
  return (
    shortened(name.slice(0, -ending.length || undefined), MAX_NAME_CHARS - ending.length) + ending
  );
}

const REPORTS = new Set([
  'message/delivery-status',
  'message/global-delivery-status',
  'message/feedback-report',
  'message/disposition-notification',
  'text/rfc822-headers',
]);
const MESSAGES = new Set(['message/rfc822', 'message/global', 'message/rfc822-headers']);

/** Machine-readable parts, and the messages that they report on. */
export const reportParts = (parts: readonly MimePart[]): ReportPart[] =>
  parts.slice(0, MAX_PARTS).flatMap((part) => {
    const { type } = part;
    if (!REPORTS.has(type) && !MESSAGES.has(type)) return [];
    return { type, text: storable(part.bytes().toString('utf8', 0, MAX_REPORT_BYTES)) };
  });
