/** As many connections as we hold ourselves to the mailboxes of a host, at Debian's Dovecot with the limits of our hosts. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDovecot, whyNoDovecot, type Dovecot } from '../support/mail/dovecot.ts';
import {
  mailHostFolder,
  whyNoScript,
  type MailHostFolder,
} from '../support/mail/mail-host-folder.ts';

const missing = whyNoDovecot() ?? whyNoScript();
if (missing) console.warn(`dovecot-limits.test.ts is skipped: ${missing}`);

/** Four clusters of 40 mailboxes on one server, each read by a connection that waits for news. */
const CONNECTIONS = 160;

describe.skipIf(missing !== undefined)('a mail host with many mailboxes', () => {
  let dovecot: Dovecot;
  const sockets: TLSSocket[] = [];
  beforeAll(async () => {
    dovecot = await startDovecot('mail.acme.test', limitsOfHosts());
  }, 180_000);
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await dovecot?.close();
  });

  const login = async (number: number) => {
    const socket = connect({ host: '127.0.0.1', port: dovecot.port, rejectUnauthorized: false });
    sockets.push(socket);
    return answerTo(socket, `a LOGIN m${number}@acme.test ${dovecot.password}\r\n`);
  };

  it('lets all of them in at once, and one more', async () => {
    for (let number = 1; number <= CONNECTIONS + 1; number += 1) {
      expect([number, await login(number)]).toEqual([number, 'OK']);
    }
    expect(dovecot.log()).not.toMatch(/limit \(?\d+\)? reached|is lower than required/);
  }, 180_000);

  it('tells the last of them at once of mail that comes in', async ({ skip }) => {
    const before = Number(readFileSync(INSTANCES, 'utf8'));
    skip(!raise(), 'the limit of inotify instances cannot be raised here');
    try {
      for (const [at, socket] of sockets.entries()) {
        expect([at, await answerTo(socket, 'a SELECT INBOX\r\n')]).toEqual([at, 'OK']);
        expect(await answerTo(socket, 'b IDLE\r\n', /^\+ /m)).toBe('OK');
      }
      // Without being told it would look after 30 s.
      const news = answerTo(sockets.at(-1)!, '', /^\* 1 EXISTS/m, 20_000);
      dovecot.deliver(`m${CONNECTIONS + 1}@acme.test`, ['Subject: Hello\r\n\r\nHello\r\n']);
      expect(await news).toBe('OK');
      expect(dovecot.log()).not.toMatch(/inotify/i);
    } finally {
      writeFileSync(INSTANCES, `${before}`);
    }
  }, 180_000);
});

describe.skipIf(whyNoScript() !== undefined)('the limit of watched mailboxes', () => {
  it('is raised at once and at each start of the host, never lowered', () => {
    const host = mailHostFolder('mail.acme.test');
    mkdirSync(host.path('proc/sys/fs/inotify'), { recursive: true });
    const now = host.path(INSTANCES);
    const set = (limit: number) => {
      writeFileSync(now, `${limit}\n`);
      callOf(host, 'watch_limit', `s#/proc/#${host.path('proc')}/#;`);
      return Number(readFileSync(now, 'utf8'));
    };
    expect([set(128), set(9_000)]).toEqual([4_096, 9_000]);
    const kept = readFileSync(host.path('etc/sysctl.d/60-outreach-mail.conf'), 'utf8');
    expect(kept).toBe('fs.inotify.max_user_instances = 4096\n');
    host.remove();
  });
});

/** Each connection that waits for news has one of its user, who is the same for all mailboxes of a host. */
const INSTANCES = '/proc/sys/fs/inotify/max_user_instances';

/** By the program of our hosts; false where that is not allowed. */
function raise(): boolean {
  const host = mailHostFolder('mail.acme.test');
  callOf(host, 'watch_limit');
  host.remove();
  return Number(readFileSync(INSTANCES, 'utf8')) > CONNECTIONS;
}

function callOf(host: MailHostFolder, name: string, change = ''): void {
  const call = `source <(sed '${change}$d' "${host.path('outreach-mail')}"); ${name}`;
  const { status, stderr } = spawnSync('bash', ['-c', call], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

/** What the program of our hosts writes, without what concerns the places of files. */
function limitsOfHosts(): string {
  const host = mailHostFolder('mail.acme.test');
  callOf(host, 'dovecot_conf');
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

/** `OK` once the server does so; else what it says, or that it has closed the connection. */
function answerTo(
  socket: TLSSocket,
  line: string,
  fine = /^a OK /m,
  limitMs = 60_000,
): Promise<string> {
  return new Promise((resolve) => {
    let said = '';
    const timer = setTimeout(() => resolve(`nothing but ${said}`), limitMs);
    const end = (answer: string) => {
      clearTimeout(timer);
      socket.off('data', read);
      resolve(answer);
    };
    const read = (data: Buffer) => {
      said += data.toString();
      if (fine.test(said)) end('OK');
      else if (/^[ab] (NO|BAD) /m.test(said)) end(said);
    };
    socket.on('data', read);
    socket.on('error', (error) => end(error.message));
    socket.on('close', () => end('closed'));
    if (line !== '') socket.write(line);
  });
}
