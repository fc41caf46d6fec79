/** imapflow as the product uses it: the literal address dialled, the certificate checked by name. */
import { ImapFlow } from 'imapflow';
import { ProviderError } from '../../domain/errors.ts';
import { traced } from '../../tracing/spans.ts';
import { withToken } from './access-token.ts';
import { calledAddress } from './called-address.ts';
import { loginRefused, unavailable } from './failures.ts';
import { MAX_MESSAGE_BYTES, sizeLimits, withinLogin } from './imap-limits.ts';
import type { AccessToken, MailboxAccess, RelayAccess } from './port.ts';
import type { CallTools } from './tls-sessions.ts';

const IMAP_PORT = 993;
const REFUSED_CODE = 'AUTHENTICATIONFAILED';

/** Response codes of a login that may succeed later. RFC 5530, 3. */
const LATER = new Set(['UNAVAILABLE', 'LIMIT', 'INUSE', 'SERVERBUG']);

/** The fields of imapflow's errors that are used. */
interface LoginError {
  authenticationFailed?: boolean;
  serverResponseCode?: string;
  response?: unknown;
}

export const whereOf = ({ host, servers }: MailboxAccess) =>
  `IMAP of ${servers?.imap.host ?? host}`;

/** A connection, and the token that it was logged in by. */
export interface ImapConnection {
  client: ImapFlow;
  token: AccessToken | undefined;
}

interface Purpose {
  /** Logs out again at once. */
  verifyOnly: boolean;
  /** The largest message that will be asked for. */
  maxMessageBytes?: number | undefined;
}

/** Logs in. Throws only ProviderError. */
export function connectImap(
  tools: CallTools,
  mailbox: MailboxAccess,
  purpose: Purpose,
): Promise<ImapConnection> {
  const grant = mailbox.servers?.oauth;
  const place = { where: whereOf(mailbox), refusedCode: REFUSED_CODE, grant };
  return withToken(tools, place, async (token) => ({
    client: await logIn(tools, mailbox, { ...purpose, token }),
    token,
  }));
}

function placeOf({ servers, isOperators }: MailboxAccess): RelayAccess['mustBe'] {
  if (servers) return 'public';
  return isOperators ? undefined : 'outside';
}

async function logIn(
  tools: CallTools,
  mailbox: MailboxAccess,
  {
    verifyOnly,
    maxMessageBytes = MAX_MESSAGE_BYTES,
    token,
  }: Purpose & { token: AccessToken | undefined },
): Promise<ImapFlow> {
  const where = whereOf(mailbox);
  const { servers } = mailbox;
  const { host, port, tls } = servers?.imap ?? { ...mailbox, port: IMAP_PORT, tls: 'tls' };
  const ipv4 = await calledAddress(tools, { host, mustBe: placeOf(mailbox) });
  const secured = tools.tlsSessions.callOf({ host, port });
  const client = new ImapFlow({
    host: ipv4,
    port,
    secure: tls === 'tls',
    // Without it nothing is said in the clear: a server that has no STARTTLS is left.
    ...(tls === 'starttls' && { doSTARTTLS: true }),
    servername: host,
    tls: secured.options,
    auth: {
      user: servers?.username ?? mailbox.email,
      ...(token ? { accessToken: token.value } : { pass: mailbox.password }),
    },
    ...(tools.outboundProxy !== undefined && { proxy: tools.outboundProxy }),
    verifyOnly,
    ...sizeLimits({ isCheck: verifyOnly, maxMessageBytes }),
    // The caller waits explicitly: see `idle` of the session.
    disableAutoIdle: true,
    // Not worth its cost: the text is read once, from a host nearby.
    disableCompression: true,
    logger: false,
    connectionTimeout: tools.timeoutMs,
    greetingTimeout: tools.timeoutMs,
    socketTimeout: tools.timeoutMs,
  });
  // Nobody asks which folders are subscribed to: without it each list is two commands where the server names none.
  (client as unknown as { skipLsub: boolean }).skipLsub = true;
  // Errors after the result is known (a reset at logout) have no other listener.
  client.on('error', () => undefined);
  const span = { 'server.address': host, 'server.port': port };
  try {
    await traced('IMAP connect', { kind: 'CLIENT', attributes: span }, () =>
      withinLogin(client, () => client.connect()),
    );
    // It has no public name.
    secured.keep((client as unknown as { socket?: unknown }).socket);
    return client;
  } catch (error) {
    client.close();
    if (error instanceof ProviderError) throw error;
    const { authenticationFailed, serverResponseCode = '', response } = error as LoginError;
    if (authenticationFailed && !LATER.has(serverResponseCode)) {
      const words = typeof response === 'string' ? response : undefined;
      throw loginRefused(where, REFUSED_CODE, words);
    }
    secured.forget();
    throw unavailable(where, error);
  }
}

/** Logs in and out again. */
export async function checkImap(tools: CallTools, mailbox: MailboxAccess): Promise<void> {
  const { client } = await connectImap(tools, mailbox, { verifyOnly: true });
  client.close();
}
