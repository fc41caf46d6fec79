/** IMAP over TLS on 993: whether a login works. */
import { connectImap } from './imap-client.ts';
import type { TransportTools, MailboxAccess } from './port.ts';

/** Logs in and out again. */
export async function checkImap(tools: TransportTools, mailbox: MailboxAccess): Promise<void> {
  const client = await connectImap(tools, mailbox, { verifyOnly: true });
  client.close();
}
