/** Step: a message from one mailbox to the other, sent and read with ordinary mail clients. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { ImapFlow } from 'imapflow';
import { createTransport } from 'nodemailer';
import { control } from './client.ts';
import { check, until, type Tour, type TourMailbox, type TourStep } from './tour.ts';

export const sendMessage: TourStep = {
  title: 'Send a message',
  async run(tour) {
    const [sender, recipient] = tour.mailboxes ?? [];
    check(tour.cluster && sender && recipient, 'two mailboxes from the step before');
    const { mailHost } = tour.cluster;
    const subject = `Hello from ${tour.domain} (${randomBytes(3).toString('hex')})`;
    const messageId = await submit(tour, sender, recipient.email, subject);
    tour.say(`Accepted by ${mailHost} on port 465, looking into ${recipient.email}`);
    const pace = { withinSeconds: 30, everySeconds: 1 };
    const found = await until('The message', pace, () => readMessage(tour, recipient, messageId));
    check(found.subject === subject, `the subject "${subject}", it is "${found.subject}"`);
    check(found.from === sender.email, `a message from ${sender.email}, it is from ${found.from}`);
    return (
      `Message delivered: "${subject}" from ${sender.email} is in ${recipient.email}, ` +
      `read by IMAP from ${mailHost} over checked TLS`
    );
  },
};

/** Sends by SMTP on port 465 with the mailbox's password; answers the Message-ID. */
async function submit(tour: Tour, sender: TourMailbox, to: string, subject: string) {
  const { connection, tls } = await reach(tour, 465);
  const auth = { user: sender.email, pass: sender.password };
  const transport = createTransport({ ...connection, secure: true, auth, tls });
  const text = 'This message was sent by a cluster that did not exist two minutes ago.';
  const sent = await transport.sendMail({ from: sender.email, to, subject, text });
  transport.close();
  check(sent.accepted.length === 1, `${to} to be accepted`);
  return sent.messageId;
}

/** Searches the message by IMAP on port 993; undefined when it has not arrived yet. */
async function readMessage(tour: Tour, mailbox: TourMailbox, messageId: string) {
  const { connection, tls } = await reach(tour, 993);
  const auth = { user: mailbox.email, pass: mailbox.password };
  const client = new ImapFlow({ ...connection, secure: true, auth, tls, logger: false });
  // A broken connection also rejects the command in flight; that is enough.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.mailboxOpen('INBOX', { readOnly: true });
    for await (const message of client.fetch('1:*', { envelope: true })) {
      const { envelope } = message;
      if (envelope?.messageId !== messageId) continue;
      return { subject: envelope.subject, from: envelope.from?.[0]?.address };
    }
    return undefined;
  } finally {
    await client.logout().catch(() => undefined);
  }
}

/** The address of the mail host for a program outside the world, and the certificate it must show. */
async function reach(tour: Tour, port: number) {
  const host = tour.cluster!.mailHost;
  const connection = await control<{ host: string; port: number }>(
    tour,
    'GET',
    `/dial?host=${encodeURIComponent(host)}&port=${port}`,
  );
  const ca = await readFile(tour.world.caFile);
  return { connection, tls: { ca, servername: host } };
}
