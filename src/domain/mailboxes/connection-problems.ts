/** Why a mailbox could not be connected: a code and words that its owner can act on, no secret in them. */
import type { ProviderError } from '../errors.ts';
import { shortened, storable } from '../storable-text.ts';

export const CONNECTION_CODES = [
  'LOGIN_REFUSED',
  'ACCESS_REFUSED',
  'APP_PASSWORD_NEEDED',
  'PROTOCOL_DISABLED',
  'TLS_REFUSED',
  'HOST_FORBIDDEN',
  'HOST_UNREACHABLE',
  'PROOF_REFUSED',
  'PROOF_NOT_DELIVERED',
] as const;
export type ConnectionCode = (typeof CONNECTION_CODES)[number];

/** Codes by which a server says that the password is not the one: who sees many of them guesses. */
export const PASSWORD_REFUSALS: readonly string[] = [
  'LOGIN_REFUSED',
  'APP_PASSWORD_NEEDED',
] satisfies ConnectionCode[];

/** The server that was asked. */
export interface AskedServer {
  protocol: 'SMTP' | 'IMAP';
  host: string;
}

/** As an error of a provider says that a host may not be called. */
export const HOST_FORBIDDEN = 'HOST_FORBIDDEN';

/** Words of vendors: Google's 534 5.7.9 and 535 5.7.8 with a link, Yahoo's and Apple's own. */
const APP_PASSWORD = /app(?:lication)?[- ]specific password|app password|InvalidSecondFactor/i;
/** Microsoft's 5.7.139, Google's and Zoho's answers where the owner has not turned a protocol on. */
const DISABLED =
  /SmtpClientAuthentication is disabled|not enabled for (?:imap|smtp)|(?:imap|smtp)(?: access| auth\w*)? (?:is |has been )?disabled|5\.7\.139|basic auth\w* is (?:disabled|blocked)/i;
const TLS = /CERT|SELF_SIGNED|ERR_TLS|ERR_SSL|ETLS|DEPTH_ZERO|UNABLE_TO/;
const TLS_WORDS = /certificate|\btls\b|\bssl\b|starttls/i;

const MAX_WORDS = 300;

/** What the vendor said, on one line, without `secrets`. */
export function vendorWords(reply: string | undefined, secrets: readonly string[]): string {
  let words = storable(reply ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  for (const secret of secrets) if (secret !== '') words = words.replaceAll(secret, '***');
  return shortened(words, MAX_WORDS);
}

/** For an error of a login, a submission or a reading; undefined where it says nothing about the mailbox. */
export function connectionCodeOf(error: ProviderError): ConnectionCode | undefined {
  const { kind, facts, message } = error;
  const code = facts.providerCode ?? '';
  const reply = facts.loginReply ?? facts.reply ?? '';
  if (code === HOST_FORBIDDEN) return 'HOST_FORBIDDEN';
  if (APP_PASSWORD.test(reply)) return 'APP_PASSWORD_NEEDED';
  if (DISABLED.test(reply)) return 'PROTOCOL_DISABLED';
  if (kind === 'rejected') return 'LOGIN_REFUSED';
  if (TLS.test(code) || TLS_WORDS.test(message)) return 'TLS_REFUSED';
  return kind === 'unavailable' || kind === 'rate_limited' ? 'HOST_UNREACHABLE' : undefined;
}

const SENTENCES: Record<ConnectionCode, (at: AskedServer) => string> = {
  LOGIN_REFUSED: ({ protocol, host }) =>
    `${protocol} at ${host} refuses the user name or the password`,
  ACCESS_REFUSED: ({ protocol, host }) =>
    `${protocol} at ${host} does not take the access that the owner has given`,
  APP_PASSWORD_NEEDED: ({ protocol, host }) =>
    `${protocol} at ${host} wants an app password instead of the account’s own`,
  PROTOCOL_DISABLED: ({ protocol, host }) =>
    `${protocol} is turned off for this mailbox at ${host}`,
  TLS_REFUSED: ({ protocol, host }) =>
    `${protocol} at ${host} has no TLS with a certificate that is valid for this name`,
  HOST_FORBIDDEN: ({ host }) =>
    `${host} may not be called: it is not at public addresses (in test mode: not in the sandbox)`,
  HOST_UNREACHABLE: ({ protocol, host }) => `${protocol} at ${host} cannot be reached`,
  PROOF_REFUSED: ({ host }) => `${host} refuses a message from this mailbox to itself`,
  PROOF_NOT_DELIVERED: ({ host }) =>
    `A message from this mailbox to itself was taken by its server, but not found by IMAP at ${host} in time`,
};

const NEED_GUIDANCE: readonly ConnectionCode[] = [
  'LOGIN_REFUSED',
  'ACCESS_REFUSED',
  'APP_PASSWORD_NEEDED',
  'PROTOCOL_DISABLED',
];

/** A sentence, the vendor's own words, and what its users have to do. */
export function connectionWords(
  code: ConnectionCode,
  at: AskedServer,
  { words, guidance }: { words: string; guidance: string | undefined },
): string {
  const needsGuidance = NEED_GUIDANCE.includes(code);
  return [
    `${SENTENCES[code](at)}.`,
    ...(words === '' ? [] : [`It said: ${words}`]),
    ...(needsGuidance && guidance !== undefined ? [guidance] : []),
  ].join(' ');
}
