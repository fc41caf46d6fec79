/** Port 25: takes messages from anybody for the recipients that its owner knows. */
import type { Socket } from 'node:net';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import type { SandboxCore } from '../core.ts';
import { readMessage, SMTP_OPTIONS, smtpStep } from './smtp-session.ts';

/** An accepted message; the addresses are those of the envelope. */
export interface InboundMessage {
  /** Empty for bounces. */
  from: string;
  to: string[];
  raw: Buffer;
  helo: string;
}

export interface InboundRules {
  name: () => string;
  /** Throws an SMTP error for a recipient that is refused. */
  checkRecipient(from: string, to: string): Promise<void>;
  /** Waits before the answer to DATA; may refuse the message. */
  accept(message: InboundMessage): Promise<void>;
}

/** The server is created at the first connection. */
export function inboundServer(core: SandboxCore, rules: InboundRules): (socket: Socket) => void {
  let server: SMTPServer | undefined;
  return (socket) => {
    server ??= makeServer(core, rules);
    server.connect(socket);
  };
}

function makeServer(core: SandboxCore, rules: InboundRules): SMTPServer {
  const server: SMTPServer = new SMTPServer({
    ...SMTP_OPTIONS,
    name: rules.name(),
    authOptional: true,
    // The traffic stays within this machine, so TLS between exchangers would prove nothing.
    disabledCommands: ['AUTH', 'STARTTLS'],
    onConnect: (session, done) =>
      void smtpStep(core, 'mx', 'CONNECT', { work: nothing, done, hangUp: hangUp(session) }),
    onMailFrom: (_address, session, done) =>
      void smtpStep(core, 'mx', 'MAIL', { work: nothing, done, hangUp: hangUp(session) }),
    onRcptTo: ({ address }, session, done) =>
      void smtpStep(core, 'mx', 'RCPT', {
        work: () => rules.checkRecipient(senderOf(session), address),
        done,
        hangUp: hangUp(session),
      }),
    onData: (stream, session, done) =>
      void smtpStep(core, 'mx', 'DATA', {
        work: async () => {
          const raw = await readMessage(stream);
          const to = session.envelope.rcptTo.map(({ address }) => address);
          const helo = session.hostNameAppearsAs || 'unknown';
          await rules.accept({ from: senderOf(session), to, raw, helo });
        },
        done: (error) => {
          // An unread message would block the connection.
          stream.resume();
          done(error, '2.0.0 Ok: queued');
        },
        hangUp: hangUp(session),
      }),
  });
  const hangUp = (session: SMTPServerSession) => () => closeSession(server, session);
  server.on('error', () => undefined);
  return server;
}

/** Drops the connection of a session without a reply. */
export function closeSession(server: SMTPServer, session: SMTPServerSession): void {
  for (const connection of server.connections) {
    const { id } = (connection as unknown as { session: SMTPServerSession }).session;
    if (id === session.id) connection.close();
  }
}

const senderOf = (session: SMTPServerSession): string =>
  session.envelope.mailFrom ? session.envelope.mailFrom.address : '';

const nothing = (): Promise<void> => Promise.resolve();
