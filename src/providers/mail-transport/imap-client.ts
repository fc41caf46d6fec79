/** imapflow as the product uses it: the literal address dialled, the certificate checked by name. */
import { ImapFlow } from 'imapflow';
import { ProviderError } from '../../domain/errors.ts';
import { traced } from '../../tracing/spans.ts';
import { addressOf } from '../network.ts';
import { loginRefused, PROVIDER, unavailable } from './failures.ts';
import type { TransportTools, MailboxAccess } from './port.ts';

const IMAP_PORT = 993;

export const whereOf = (mailbox: MailboxAccess) => `IMAP of ${mailbox.host}`;

/** Logs in; `verifyOnly` logs out again at once. Throws only ProviderError. */
export async function connectImap(
  tools: TransportTools,
  mailbox: MailboxAccess,
  { verifyOnly }: { verifyOnly: boolean },
): Promise<ImapFlow> {
  const where = whereOf(mailbox);
  const ipv4 = await addressOf(PROVIDER, tools.dns, mailbox.host);
  const client = new ImapFlow({
    host: ipv4,
    port: IMAP_PORT,
    secure: true,
    servername: mailbox.host,
    auth: { user: mailbox.email, pass: mailbox.password },
    ...(tools.outboundProxy !== undefined && { proxy: tools.outboundProxy }),
    verifyOnly,
    // The caller waits explicitly: see `idle` of the session.
    disableAutoIdle: true,
    // Not worth its cost: the text is read once, from a host nearby.
    disableCompression: true,
    logger: false,
    connectionTimeout: tools.timeoutMs,
    greetingTimeout: tools.timeoutMs,
    socketTimeout: tools.timeoutMs,
  });
  // Errors after the result is known (a reset at logout) have no other listener.
  client.on('error', () => undefined);
  const span = { 'server.address': mailbox.host, 'server.port': IMAP_PORT };
  try {
    await traced('IMAP connect', { kind: 'CLIENT', attributes: span }, () => client.connect());
    return client;
  } catch (error) {
    client.close();
    if (error instanceof ProviderError) throw error;
    if ((error as { authenticationFailed?: boolean }).authenticationFailed) {
      throw loginRefused(where, 'AUTHENTICATIONFAILED');
    }
    throw unavailable(where, error);
  }
}

/** Logs in and out again. */
export async function checkImap(tools: TransportTools, mailbox: MailboxAccess): Promise<void> {
  const client = await connectImap(tools, mailbox, { verifyOnly: true });
  client.close();
}
