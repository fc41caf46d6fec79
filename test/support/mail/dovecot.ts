/**
 * Debian's Dovecot for a test: its own configuration, folder and port; it uses nothing of the system's.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { openCertificateAuthority } from '../../../src/sandbox/certificate-authority.ts';
import { freePort } from '../../../src/dev/ports.ts';

const BINARY = '/usr/sbin/dovecot';

/** Why Dovecot cannot run here; undefined when it can. */
export function whyNoDovecot(): string | undefined {
  if (!existsSync(BINARY)) return 'dovecot is missing: apt-get install dovecot-imapd';
  return userInfo().uid === 0 ? undefined : 'dovecot is started by root only';
}

export interface Dovecot {
  host: string;
  port: number;
  caFile: string;
  password: string;
  /** Messages that arrive in INBOX, as a delivery agent would put them there. */
  deliver(email: string, messages: readonly string[]): void;
  /** Runs doveadm on this server. */
  admin(...args: string[]): string;
  log(): string;
  /** The most connections that a mailbox has had at once, and how many in all, by the server's own log. */
  connections(email: string): { most: number; all: number };
  close(): Promise<void>;
}

/**
 * A server that knows any mailbox with the one password; `maildir` formats keep what tests put there. `more` is added to
 * its configuration.
 */
export async function startDovecot(host = 'mail.acme.com', more = ''): Promise<Dovecot> {
  const folder = mkdtempSync(join(tmpdir(), 'dovecot-'));
  chmodSync(folder, 0o755);
  const authority = await openCertificateAuthority(folder);
  const { certificatePem, privateKeyPem } = await authority.issue([host]);
  writeFileSync(join(folder, 'cert.pem'), certificatePem);
  writeFileSync(join(folder, 'key.pem'), privateKeyPem, { mode: 0o600 });
  const mail = join(folder, 'mail');
  mkdirSync(mail);
  const owner = mailUser();
  chownSync(mail, owner.uid, owner.gid);
  const port = await freePort();
  const file = join(folder, 'dovecot.conf');
  writeFileSync(file, configuration({ folder, port, owner }) + more);
  let delivered = 0;
  const child = spawn(BINARY, ['-F', '-c', file], { stdio: 'ignore' });
  await listening(port, child);
  return {
    host,
    port,
    caFile: authority.caFile,
    password: PASSWORD,
    deliver(email, messages) {
      const inbox = join(mail, email, 'Maildir');
      for (const part of ['cur', 'new', 'tmp']) mkdirSync(join(inbox, part), { recursive: true });
      for (const message of messages) {
        delivered += 1;
        // Maildir orders messages by file name.
        const name = `${1_700_000_000 + delivered}.M${delivered}.test`;
        writeFileSync(join(inbox, 'tmp', name), message);
        renameSync(join(inbox, 'tmp', name), join(inbox, 'new', name));
      }
      execFileSync('chown', ['-R', 'mail:mail', join(mail, email)]);
    },
    admin: (...args) => execFileSync('doveadm', ['-c', file, ...args], { encoding: 'utf8' }),
    log: () => readFileSync(join(folder, 'log'), 'utf8'),
    connections: (email) => connectionsOf(readFileSync(join(folder, 'log'), 'utf8'), email),
    async close() {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The password of the mailboxes in `campaign-world.ts`. */
const PASSWORD = 'pass';

/** Mail must not belong to root: Dovecot refuses that. */
function mailUser(): { uid: number; gid: number } {
  const id = (flag: string) => Number(execFileSync('id', [flag, 'mail'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

const configuration = ({
  folder,
  port,
  owner,
}: {
  folder: string;
  port: number;
  owner: { uid: number; gid: number };
}) => `
protocols = imap
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
ssl = yes
ssl_cert = <${folder}/cert.pem
ssl_key = <${folder}/key.pem
first_valid_uid = 1
mail_location = maildir:${folder}/mail/%u/Maildir
mail_max_userip_connections = 200
disable_plaintext_auth = no
passdb {
  driver = static
  args = password=${PASSWORD}
}
userdb {
  driver = static
  args = uid=${owner.uid} gid=${owner.gid} home=${folder}/mail/%u
}
service imap-login {
  inet_listener imap {
    port = 0
  }
  inet_listener imaps {
    address = 127.0.0.1
    port = ${port}
    ssl = yes
  }
}
namespace inbox {
  inbox = yes
  mailbox Sent {
    auto = create
    special_use = \\Sent
  }
  mailbox Spam {
    auto = create
    special_use = \\Junk
  }
}
`;

/** Lines of a login end with its session's id; those of the session begin with it. */
function connectionsOf(log: string, email: string): { most: number; all: number } {
  const open = new Set<string>();
  let most = 0;
  let all = 0;
  for (const line of log.split('\n')) {
    const begun = line.includes(`Login: user=<${email}>`) && /session=<([^>]+)>/.exec(line)?.[1];
    const ended =
      line.includes(`imap(${email})`) && /<\d+><([^>]+)>: .*Disconnected/.exec(line)?.[1];
    if (begun) open.add(begun);
    if (begun) all += 1;
    if (ended) open.delete(ended);
    most = Math.max(most, open.size);
  }
  return { most, all };
}

async function listening(port: number, child: ChildProcess): Promise<void> {
  const endsAt = Date.now() + 45_000;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`dovecot exited with ${child.exitCode}`);
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
      socket.on('connect', () => socket.destroy());
    });
    if (isOpen) return;
    if (Date.now() > endsAt) throw new Error('dovecot does not listen');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
