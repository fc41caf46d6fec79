/** New messages of a folder, and the structure of those that are too large to be read whole. */
import type { FetchMessageObject, ImapFlow, MessageStructureObject } from 'imapflow';
import { MAX_LIST_BYTES, withinBytes } from './imap-limits.ts';
import type { FetchedMessage, MessagePart } from './port.ts';

/** Bytes of a batch: its messages are in memory together. */
const MAX_BATCH_BYTES = 4_000_000;
/** UIDs in one command: servers limit its line. */
const UIDS_AT_ONCE = 200;
const MAX_DEPTH = 50;
/**
 * Of the structures in one answer: usually up to two kilobytes each. Not of all in the folder: how many large messages
 * it has is not bounded.
 */
const MAX_PARTS_BYTES = UIDS_AT_ONCE * 16 * 1_024;

type Range = { afterUid: number; maxBytes: number; batch: number };

/** In the selected folder, oldest first. */
export async function* newMessages(
  client: ImapFlow,
  { afterUid, maxBytes, batch }: Range,
): AsyncGenerator<FetchedMessage[]> {
  let messages: FetchedMessage[] = [];
  let bytes = 0;
  for await (const fetched of eachMessage(client, afterUid, maxBytes)) {
    messages.push(fetched);
    bytes += fetched.source.length;
    if (messages.length < batch && bytes < MAX_BATCH_BYTES) continue;
    yield messages;
    messages = [];
    bytes = 0;
  }
  if (messages.length > 0) yield messages;
}

/** By one command for as many as possible: the server keeps sending while a batch is processed. */
async function* eachMessage(
  client: ImapFlow,
  afterUid: number,
  maxBytes: number,
): AsyncGenerator<FetchedMessage> {
  const query = { uid: true, flags: true, internalDate: true, size: true };
  const source = { start: 0, maxLength: maxBytes };
  let large = await largeUids(client, afterUid, maxBytes);
  let first = afterUid + 1;
  // Structures are asked for in front of their messages, since no other command can run while messages come in; and in
  // step with them, so that those of a few messages are in memory.
  for (let last = 0; last !== Infinity; first = last + 1) {
    // A long read meets messages that have come meanwhile.
    const isLastKnown = large.length <= UIDS_AT_ONCE && first > afterUid + 1;
    if (isLastKnown) large = await largeUids(client, first - 1, maxBytes);
    const some = large.slice(0, UIDS_AT_ONCE);
    large = large.slice(UIDS_AT_ONCE);
    const parts = await partsOf(client, some);
    last = large.length === 0 ? Infinity : some.at(-1)!;
    requireConnection(client);
    const uids = `${first}:${last === Infinity ? '*' : last}`;
    for await (const message of client.fetch(uids, { ...query, source }, { uid: true })) {
      // "n:*" includes the last message even when its UID is below n (RFC 9051, 9: seq-range). Changes by
      // other clients are reported in between, without a text.
      if (message.uid < first || message.uid > last || message.source === undefined) continue;
      yield asFetched(message, maxBytes, parts.get(message.uid));
    }
  }
}

/** Without one, imapflow answers as if there were no messages. */
function requireConnection({ mailbox }: ImapFlow): void {
  if (mailbox !== false) return;
  throw Object.assign(new Error('the connection has ended'), { code: 'NoConnection' });
}

function asFetched(
  message: FetchMessageObject,
  maxBytes: number,
  parts: MessagePart[] | undefined,
): FetchedMessage {
  // imapflow gives false for NIL.
  const source = message.source || Buffer.alloc(0);
  const sizeBytes = message.size ?? source.length;
  const isWhole = sizeBytes <= maxBytes;
  return {
    uid: message.uid,
    flags: [...(message.flags ?? [])],
    internalDate: new Date(message.internalDate ?? Date.now()),
    sizeBytes,
    source,
    isWhole,
    isTextless: isTextless(source, Math.min(sizeBytes, maxBytes)),
    ...(!isWhole && parts && { parts }),
  };
}

/**
 * Whether so few bytes cannot be the message. Servers report sizes imprecisely: some count line ends as
 * CRLF and send LF (half of the bytes where all lines are empty, a few percent else), some estimate.
 * Rejecting a message wrongly costs more than accepting a cut one, so half of the size is accepted.
 */
const isTextless = (source: Buffer, expectedBytes: number): boolean =>
  source.length < expectedBytes / 2;

/** Of the messages that are cut, ascending. Few are that large; the others cost only the query. */
async function largeUids(client: ImapFlow, afterUid: number, maxBytes: number): Promise<number[]> {
  const query = { uid: `${afterUid + 1}:*`, larger: maxBytes };
  const found = await withinBytes(client, MAX_LIST_BYTES, () =>
    client.search(query, { uid: true }),
  );
  return (found || []).filter((uid) => uid > afterUid).toSorted((one, other) => one - other);
}

/** By UID. */
async function partsOf(
  client: ImapFlow,
  uids: readonly number[],
): Promise<Map<number, MessagePart[]>> {
  const parts = new Map<number, MessagePart[]>();
  if (uids.length === 0) return parts;
  const query = { uid: true, bodyStructure: true };
  await withinBytes(client, MAX_PARTS_BYTES, async () => {
    for await (const { uid, bodyStructure } of client.fetch([...uids], query, { uid: true })) {
      if (uid !== undefined && bodyStructure) parts.set(uid, leavesOf(bodyStructure));
    }
  });
  return parts;
}

/**
 * Parts with content of their own; a message within the message counts as one part. RFC 9051, 7.5.2.
 */
function leavesOf(node: MessageStructureObject, depth = 0): MessagePart[] {
  if (node.type.startsWith('multipart/')) {
    if (depth > MAX_DEPTH) return [];
    return (node.childNodes ?? []).flatMap((child) => leavesOf(child, depth + 1));
  }
  return [
    {
      number: node.part ?? '1',
      type: node.type.toLowerCase(),
      name: node.parameters?.['name'],
      disposition: node.disposition?.toLowerCase() ?? '',
      filename: node.dispositionParameters?.['filename'],
      contentId: node.id,
      sizeBytes: contentBytes(node),
    },
  ];
}

/** RFC 2045, 6.8: 76 characters a line hold 57 bytes; the last line is an estimate. */
function contentBytes({ encoding, size = 0 }: MessageStructureObject): number {
  if (encoding?.toLowerCase() !== 'base64') return size;
  const lines = Math.floor(size / 78);
  return lines * 57 + Math.floor(((size - lines * 78) * 3) / 4);
}
