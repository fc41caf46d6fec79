/** Letters as MIME (RFC 5322, RFC 2045): nodemailer's composer, which folds and encodes headers. */
import MailComposer from 'nodemailer/lib/mail-composer';
import type { ComposedLetter } from './port.ts';

/** Port: `MailTransport.compose`. */
export function compose(letter: ComposedLetter): Promise<Buffer> {
  const { from, cc, inReplyTo, references, headers, html, files, ...rest } = letter;
  const composer = new MailComposer({
    ...rest,
    from: from.name ? { name: from.name, address: from.address } : from.address,
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
  return composer.compile().build();
}
