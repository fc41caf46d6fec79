/** Sending messages as most programs do: a nodemailer pool for each mailbox, and no stored state. */
import { createTransport } from 'nodemailer';

/** A message that is rendered already. */
export interface PoolMessage {
  from: { name: string; address: string };
  envelopeFrom: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  messageId: string;
  headers: Record<string, string>;
}

/** Sends the messages of each mailbox over one connection; answers how many were accepted. */
export async function sendByPools(
  messages: readonly PoolMessage[],
  { host, port }: { host: string; port: number },
): Promise<number> {
  const mailboxes = [...new Set(messages.map(({ from }) => from.address))];
  const pools = new Map(
    mailboxes.map((user) => [
      user,
      createTransport({
        pool: true,
        maxConnections: 1,
        maxMessages: Infinity,
        host: '127.0.0.1',
        port,
        secure: true,
        tls: { servername: host },
        auth: { user, pass: 'pass' },
      }),
    ]),
  );
  const sent = await Promise.all(
    messages.map(({ envelopeFrom, ...message }) =>
      pools
        .get(message.from.address)!
        .sendMail({ ...message, envelope: { from: envelopeFrom, to: message.to } }),
    ),
  );
  for (const pool of pools.values()) pool.close();
  return sent.filter(({ accepted }) => accepted.length === 1).length;
}
