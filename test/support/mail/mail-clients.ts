/** Mail clients of tests: submission and IMAP with the certificate checked, against simulated hosts. */
import { readFileSync } from 'node:fs';
import { ImapFlow } from 'imapflow';
import nodemailer from 'nodemailer';
import { dial, PASSWORD, type MailControl } from './mail-world.ts';

/** Submits a message on 465 with the certificate checked against the host's name. */
export async function submit(
  world: MailControl,
  message: {
    host: string;
    from: string;
    to: string;
    subject: string;
    password?: string;
    /** The envelope's sender, where it is not the author. */
    returnPath?: string;
    headers?: Record<string, string>;
    text?: string;
    html?: string;
  },
): Promise<string> {
  const { port } = await dial(world, message.host, 465);
  const transport = nodemailer.createTransport({
    host: '127.0.0.1',
    port,
    secure: true,
    tls: { servername: message.host, ca: authority(world) },
    auth: { user: message.from, pass: message.password ?? PASSWORD },
  });
  try {
    const { from, to, subject, returnPath = from, headers = {}, html } = message;
    const envelope = { from: returnPath, to };
    const { text = 'Hello there' } = message;
    const sent = await transport.sendMail({ from, to, subject, text, html, headers, envelope });
    return sent.response;
  } finally {
    transport.close();
  }
}

/** Logs in on 993, opens the folder, and logs out when `work` is done. */
export async function withImap<T>(
  world: MailControl,
  { host, user, password = PASSWORD }: { host: string; user: string; password?: string },
  work: (client: ImapFlow) => Promise<T>,
): Promise<T> {
  const { port } = await dial(world, host, 993);
  const client = new ImapFlow({
    host: '127.0.0.1',
    port,
    secure: true,
    servername: host,
    tls: { ca: authority(world) },
    auth: { user, pass: password },
    logger: false,
  });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.logout();
  }
}

/** Subjects of a folder by UID, oldest first. */
export function subjects(
  world: MailControl,
  at: { host: string; user: string; password?: string },
  folder = 'INBOX',
): Promise<{ uid: number; subject: string }[]> {
  return withImap(world, at, async (client) => {
    const found: { uid: number; subject: string }[] = [];
    const lock = await client.getMailboxLock(folder);
    try {
      for await (const message of client.fetch('1:*', { envelope: true, uid: true })) {
        found.push({ uid: message.uid, subject: message.envelope?.subject ?? '' });
      }
    } finally {
      lock.release();
    }
    return found;
  });
}

const authority = (world: MailControl): string => readFileSync(world.sandbox().caFile, 'utf8');
