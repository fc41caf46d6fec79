/** IMAP over TLS on 993. */
import { ImapFlow } from 'imapflow';
import { ProviderError } from '../../domain/errors.ts';
import { addressOf } from '../network.ts';
import { loginRefused, PROVIDER, unavailable } from './failures.ts';
import type { TransportTools } from './index.ts';
import type { MailboxAccess } from './port.ts';

const IMAP_PORT = 993;

/** Logs in and out again. */
export async function checkImap(tools: TransportTools, mailbox: MailboxAccess): Promise<void> {
  const where = `IMAP of ${mailbox.host}`;
  const ipv4 = await addressOf(PROVIDER, tools.dns, mailbox.host);
  const client = new ImapFlow({
    host: ipv4,
    port: IMAP_PORT,
    secure: true,
    servername: mailbox.host,
    auth: { user: mailbox.email, pass: mailbox.password },
    ...(tools.outboundProxy !== undefined && { proxy: tools.outboundProxy }),
    verifyOnly: true,
    logger: false,
    connectionTimeout: tools.timeoutMs,
    greetingTimeout: tools.timeoutMs,
    socketTimeout: tools.timeoutMs,
  });
  // Errors after the outcome is known (a reset at logout) have no other listener.
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    if (error instanceof ProviderError) throw error;
    if ((error as { authenticationFailed?: boolean }).authenticationFailed) {
      throw loginRefused(where, 'AUTHENTICATIONFAILED');
    }
    throw unavailable(where, error);
  } finally {
    client.close();
  }
}
