/** Messages that report a failed delivery: reports by RFC 3464, and refusals in plain text. */
import { blameOf } from './blame.ts';
import { addressesOf, firstMessageId, originalMessage, readFields } from './fields.ts';
import type { MessageFacts, MessageView, Reported } from './message.ts';
import { readRefusal } from './refusals.ts';

const STATUS_TYPES = new Set(['message/delivery-status', 'message/global-delivery-status']);
const REPORT_TYPES = new Set([
  ...STATUS_TYPES,
  'message/disposition-notification',
  'message/feedback-report',
]);
const ACTIONS = ['failed', 'delayed', 'delivered', 'relayed', 'expanded'] as const;
type Action = (typeof ACTIONS)[number];

/** Exim: the address that was written to, which led to the one that failed. */
const GENERATED_FROM = /^[ \t]*\(generated from ([^\s()<>@]+@[^\s()<>@]+)\)[ \t\r]*$/gim;
const MAX_CHARS = 20_000;

/** Undefined for what is no bounce; a report of success is none either. */
export function readBounce(
  message: MessageView,
): { facts: MessageFacts; reported: Reported } | undefined {
  const facts = readStatusReport(message) ?? readRefusal(message);
  if (!facts || (facts.action !== 'failed' && facts.action !== 'delayed')) return undefined;
  const original = originalMessage(message.parts);
  const blocks = message.parts.filter(({ type }) => STATUS_TYPES.has(type)).flatMap(fieldsOf);
  const named = blocks.flatMap((fields) =>
    ['final-recipient', 'original-recipient'].map((name) => addressOf(fields.get(name))),
  );
  const failed = addressesOf(message.headers.get('x-failed-recipients') ?? '');
  const aliases = [...message.text.slice(0, MAX_CHARS).matchAll(GENERATED_FROM)];
  const behind = aliases.map(([, address]) => address?.toLowerCase());
  const blamed = [...new Set([facts.recipient, ...named, ...failed, ...behind])].filter(
    (each) => each !== undefined,
  );
  const returnedTo = [original.get('to'), original.get('cc')].flatMap((list = '') =>
    addressesOf(list),
  );
  const [from] = addressesOf(original.get('from') ?? '');
  const isOfOthers = from !== undefined && !isOwnAddress(from, message);
  return { facts, reported: { blamed, returnedTo, isOfOthers } };
}

/** Undefined where there is no report, or none that can be read. */
function readStatusReport(message: MessageView): MessageFacts | undefined {
  const report = message.parts.find(({ type }) => STATUS_TYPES.has(type));
  const found = report && worst(fieldsOf(report).map(readRecipient));
  if (!found) return undefined;
  const original = originalMessage(message.parts);
  const originalMessageId =
    firstMessageId(original.get('message-id')) ?? firstMessageId(message.headers.get('references'));
  const facts = { ...found, ...(originalMessageId !== undefined && { originalMessageId }) };
  const isForGood = found.action === 'failed' && isPermanent(found.status);
  const { diagnostic, ...rest } = facts;
  return {
    ...rest,
    isPermanent: isForGood,
    ...(isForGood && blameOf(found.status, diagnostic)),
  };
}

const fieldsOf = ({ text }: { text: string }) => readFields(text);

/** Also with the tag of an envelope sender (VERP). */
export const isOwnAddress = (address: string, { ownAddresses }: MessageView): boolean =>
  ownAddresses.has(address) || ownAddresses.has(address.replace(/\+[^@]*@/, '@'));

/** Any machine's report: of delivery, of reading, or of a passed check. RFC 6522. */
export const isReport = ({ headers, parts }: MessageView): boolean =>
  /^\s*multipart\/report\b/i.test(headers.get('content-type') ?? '') ||
  parts.some(({ type }) => REPORT_TYPES.has(type));

/** RFC 3463: 5 is permanent. A report of "failed" without a status counts as permanent. */
const isPermanent = (status: string | undefined): boolean => status?.startsWith('4') !== true;

/** The recipient's fields; undefined for the block about the whole message. */
function readRecipient(
  fields: Map<string, string>,
): (MessageFacts & { action: Action; diagnostic: string }) | undefined {
  const said = fields
    .get('action')
    ?.toLowerCase()
    .split(/[\s(;]/)[0];
  const status = /[245]\.\d{1,3}\.\d{1,3}/.exec(fields.get('status') ?? '')?.[0];
  const diagnostic = fields.get('diagnostic-code') ?? '';
  const action =
    ACTIONS.find((each) => each === said) ?? (status === undefined ? undefined : actionBy(status));
  if (action === undefined) return undefined;
  const better = betterStatus(status, diagnostic);
  const recipient = addressOf(fields.get('final-recipient') ?? fields.get('original-recipient'));
  return {
    action,
    diagnostic,
    ...(better !== undefined && { status: better }),
    ...(recipient !== undefined && { recipient }),
  };
}

const actionBy = (status: string): Action => (status.startsWith('2') ? 'delivered' : 'failed');

/** Some hosts send 5.0.0 and put the real status into the diagnostic code. */
function betterStatus(status: string | undefined, diagnostic: string): string | undefined {
  if (status !== undefined && !status.endsWith('.0.0')) return status;
  const inside = /\b([45])\.\d{1,3}\.\d{1,3}\b/.exec(diagnostic)?.[0];
  const smtp = /(?:^|;\s*)([45])\d\d\b/.exec(diagnostic)?.[1];
  return inside ?? status ?? (smtp && `${smtp}.0.0`);
}

/** `rfc822; ann@acme.com` -> `ann@acme.com`. */
const addressOf = (value: string | undefined): string | undefined =>
  addressesOf(value?.slice(value.indexOf(';') + 1) ?? '')[0];

/** A failed recipient takes precedence over a delayed one, and that over a delivered one. */
function worst<T extends { action: Action }>(found: readonly (T | undefined)[]): T | undefined {
  return found
    .filter((each) => each !== undefined)
    .toSorted((a, b) => ACTIONS.indexOf(a.action) - ACTIONS.indexOf(b.action))[0];
}
