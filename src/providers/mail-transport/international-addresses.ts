/** Addresses with letters beyond ASCII before the `@`, which only some servers take. RFC 6531. */
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import { ProviderError } from '../../domain/errors.ts';
import { readEmailAddress } from '../../domain/email-validation/email-address.ts';
import { PROVIDER } from './failures.ts';

/** As a server says it that finds out by itself (RFC 6531, 3.5): it is about neither party, but the way. */
const CODE = '553 5.6.7';

const BEYOND_ASCII = /[^\0-\x7f]/;

/** A domain has a form in ASCII. */
const inPunycode = (address: string): string =>
  BEYOND_ASCII.test(address) ? (readEmailAddress(address)?.email ?? address) : address;

/**
 * The recipients, without those who need SMTPUTF8 where the server does not offer it: it MUST NOT be asked for them
 * then (RFC 6531, 3.2), and what it would answer, such as a syntax error of the address, would count as a bounce. Throws
 * `rejected` where none is left.
 */
export function reachable(
  connection: SMTPConnection,
  where: string,
  recipients: string | readonly string[],
): { to: string[]; refused: string[] } {
  const all = [recipients].flat().map(inPunycode);
  // nodemailer keeps what the server said to EHLO to itself.
  const { _supportedExtensions: offered } = connection as unknown as {
    _supportedExtensions?: readonly string[];
  };
  const takesAll = offered === undefined || offered.includes('SMTPUTF8');
  const refused = takesAll ? [] : all.filter((address) => BEYOND_ASCII.test(address));
  if (refused.length < all.length)
    return { to: all.filter((one) => !refused.includes(one)), refused };
  const reply = `${CODE} This mail server does not offer SMTPUTF8, which the address needs`;
  const facts = { provider: PROVIDER, providerCode: CODE, reply };
  throw new ProviderError('rejected', `${PROVIDER}: ${where} does not offer SMTPUTF8`, facts);
}
