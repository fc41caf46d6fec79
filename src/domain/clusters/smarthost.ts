/** Relays: for mail hosts where a vendor keeps port 25 closed, and for the service's own messages. */
import { parseUrl } from '../url.ts';

/** `password` is a secret: it is sent to hosts on standard input only. */
export interface Smarthost {
  host: string;
  port: number;
  user: string;
  password: string;
}

export const SMARTHOST_FORM =
  'smtp://user:password@host:port is needed, with reserved characters of both as %xx';

/** A relay for the service's own messages. */
export interface Relay extends Smarthost {
  /** TLS from the first byte (RFC 8314); otherwise STARTTLS, which the relay must offer. */
  isTls: boolean;
}

export const RELAY_FORM =
  'smtps://user:password@host:port or smtp://… is needed, with reserved characters of both as %xx';

/** Submission with STARTTLS (RFC 6409), and over TLS (RFC 8314). */
const PORTS = { 'smtp:': 587, 'smtps:': 465 };

/** A host name, no IP address: the certificate is checked against it. */
const HOST_NAME = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

/** What a line of Postfix's `smtp_sasl_password_maps` allows: the first colon ends the user. */
const USER = /^[^\s:\p{Cc}]+$/u;
const PASSWORD = /^[^\p{Cc}]*[^\s\p{Cc}]$/u;

/** Parses `smtp://user:password@host[:port]`; undefined for anything else. */
export const parseSmarthost = (text: string): Smarthost | undefined => parseAs('smtp:', text);

/** The same, or with `smtps://`. */
export function parseRelay(text: string): Relay | undefined {
  const isTls = /^smtps:/i.test(text);
  const relay = parseAs(isTls ? 'smtps:' : 'smtp:', text);
  return relay && { ...relay, isTls };
}

function parseAs(protocol: keyof typeof PORTS, text: string): Smarthost | undefined {
  const url = parseUrl(text);
  if (url?.protocol !== protocol || !/^\/?$/.test(url.pathname + url.search + url.hash)) return;
  const [user, password] = [decoded(url.username), decoded(url.password)];
  const host = url.hostname.toLowerCase();
  const port = url.port === '' ? PORTS[protocol] : Number(url.port);
  if (!HOST_NAME.test(host) || host.length > 253 || port === 0) return undefined;
  if (!USER.test(user) || !PASSWORD.test(password)) return undefined;
  return { host, port, user, password };
}

/** Empty, which no part may be, where the percent-encoding is invalid. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
