/** Port 465: takes messages from the host's own mailboxes and queues them, signed by DKIM. */
import type { Socket } from 'node:net';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import type { TLSSocket } from 'node:tls';
import { dkimSign } from './dkim.ts';
import {
  domainOf,
  hostsDomainOf,
  logIn,
  recipientMailbox,
  withoutExtension,
  type HostContext,
} from './host-context.ts';
import { closeSession } from './smtp-inbound.ts';
import { readMessage, SMTP_OPTIONS, smtpError, smtpStep } from './smtp-session.ts';

/** Takes connections whose TLS handshake is done; the server is created at the first one. */
export function submissionServer(host: HostContext): (socket: TLSSocket | Socket) => void {
  let server: SMTPServer | undefined;
  return (socket) => {
    server ??= makeServer(host);
    server.connect(socket);
  };
}

function makeServer(host: HostContext): SMTPServer {
  const server: SMTPServer = new SMTPServer({
    ...SMTP_OPTIONS,
    name: host.machine().hostName ?? 'localhost',
    secure: true,
    secured: true,
    authMethods: ['PLAIN', 'LOGIN'],
    disabledCommands: ['STARTTLS'],
    onConnect: (session, done) => void step('CONNECT', session, { work: nothing, done }),
    onAuth: (auth, session, done) => {
      let user = '';
      const work = async (): Promise<void> => {
        const mailbox = await logIn(host, 'smtp', auth.username ?? '', auth.password ?? '');
        if (mailbox === undefined) throw smtpError(535, '5.7.8 Error: authentication failed');
        user = mailbox.address;
      };
      void step('AUTH', session, {
        work,
        done: (error) => (error ? done(error) : done(null, { user })),
      });
    },
    onMailFrom: (_address, session, done) => void step('MAIL', session, { work: nothing, done }),
    onRcptTo: ({ address }, session, done) =>
      void step('RCPT', session, {
        work: async () => checkRecipient(host, session, address),
        done,
      }),
    onData: (stream, session, done) => {
      let queueId = '';
      const work = async (): Promise<void> => {
        queueId = await queueMessage(host, session, await readMessage(stream));
      };
      void step('DATA', session, {
        work,
        done: (error) => {
          stream.resume();
          done(error, `2.0.0 Ok: queued as ${queueId}`);
        },
      });
    },
  });
  type Work = { work: () => Promise<void>; done: (error?: Error | null) => void };
  const step = (
    name: 'CONNECT' | 'AUTH' | 'MAIL' | 'RCPT' | 'DATA',
    session: SMTPServerSession,
    work: Work,
  ): Promise<void> =>
    smtpStep(host.core, 'smtp', name, { ...work, hangUp: () => closeSession(server, session) });
  server.on('error', () => undefined);
  return server;
}

/** As Postfix with reject_sender_login_mismatch, which it checks at RCPT. */
function checkRecipient(host: HostContext, session: SMTPServerSession, to: string): void {
  const from = senderOf(session);
  const user = session.user ?? '';
  if (withoutExtension(from) !== user) {
    throw smtpError(553, `5.7.1 <${from}>: Sender address rejected: not owned by user ${user}`);
  }
  if (hostsDomainOf(host, to) && recipientMailbox(host, to) === undefined) {
    throw smtpError(550, `5.1.1 <${to}>: Recipient address rejected: User unknown`);
  }
}

/**
 * Answers only after the queue is on disk: an accepted message is never lost. No Received line: as our
 * hosts are set up, Postfix removes the one that names the client.
 */
async function queueMessage(
  host: HostContext,
  session: SMTPServerSession,
  message: Buffer,
): Promise<string> {
  const from = senderOf(session);
  const hostName = host.machine().hostName ?? 'localhost';
  const hosted = host.machine().domains.find((each) => each.domain === domainOf(from));
  const signed = hosted === undefined ? message : await dkimSign(message, hosted);
  const to = session.envelope.rcptTo.map(({ address }) => address);
  return host.queue.add({ origin: host.id, helo: hostName, from, to, raw: signed });
}

const senderOf = (session: SMTPServerSession): string =>
  session.envelope.mailFrom ? session.envelope.mailFrom.address.toLowerCase() : '';

const nothing = (): Promise<void> => Promise.resolve();
