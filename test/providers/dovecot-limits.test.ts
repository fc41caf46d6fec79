/** As many connections as we hold ourselves to the mailboxes of a host, at Debian's Dovecot with the limits of our hosts. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDovecot, whyNoDovecot, type Dovecot } from '../support/mail/dovecot.ts';
import { mailHostFolder, whyNoScript } from '../support/mail/mail-host-folder.ts';

const missing = whyNoDovecot() ?? whyNoScript();
if (missing) console.warn(`dovecot-limits.test.ts is skipped: ${missing}`);

/** Four clusters of 40 mailboxes on one server, each read by a connection that waits for news. */
const CONNECTIONS = 160;

describe.skipIf(missing !== undefined)('a mail host with many mailboxes', () => {
  let dovecot: Dovecot;
  const sockets: TLSSocket[] = [];
  beforeAll(async () => {
    dovecot = await startDovecot('mail.acme.test', limitsOfHosts());
  }, 120_000);
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await dovecot?.close();
  });

  it('lets all of them in at once, and one more', async () => {
    const login = async (number: number) => {
      const socket = connect({ host: '127.0.0.1', port: dovecot.port, rejectUnauthorized: false });
      sockets.push(socket);
      return answerTo(socket, `a LOGIN m${number}@acme.test ${dovecot.password}\r\n`);
    };
    for (let number = 1; number <= CONNECTIONS + 1; number += 1) {
      expect([number, await login(number)]).toEqual([number, 'OK']);
    }
    expect(dovecot.log()).not.toMatch(/limit \(?\d+\)? reached|is lower than required/);
  }, 120_000);
});

/** What the program of our hosts writes, without what concerns the places of files. */
function limitsOfHosts(): string {
  const host = mailHostFolder('mail.acme.test');
  const call = `source <(sed '$d' "${host.path('outreach-mail')}"); dovecot_conf`;
  const { status, stderr } = spawnSync('bash', ['-c', call], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  const written = readFileSync(host.path('etc/dovecot/dovecot.conf'), 'utf8');
  host.remove();
  const services = written.matchAll(/^service (?<name>\S+) \{\n(?<body>[^]*?)^\}/gm);
  const defaults = written.match(/^default_.*$/gm) ?? [];
  const blocks = [...services].map(({ groups }) => {
    const own = groups!['body']!.split('\n').filter((line) => /^ {2}\w+ = /.test(line));
    return `service ${groups!['name']} {\n${own.join('\n')}\n}\n`;
  });
  return `${defaults.join('\n')}\n${blocks.filter((block) => !block.includes('lmtp')).join('')}`;
}

/** `OK` once the server takes the login; else what it says, or that it has closed the connection. */
function answerTo(socket: TLSSocket, line: string): Promise<string> {
  return new Promise((resolve) => {
    let said = '';
    const timer = setTimeout(() => resolve(`nothing but ${said}`), 10_000);
    const end = (answer: string) => {
      clearTimeout(timer);
      resolve(answer);
    };
    socket.on('data', (data) => {
      said += data.toString();
      if (/^a OK /m.test(said)) end('OK');
      else if (/^a (NO|BAD) /m.test(said)) end(said);
    });
    socket.on('error', (error) => end(error.message));
    socket.on('close', () => end('closed'));
    socket.write(line);
  });
}
