/** Addresses with letters beyond ASCII before the `@`, which only some servers take. RFC 6531. */
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import { ProviderError } from '../../domain/errors.ts';
import { PROVIDER } from './failures.ts';

/** As a server says it that finds out by itself (RFC 6531, 3.5): it is about neither party, but the way. */
const CODE = '553 5.6.7';

/**
 * Throws `rejected` where a recipient needs SMTPUTF8 and the server does not offer it: it MUST NOT be asked then
 * (RFC 6531, 3.2), and what it would answer, such as a syntax error of the address, would count as a bounce.
 */
export function refuseUnreachable(
  connection: SMTPConnection,
  where: string,
  recipients: string | readonly string[],
): void {
  if (!/[^\0-\x7f]/.test([recipients].flat().join())) return;
  // nodemailer keeps what the server said to EHLO to itself.
  const { _supportedExtensions: offered } = connection as unknown as {
    _supportedExtensions?: readonly string[];
  };
  if (offered === undefined || offered.includes('SMTPUTF8')) return;
  const reply = `${CODE} This mail server does not offer SMTPUTF8, which the address needs`;
  const facts = { provider: PROVIDER, providerCode: CODE, reply };
  throw new ProviderError('rejected', `${PROVIDER}: ${where} does not offer SMTPUTF8`, facts);
}
