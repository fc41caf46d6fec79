/** The IMAP server of a simulated host: a common login, behind it one server per mailbox. */
import hoodiecrow from 'hoodiecrow-imap';
import type { Duplex } from 'node:stream';
import type { LoginHost } from './host-context.ts';
import { logIn, logInByToken, TOKEN_REFUSED } from './host-context.ts';
import { IMAP_PLUGINS, openImapMailbox } from './imap-mailbox.ts';
import type { Mailbox } from './mail-store.ts';
import { mishapAt } from './protocol-faults.ts';

/**
 * Takes connections whose TLS handshake is done. hoodiecrow shares one store among users: hence one
 * server per mailbox.
 */
export function imapServer(host: LoginHost): (socket: Duplex) => void {
  const open = new Map<string, { server: hoodiecrow.Server; close(): void; connections: number }>();
  let front: hoodiecrow.Server | undefined;

  const enter = (connection: hoodiecrow.Connection, mailbox: Mailbox): void => {
    const { address } = mailbox;
    const mirror = open.get(address) ?? {
      ...openImapMailbox(host.mail, mailbox),
      connections: 0,
    };
    open.set(address, mirror);
    mirror.connections += 1;
    // From now on this connection gets the notifications of this mailbox only.
    connection.server.removeListener('notify', connection._notificationCallback);
    connection.server = mirror.server;
    mirror.server.on('notify', connection._notificationCallback);
    connection.state = 'Authenticated';
    connection.socket?.once('close', () => {
      mirror.connections -= 1;
      if (mirror.connections > 0) return;
      mirror.close();
      open.delete(address);
    });
  };

  const openFront = (): hoodiecrow.Server => {
    const made = makeFront((connection, command) => login(host, connection, command, enter));
    if (host.machine().tokensOf) takeTokens(host, made, enter);
    return made;
  };
  return (socket) => {
    void mishapAt(host.core, 'imap', 'CONNECT').then((mishap) => {
      if (mishap?.startsWith('timeout')) return;
      if (mishap !== undefined || socket.destroyed) return void socket.destroy();
      front ??= openFront();
      front.createClient(socket);
    });
  };
}

function makeFront(
  onLogin: (connection: hoodiecrow.Connection, command: hoodiecrow.Command) => Promise<void>,
): hoodiecrow.Server {
  const front = hoodiecrow({ credentials: {}, plugins: IMAP_PLUGINS });
  front.setMaxListeners(0);
  front.setCommandHandler('LOGIN', (connection, command, _raw, done) => {
    void onLogin(connection, command).finally(done);
  });
  return front;
}

async function login(
  host: LoginHost,
  connection: hoodiecrow.Connection,
  command: hoodiecrow.Command,
  enter: (connection: hoodiecrow.Connection, mailbox: Mailbox) => void,
): Promise<void> {
  const answer = (status: 'OK' | 'NO' | 'BAD', text: string): void =>
    connection.send(
      { tag: command.tag, command: status, attributes: [{ type: 'TEXT', value: text }] },
      'LOGIN',
      command,
    );
  const [user, password] = (command.attributes ?? []).map((each) => each && utf8(each.value));
  if (user === undefined || password === undefined) return answer('BAD', 'LOGIN takes 2 strings');
  const mishap = await mishapAt(host.core, 'imap', 'LOGIN');
  if (mishap?.startsWith('timeout')) return;
  if (mishap === 'reset') return void connection.socket?.destroy();
  if (mishap !== undefined) return answer('NO', `Login failed: ${mishap}`);
  const mailbox = await logIn(host, 'imap', user, password);
  if (mailbox === undefined) return answer('NO', '[AUTHENTICATIONFAILED] Authentication failed.');
  if (connection.socket === null) return;
  enter(connection, mailbox);
  answer('OK', 'Logged in');
}

/** SASL XOAUTH2 with an initial response, as Gmail and Exchange Online have it. */
function takeTokens(
  host: LoginHost,
  front: hoodiecrow.Server,
  enter: (connection: hoodiecrow.Connection, mailbox: Mailbox) => void,
): void {
  for (const name of ['AUTH=XOAUTH2', 'SASL-IR']) {
    front.registerCapability(name, ({ state }) => state === 'Not Authenticated');
  }
  front.setCommandHandler('AUTHENTICATE XOAUTH2', (connection, command, _raw, done) => {
    const given = Buffer.from(command.attributes?.[0]?.value ?? '', 'base64').toString();
    const [user = '', token = ''] = given
      .split('\u0001')
      .map((field) => field.replace(/^(user=|auth=Bearer )/, ''));
    const opened = logInByToken(host, 'imap', user, token);
    const write = (line: string) => connection.socket?.write(`${line}\r\n`);
    const { tag } = command;
    if (opened) {
      enter(connection, opened.mailbox);
      endWith(connection, opened.endsAt);
      write(`${tag} OK Success`);
    } else {
      write(`+ ${Buffer.from(JSON.stringify(TOKEN_REFUSED)).toString('base64')}`);
      connection.inputHandler = () => {
        connection.inputHandler = false;
        write(`${tag} NO [AUTHENTICATIONFAILED] Invalid credentials (Failure)`);
      };
    }
    done();
  });
}

/** A session ends with its token. */
function endWith({ socket }: hoodiecrow.Connection, endsAt: number): void {
  const timer = setTimeout(
    () => socket?.end('* BYE Session expired, please login again.\r\n'),
    endsAt - Date.now(),
  );
  timer.unref();
  socket?.once('close', () => clearTimeout(timer));
}

/** hoodiecrow hands over one character per byte. */
const utf8 = (binary: string): string => Buffer.from(binary, 'latin1').toString('utf8');
