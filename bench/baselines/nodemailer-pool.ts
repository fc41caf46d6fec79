/** Sending letters as most programs do: a nodemailer pool for each mailbox, and no memory of anything. */
import { createTransport } from 'nodemailer';

/** A letter that is rendered already. */
export interface PoolLetter {
  from: { name: string; address: string };
  envelopeFrom: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  messageId: string;
  headers: Record<string, string>;
}

/** Sends the letters of each mailbox over one connection; answers how many were taken. */
export async function sendByPools(
  letters: readonly PoolLetter[],
  { host, port }: { host: string; port: number },
): Promise<number> {
  const mailboxes = [...new Set(letters.map(({ from }) => from.address))];
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
    letters.map(({ envelopeFrom, ...letter }) =>
      pools
        .get(letter.from.address)!
        .sendMail({ ...letter, envelope: { from: envelopeFrom, to: letter.to } }),
    ),
  );
  for (const pool of pools.values()) pool.close();
  return sent.filter(({ accepted }) => accepted.length === 1).length;
}
