/** Ports 465 and 587: takes messages from the host's own mailboxes and queues them, signed by DKIM. */
import type { Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';
import type { TLSSocket } from 'node:tls';
import { dkimSign } from './dkim.ts';
import {
  domainOf,
  hostsDomainOf,
  logIn,
  logInByToken,
  TOKEN_REFUSED,
  recipientMailbox,
  withoutExtension,
  type HostContext,
} from './host-context.ts';
import { closeSession } from './smtp-inbound.ts';
import { readMessage, SMTP_OPTIONS, smtpError, smtpStep } from './smtp-session.ts';

/**
 * Takes connections whose TLS handshake is done or, with `startTls`, is to be asked for; the server is created at the
 * first one.
 */
export function submissionServer(
  host: HostContext,
  { startTls = false } = {},
): (socket: TLSSocket | Socket) => void {
  let server: SMTPServer | undefined;
  return (socket) => {
    server ??= makeServer(host, startTls);
    server.connect(socket);
  };
}

/** TLS before anything else is said, or by STARTTLS with the certificate of the host. */
function tlsOf(host: HostContext, startTls: boolean): SMTPServerOptions {
  if (!startTls) return { secure: true, secured: true, disabledCommands: ['STARTTLS'] };
  const { key, certificate } = host.machine().certificates.at(-1)!;
  return { secure: false, key, cert: certificate };
}

function makeServer(host: HostContext, startTls: boolean): SMTPServer {
  const { tokensOf } = host.machine();
  /** Sessions by access tokens, which end with them. */
  const endings = new WeakMap<SMTPServerSession, number>();
  const server: SMTPServer = new SMTPServer({
    ...SMTP_OPTIONS,
    ...tlsOf(host, startTls),
    name: host.machine().hostName ?? 'localhost',
    authMethods: ['PLAIN', 'LOGIN', ...(tokensOf ? ['XOAUTH2'] : [])],
    onConnect: (session, done) => void step('CONNECT', session, { work: nothing, done }),
    onAuth: (auth, session, done) => {
      let user = '';
      const work = async (): Promise<void> => {
        const { accessToken } = auth;
        const username = auth.username ?? '';
        if (accessToken === undefined) {
          const mailbox = await logIn(host, 'smtp', username, auth.password ?? '');
          if (mailbox === undefined) throw smtpError(535, '5.7.8 Error: authentication failed');
          user = mailbox.address;
          return;
        }
        const opened = logInByToken(host, 'smtp', username, accessToken);
        user = opened?.mailbox.address ?? '';
        if (opened) endings.set(session, opened.endsAt);
        if (user === '' && tokensOf === 'microsoft') {
          throw smtpError(535, '5.7.3 Authentication unsuccessful');
        }
      };
      void step('AUTH', session, {
        work,
        done: (error) => {
          if (error) done(error);
          // A 334 with the reason, and the refusal once the client has taken note.
          else done(null, user === '' ? { data: TOKEN_REFUSED } : { user });
        },
      });
    },
    onMailFrom: (_address, session, done) => {
      const work = async (): Promise<void> => {
        if ((endings.get(session) ?? Infinity) > Date.now()) return;
        throw smtpError(421, '4.7.0 The access token has expired, log in again');
      };
      void step('MAIL', session, { work, done });
    },
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
