/** How a request can fail, and how people are told. */
import { ProviderError } from '../../domain/errors.ts';

/** Why there is no page; `reason` is one sentence. */
export interface Trouble {
  state: 'unreachable' | 'refused';
  reason: string;
  /** Set where another name, scheme or path of the same site may work; `no-answer`: one that was given as well. */
  cause?: 'no-address' | 'no-connection' | 'no-answer' | 'certificate' | 'no-such-page';
}

export const unreachable = (reason: string): Trouble => ({ state: 'unreachable', reason });
export const refused = (reason: string): Trouble => ({ state: 'refused', reason });

export const isTrouble = (value: object): value is Trouble => 'state' in value && 'reason' in value;

/** Our own limits, thrown through the HTTP client as `code`. */
export const TIMED_OUT = 'OUTREACH_TIMED_OUT';
/** The same before the connection stood. */
export const NOT_CONNECTED = 'OUTREACH_NOT_CONNECTED';
export const CANCELLED = 'OUTREACH_CANCELLED';

/** An error that stops a request; `code` is one of the above. */
export function stopError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** A broken connection in words; only the code of the error itself is shown. */
export function connectionTrouble(host: string, error: unknown): Trouble {
  const code = codeOf(error);
  const { name, message = '' } = error as { name?: string; message?: string };
  const about = (words: string, cause?: Trouble['cause']): Trouble => ({
    ...unreachable(`${host} ${words}.`),
    ...(cause && { cause }),
  });
  // Errors of dialling are the provider's; a connection that stands fails with one of Node's.
  if (code === NOT_CONNECTED || (error instanceof ProviderError && LATE.test(message))) {
    return about('did not answer in time', 'no-answer');
  }
  if (code === TIMED_OUT || LATE.test(code) || LATE.test(message)) {
    return about('did not answer in time');
  }
  if (CERTIFICATE.test(code))
    return about(`has a certificate that is not valid (${code})`, 'certificate');
  if (/^(ERR_SSL|ERR_TLS|EPROTO)/.test(code))
    return about('speaks no TLS that we know', 'no-connection');
  if (/HEADERS_OVERFLOW|HEADER_OVERFLOW/.test(code)) return about('sends too many headers');
  if (name === 'HTTPParserError') return about('does not speak HTTP');
  if (code === 'ECONNREFUSED' || /refused/i.test(message))
    return about('refuses connections', 'no-connection');
  if (BROKEN.test(code)) return about('broke the connection', 'no-connection');
  return about('cannot be reached', 'no-connection');
}

const LATE = /timed? ?out/i;
const CERTIFICATE =
  /^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS_CERT|HOSTNAME_MISMATCH|INVALID_PURPOSE|CRL_)/;
const BROKEN = /^(ECONNRESET|EPIPE|UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/;

/** The code of an error, of ours or of Node's, or ''. */
export function codeOf(error: unknown): string {
  const { code, facts } = error as { code?: unknown; facts?: { providerCode?: unknown } };
  const found = code ?? facts?.providerCode;
  return typeof found === 'string' ? found : '';
}
