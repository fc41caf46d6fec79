/** Messages as MIME (RFC 5322, RFC 2045): nodemailer's composer, which folds and encodes headers. */
import { encode as encodeBase64, wrap as wrapBase64 } from 'nodemailer/lib/base64';
import MailComposer from 'nodemailer/lib/mail-composer';
import type MimeNode from 'nodemailer/lib/mime-node';
import { encode as encodeQuoted, wrap as wrapQuoted } from 'nodemailer/lib/qp';
import { oneLine } from '../../domain/campaigns/templates.ts';
import type { ComposedMessage } from './port.ts';

/** Port: `MailTransport.compose`. */
export async function compose(message: ComposedMessage): Promise<Buffer> {
  const { from, cc, inReplyTo, references, headers, html, files, ...rest } = message;
  const composer = new MailComposer({
    ...rest,
    // Otherwise an encoded word could carry a line end to the reader's program.
    from: from.name ? { name: oneLine(from.name), address: from.address } : from.address,
    ...(html !== undefined && { html }),
    ...(cc && { cc: [...cc] }),
    ...(files && { attachments: files.map((file) => ({ ...file })) }),
    ...(inReplyTo !== undefined && { inReplyTo }),
    ...(references !== undefined && { references: [...references] }),
    ...(headers && { headers: { ...headers } }),
    // Templates are text: nothing in them may read a file or fetch an address.
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: '\r\n',
  });
  const root = composer.compile();
  // A campaign message is a few kB of text: the composer's streams would cost more than everything
  // else.
  return files && files.length > 0 ? root.build() : Buffer.from(withCrlf(write(root)));
}

/** What `build` streams, for a node whose contents are strings. */
function write(node: MimeNode): string {
  const parts = [node.buildHeaders(), '\r\n\r\n'];
  if (typeof node.content === 'string') parts.push(encoded(node.content, node));
  if (!node.multipart) return parts.join('');
  for (const child of node.childNodes) {
    parts.push(parts.length > 2 ? '\r\n--' : '--', `${node.boundary}\r\n`, write(child));
  }
  return `${parts.join('')}\r\n--${node.boundary}--\r\n`;
}

function encoded(text: string, node: MimeNode): string {
  const encoding = node.getTransferEncoding();
  if (encoding === 'quoted-printable') return wrapQuoted(encodeQuoted(text));
  return encoding === 'base64' ? wrapBase64(encodeBase64(text)) : text;
}

const withCrlf = (text: string): string =>
  (text.endsWith('\n') ? text : `${text}\n`).replaceAll(/(?<!\r)\n/g, '\r\n');
