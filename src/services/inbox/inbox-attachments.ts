/** Files of messages, streamed from the mailbox's host. Choice 34. */
import type { Context } from '../../context.ts';
import { findUserAttachment } from '../../db/inbox/inbox-messages.ts';
import { findMailboxAccess } from '../../db/mailboxes/mailbox-access.ts';
import { invalid, notFound, ProviderError, upstreamUnavailable } from '../../domain/errors.ts';
import type { ImapSession } from '../../providers/mail-transport/port.ts';

type Needs = Pick<Context, 'db' | 'cipher' | 'mailTransport'>;

/** Larger files are left to mail programs. */
const MAX_FILE_BYTES = 50_000_000;
/** Each is a separate connection to a mail host. */
const MAX_AT_ONCE = 10;

let open = 0;

/**
 * A file's name and its content as it comes. 404 also when the message was deleted at its host; 502 when
 * the host does not answer. A file longer than its announced size is broken off.
 */
export async function openAttachment(
  context: Needs,
  userId: string,
  ids: { messageId: number; attachmentId: number },
): Promise<{ fileName: string; read: () => AsyncIterable<Uint8Array> }> {
  const found = await findUserAttachment(context.db, userId, ids);
  if (!found) throw notFound('attachment');
  const { attachment, places } = found;
  const place = places[0];
  if (!place) throw notFound('attachment');
  if (attachment.size_bytes > MAX_FILE_BYTES) {
    throw invalid('ATTACHMENT_TOO_LARGE', 'Files of more than 50 MB are not passed on');
  }
  const access = await findMailboxAccess(context, attachment.mailbox_id);
  if (!access) throw notFound('attachment');
  const read = () =>
    contentOf(
      () => context.mailTransport.openImap(access),
      (imap) => imap.download(place.path, place.uid, attachment.part),
    );
  return { fileName: attachment.filename, read };
}

async function* contentOf(
  connect: () => Promise<ImapSession>,
  download: (imap: ImapSession) => Promise<AsyncIterable<Uint8Array>>,
): AsyncGenerator<Uint8Array> {
  if (open >= MAX_AT_ONCE) {
    throw upstreamUnavailable('Too many files are being read; try again shortly');
  }
  open += 1;
  let imap: ImapSession | undefined;
  try {
    imap = await connect();
    let bytes = 0;
    for await (const chunk of await download(imap)) {
      bytes += chunk.length;
      if (bytes > MAX_FILE_BYTES) throw new Error('a file is longer than it said');
      yield chunk;
    }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.kind === 'rejected') throw notFound('attachment');
    throw upstreamUnavailable('The mail host does not answer; try again shortly', error);
  } finally {
    open -= 1;
    // Not awaited: an abandoned download accepts no further command.
    void imap?.close().catch(() => undefined);
  }
}
