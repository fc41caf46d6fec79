/**
 * The part of IMAP that a client needs to wait on a mailbox without messages: RFC 9051 with IDLE, SPECIAL-USE, CONDSTORE
 * and LIST-STATUS, which the product's own hosts have (Dovecot).
 * Keeps nothing but the state of a connection, so that ten thousand of them are light.
 */
import type { Socket } from 'node:net';

const CAPABILITIES =
  'IMAP4rev1 AUTH=PLAIN SASL-IR IDLE SPECIAL-USE LIST-EXTENDED LIST-STATUS UIDPLUS ENABLE CONDSTORE';
const FOLDERS = { INBOX: '()', Sent: '(\\Sent)', Junk: '(\\Junk)' };
const STATE = '(MESSAGES 0 UIDNEXT 1 UIDVALIDITY 1 HIGHESTMODSEQ 1)';

const listed = (verb: string) =>
  Object.entries(FOLDERS).map(([name, flags]) => `* ${verb} ${flags} "/" ${name}`);
const states = () => Object.keys(FOLDERS).map((name) => `* STATUS ${name} ${STATE}`);

/** `onLogin` is called once for each connection that has logged in. */
export function serveImap(socket: Socket, onLogin: (user: string) => void): void {
  let buffer = '';
  let waiting: 'login' | 'idle' | undefined;
  let tag = '';
  const say = (...lines: string[]) => socket.write(`${lines.join('\r\n')}\r\n`);
  const logIn = (response: string) => {
    const [, user = ''] = Buffer.from(response, 'base64').toString('utf8').split('\0');
    onLogin(user);
    say(`${tag} OK [CAPABILITY ${CAPABILITIES}] logged in`);
  };
  const onCommand = (verb: string, rest: string) => {
    const ok = `${tag} OK done`;
    switch (verb) {
      case 'CAPABILITY':
        return say(`* CAPABILITY ${CAPABILITIES}`, ok);
      case 'AUTHENTICATE': {
        const response = rest.split(' ')[1];
        if (response !== undefined) return logIn(response);
        waiting = 'login';
        return say('+ ');
      }
      case 'LIST':
        // Which sign parts the levels of names: RFC 9051, 6.3.9.
        if (rest.endsWith('"" ""')) return say('* LIST (\\Noselect) "/" ""', ok);
        return say(...listed('LIST'), ...(rest.includes('STATUS') ? states() : []), ok);
      case 'LSUB':
        return say(...listed('LSUB'), ok);
      case 'SELECT':
      case 'EXAMINE':
        return say(
          '* FLAGS (\\Answered \\Flagged \\Deleted \\Seen \\Draft)',
          '* OK [PERMANENTFLAGS (\\Seen \\Deleted \\*)] limited',
          '* 0 EXISTS',
          '* OK [UIDVALIDITY 1] valid',
          '* OK [UIDNEXT 1] next',
          '* OK [HIGHESTMODSEQ 1] highest',
          `${tag} OK [READ-WRITE] selected`,
        );
      case 'IDLE':
        waiting = 'idle';
        return say('+ idling');
      case 'LOGOUT':
        return socket.end(`* BYE\r\n${ok}\r\n`);
      default:
        return say(ok);
    }
  };
  const onLine = (line: string) => {
    if (waiting === 'login') {
      waiting = undefined;
      return logIn(line);
    }
    if (waiting === 'idle') {
      waiting = undefined;
      return say(`${tag} OK idle is over`);
    }
    const [given = '', verb = '', ...rest] = line.split(' ');
    tag = given;
    onCommand(verb.toUpperCase(), rest.join(' '));
  };
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => {
    buffer += chunk.toString('latin1');
    for (let end = buffer.indexOf('\r\n'); end >= 0; end = buffer.indexOf('\r\n')) {
      const line = buffer.slice(0, end);
      buffer = buffer.slice(end + 2);
      onLine(line);
    }
  });
  say(`* OK [CAPABILITY ${CAPABILITIES}] ready`);
}
