/** Whether a host that was made anew does its work, as others see it. */
import type { Context } from '../../src/context.ts';
import type { Server } from '../../src/db/clusters/servers.ts';
import {
  getMailbox,
  listMailboxIdsOfServer,
  passwordBinding,
} from '../../src/db/mailboxes/mailboxes.ts';
import { ProviderError } from '../../src/domain/errors.ts';

/** Ports at which mailboxes log in. */
const LOGIN_PORTS = [465, 993];

/** From outside: both ports with the certificate of its name, and a login by its name of one mailbox where there is any. */
export async function assertReached(
  { db, cipher, mailTransport }: Pick<Context, 'db' | 'cipher' | 'mailTransport'>,
  server: Server,
): Promise<void> {
  const { host_name: host, ipv4 } = server;
  try {
    for (const port of LOGIN_PORTS) await mailTransport.checkTls({ host, port, ipv4: ipv4! });
    const [id] = await listMailboxIdsOfServer(db, server.id);
    if (id === undefined) return;
    const { email, password } = await getMailbox(db, id);
    if (password === null) return;
    const mailbox = { host, email, password: cipher.open(password, passwordBinding(id)) };
    await mailTransport.checkSubmission(mailbox);
    await mailTransport.checkImap(mailbox);
  } catch (error) {
    // A login that is refused here is nothing that the client could cure.
    throw error instanceof ProviderError ? unwell(server, error.message) : error;
  }
}

export const unwell = (server: Server, why: string) =>
  new ProviderError('unavailable', `mail-host: ${server.host_name} is not well: ${why}`, {
    provider: 'mail-host',
    providerCode: 'unwell',
    operatorHint: 'Mend it and `retry`; nothing is sent from it until then.',
  });
