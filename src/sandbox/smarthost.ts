/** A smarthost of the world: takes messages on port 587 after STARTTLS and a login, and passes them on. */
import type { Socket } from 'node:net';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import type { SandboxCore, StandIn } from './core.ts';
import { openListener } from './servers/listener.ts';
import { mailDate } from './servers/mail-date.ts';
import type { MailQueue } from './servers/mail-queue.ts';
import { readMessage, replyCode, SMTP_OPTIONS, smtpError } from './servers/smtp-session.ts';
import type { ZoneSource } from './zone.ts';

/** The one account, as `SMARTHOST_URL` names it. */
export const SMARTHOST = {
  host: 'smarthost.sandbox.test',
  port: 587,
  user: 'outreach',
  password: 'smarthost-sandbox-password',
};

/** Below the router's, at the end of the world's range: servers get addresses from its start. */
const ADDRESS = '198.19.255.253';

/** `queue` carries the messages to the exchangers of their recipients. */
export function createSmarthost(core: SandboxCore, queue: MailQueue): StandIn {
  core.zone.addSource(zone);
  let close = async (): Promise<void> => {};
  return {
    name: 'smarthost',
    async start() {
      const listener = await openListener(await relay(core, queue));
      core.hosts.register(ADDRESS, SMARTHOST.port, listener.port);
      close = () => listener.close();
    },
    close: () => close(),
  };
}

interface Delivery {
  stream: SMTPServerDataStream;
  session: SMTPServerSession;
  done: (error: Error | null, reply?: string) => void;
}

async function relay(core: SandboxCore, queue: MailQueue): Promise<(socket: Socket) => void> {
  const { certificatePem: cert, privateKeyPem: key } = await core.ca.issue([SMARTHOST.host]);
  const server = new SMTPServer({
    ...SMTP_OPTIONS,
    name: SMARTHOST.host,
    cert,
    key,
    // A login is required, and offered within TLS only.
    authMethods: ['PLAIN', 'LOGIN'],
    onAuth: ({ username = '', password }, _session, done) => {
      const isOurs = username === SMARTHOST.user && password === SMARTHOST.password;
      if (isOurs) done(null, { user: username });
      else done(smtpError(535, '5.7.8 Error: authentication failed'));
    },
    onData: (stream, session, done) => void take(queue, { stream, session, done }),
  });
  server.on('error', () => undefined);
  return (socket) => server.connect(socket);
}

async function take(queue: MailQueue, { stream, session, done }: Delivery): Promise<void> {
  try {
    pass(queue, session, await readMessage(stream));
  } catch (error) {
    return done(smtpError(replyCode(error), (error as Error).message));
  }
  done(null, '2.0.0 Ok: queued');
}

function pass(queue: MailQueue, session: SMTPServerSession, message: Buffer): void {
  const { mailFrom, rcptTo } = session.envelope;
  const trace = [
    `Received: from ${session.hostNameAppearsAs || 'unknown'}`,
    `\tby ${SMARTHOST.host} with ESMTPSA;`,
    `\t${mailDate(new Date())}`,
  ];
  queue.add({
    origin: 'outside',
    helo: SMARTHOST.host,
    from: mailFrom ? mailFrom.address : '',
    to: rcptTo.map(({ address }) => address),
    raw: Buffer.concat([Buffer.from(`${trace.join('\r\n')}\r\n`), message]),
  });
}

const hasName = (name: string) => name === SMARTHOST.host;
const zone: ZoneSource = {
  hasName,
  records: (name) => (hasName(name) ? [{ name, type: 'A', value: ADDRESS, ttlSeconds: 300 }] : []),
};
