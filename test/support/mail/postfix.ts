/**
 * Debian's Postfix for a test, with Dovecot for its logins: with its own folders and port, independent
 * of the system's.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { openCertificateAuthority } from '../../../src/sandbox/certificate-authority.ts';
import { freePort } from '../../../src/dev/ports.ts';
import { whyNoDovecot } from './dovecot.ts';

const MASTER = '/usr/lib/postfix/sbin/master';
const DAEMONS = '/usr/lib/postfix/sbin';

/** Why Postfix cannot run here; undefined when it can. */
export function whyNoPostfix(): string | undefined {
  if (!existsSync(MASTER)) return 'postfix is missing: apt-get install postfix';
  if (userInfo().uid !== 0) return 'postfix is started by root only';
  return whyNoDovecot();
}

/** A message as the recipients' hosts would receive it. */
export interface Delivered {
  from: string;
  to: string;
  raw: string;
}

export interface Postfix {
  host: string;
  port: number;
  /** The port for mail from outside. */
  inboundPort: number;
  caFile: string;
  delivered: readonly Delivered[];
  log(): string;
  close(): Promise<void>;
}

/**
 * A submission host (TLS from the first byte) whose mailboxes all have the one password, with port 25
 * for mail from outside. `submitted` is the table of headers that the mail host's program has written.
 */
export async function startPostfix(
  host: string,
  options: { mailboxes: readonly string[]; password: string; submitted: string },
): Promise<Postfix> {
  const { mailboxes, password, submitted } = options;
  const folder = mkdtempSync(join(tmpdir(), 'postfix-'));
  chmodSync(folder, 0o755);
  const authority = await openCertificateAuthority(folder);
  const { certificatePem, privateKeyPem } = await authority.issue([host]);
  writeFileSync(join(folder, 'tls.pem'), `${privateKeyPem.trim()}\n${certificatePem}`, {
    mode: 0o600,
  });
  const ids = idsOf('postfix');
  for (const name of ['etc', 'queue', 'queue/pid', 'data', 'auth']) mkdirSync(join(folder, name));
  chownSync(join(folder, 'data'), ids.uid, ids.gid);
  const delivered: Delivered[] = [];
  const [sink, port, inboundPort] = [
    await startSink(delivered),
    await freePort(),
    await freePort(),
  ];
  const sinkPort = (sink.address() as { port: number }).port;
  const maps = mailboxes.map((email) => `${email} ${email}\n`).join('');
  writeFileSync(join(folder, 'etc/senders'), maps);
  copyFileSync(submitted, join(folder, 'etc/submitted'));
  writeFileSync(join(folder, 'etc/main.cf'), mainConfiguration({ folder, host, sinkPort }));
  writeFileSync(join(folder, 'etc/master.cf'), masterConfiguration(port, inboundPort));
  writeFileSync(
    join(folder, 'users'),
    mailboxes.map((one) => `${one}:{PLAIN}${password}\n`).join(''),
  );
  writeFileSync(join(folder, 'dovecot.conf'), authConfiguration(folder, host));
  const dovecot = spawn('/usr/sbin/dovecot', ['-F', '-c', join(folder, 'dovecot.conf')], {
    stdio: 'ignore',
  });
  await until(() => existsSync(join(folder, 'queue/auth')), 'dovecot offers no logins');
  execFileSync('postfix', ['-c', join(folder, 'etc'), 'check'], { stdio: 'ignore' });
  const master = spawn(MASTER, ['-c', join(folder, 'etc'), '-d'], { stdio: 'ignore' });
  await until(() => existsSync(join(folder, 'queue/public/qmgr')), 'postfix does not start');
  return {
    host,
    port,
    inboundPort,
    caFile: authority.caFile,
    delivered,
    log: () => readFileSync(join(folder, 'queue/log'), 'utf8'),
    async close() {
      await Promise.all([ended(master), ended(dovecot)]);
      await new Promise((resolve) => sink.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function ended(child: ChildProcess): Promise<unknown> {
  if (child.exitCode !== null) return Promise.resolve();
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  return gone;
}

function idsOf(user: string): { uid: number; gid: number } {
  const id = (flag: string) => Number(execFileSync('id', [flag, user], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

async function until(isSo: () => boolean, failure: string): Promise<void> {
  const endsAt = Date.now() + 45_000;
  while (!isSo()) {
    if (Date.now() > endsAt) throw new Error(failure);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The rules of submission are those that the mail host's program sets up; Postfix logs into its own folder. */
const mainConfiguration = (at: { folder: string; host: string; sinkPort: number }) => `
compatibility_level = 3.6
queue_directory = ${at.folder}/queue
data_directory = ${at.folder}/data
daemon_directory = ${DAEMONS}
command_directory = /usr/sbin
mail_owner = postfix
setgid_group = postdrop
maillog_file = ${at.folder}/queue/log
maillog_file_prefixes = ${at.folder}
myhostname = ${at.host}
mydestination =
relay_domains = colleague.test
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks =
alias_maps =
alias_database =
recipient_delimiter = +
smtpd_tls_chain_files = ${at.folder}/tls.pem
smtpd_tls_security_level = may
smtpd_tls_auth_only = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = auth
smtpd_sender_login_maps = texthash:${at.folder}/etc/senders
smtpd_relay_restrictions = permit_sasl_authenticated, reject_unauth_destination
smtpd_helo_required = yes
disable_vrfy_command = yes
default_transport = smtp:[127.0.0.1]:${at.sinkPort}
relay_transport = $default_transport
`;

const masterConfiguration = (port: number, inboundPort: number) => `
127.0.0.1:${inboundPort} inet n - n - - smtpd
127.0.0.1:${port} inet n - n - - smtpd
  -o cleanup_service_name=submitted
  -o smtpd_tls_wrappermode=yes
  -o smtpd_sasl_auth_enable=yes
  -o smtpd_client_restrictions=permit_sasl_authenticated,reject
  -o smtpd_sender_restrictions=reject_sender_login_mismatch
cleanup unix n - n - 0 cleanup
submitted unix n - n - 0 cleanup
  -o header_checks=regexp:\${config_directory}/submitted
  -o mime_header_checks=
  -o nested_header_checks=
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
error unix - - n - - error
retry unix - - n - - error
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
`;

const authConfiguration = (folder: string, host: string) => `
protocols =
base_dir = ${folder}/auth/run
state_dir = ${folder}/auth/state
log_path = ${folder}/auth/log
hostname = ${host}
ssl = no
auth_mechanisms = plain login
passdb {
  driver = passwd-file
  args = username_format=%Lu ${folder}/users
}
userdb {
  driver = static
  args = uid=postfix gid=postfix home=${folder}
}
service auth {
  unix_listener ${folder}/queue/auth {
    mode = 0660
    user = postfix
    group = postfix
  }
}
`;

/** The internet behind the host: takes every message. */
async function startSink(delivered: Delivered[]): Promise<Server> {
  const server = createServer((socket) => {
    let message = { from: '', to: '', raw: '' };
    let isText = false;
    let buffer = '';
    socket.on('error', () => undefined).write('220 sink ESMTP\r\n');
    socket.on('data', (chunk) => {
      buffer += chunk.toString('latin1');
      for (let end = buffer.indexOf('\r\n'); end >= 0; end = buffer.indexOf('\r\n')) {
        const line = buffer.slice(0, end);
        buffer = buffer.slice(end + 2);
        if (isText && line !== '.') {
          message.raw += `${line}\r\n`;
          continue;
        }
        if (isText) {
          delivered.push(message);
          message = { from: '', to: '', raw: '' };
          isText = false;
        }
        const address = /<(.*)>/.exec(line)?.[1] ?? '';
        if (line.startsWith('MAIL')) message.from = address;
        if (line.startsWith('RCPT')) message.to = address;
        isText = line === 'DATA';
        socket.write(isText ? '354 Go on\r\n' : line === 'QUIT' ? '221 Bye\r\n' : '250 Ok\r\n');
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
