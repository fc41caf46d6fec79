/**
 * Runs the mail host's own program in a folder: its paths are redirected there, calls of services are
 * only recorded.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { hostProgram } from '../../../src/providers/mail-hosts/host-program.ts';

const MASTER_CF = '/usr/share/postfix/master.cf.dist';
const FOLDERS = [
  'etc/postfix',
  'etc/outreach-mail/domains',
  'etc/dovecot',
  'var/log',
  'var/lib',
  'run/lock',
  'bin',
];

export interface MailHostFolder {
  path(name: string): string;
  /** Runs a verb; answers the script's output, and the calls of services since the last run. */
  run(
    verb: string[],
    stdin?: string,
    variables?: Record<string, string>,
  ): { code: number; said: string; calls: string[] };
  /** Sets what waits in the queue, as `postqueue -j` prints it. */
  queue(messages: object[]): void;
  /** What `ss` prints of port 25; of others nothing. */
  sockets(text: string): void;
  /** From now on `service NAME status` fails. */
  stop(service: string): void;
  /** Sets what `certbot` prints before it fails. */
  certbotSays(text: string): void;
  /** A parameter as Postfix reads it from what the script wrote. */
  postconf(name: string): string;
  /** A parameter of a service in master.cf, such as `submissions/inet/syslog_name`. */
  serviceParameter(name: string): string;
  /** A service's line in master.cf, with blanks made one. */
  service(name: string): string;
  /** The value that Postfix finds under a key in the table that a parameter names. */
  lookup(parameter: string, key: string): string;
  /** The value in a table; '' when there is none. */
  lookupIn(table: string, key: string): string;
  /** The files that contain a text. */
  holders(text: string): string[];
  remove(): void;
}

/** Why the script cannot run here; undefined when it can. */
export function whyNoScript(): string | undefined {
  if (!existsSync(MASTER_CF)) return 'postfix is missing: apt-get install postfix';
  return userInfo().uid === 0 ? undefined : 'the script is for root only';
}

/** The folder's state once Postfix is installed under `hostName`. */
export function mailHostFolder(hostName: string): MailHostFolder {
  const folder = mkdtempSync(join(tmpdir(), 'mail-host-'));
  const path = (name: string) => join(folder, name);
  for (const name of FOLDERS) mkdirSync(path(name), { recursive: true });
  for (const program of ['service', 'postqueue', 'certbot']) {
    const note = `#!/bin/sh\necho "${program} $*" >>${path('calls')}\n[ "$1" != -j ] || cat ${path('queue')}\n${program === 'service' ? `[ "$2" != status ] || [ ! -e ${path('stopped-')}$1 ]\n` : ''}${program === 'certbot' ? `cat ${path('certbot')}; exit 1\n` : ''}`;
    writeFileSync(path(`bin/${program}`), note, { mode: 0o755 });
  }
  const queue = (messages: object[]) =>
    writeFileSync(path('queue'), messages.map((message) => toJson(message)).join(''));
  queue([]);
  const moved = hostProgram()
    .replaceAll(/\/(etc|var|root|run\/lock)\//g, (at) => folder + at)
    .replace('PATH=', `PATH=${path('bin')}:`);
  writeFileSync(path('outreach-mail'), moved, { mode: 0o755 });
  writeFileSync(
    path('etc/outreach-mail.conf'),
    'PROBE_HOSTS=nobody.invalid\nACME_DIRECTORY=https://acme.invalid/directory\n',
  );
  writeFileSync(path('etc/outreach-mail/hostname'), `${hostName}\n`);
  writeFileSync(path('etc/dovecot/outreach-users'), '');
  writeFileSync(path('etc/aliases'), 'postmaster: root\n');
  // As the package leaves it: postmap wants one.
  writeFileSync(path('etc/postfix/main.cf'), 'compatibility_level = 3.6\n');
  copyFileSync(MASTER_CF, path('etc/postfix/master.cf'));
  const env = { ...process.env, MAIL_CONFIG: path('etc/postfix') };
  const postconf = (name: string) =>
    execFileSync('/usr/sbin/postconf', ['-xh', name], { env, encoding: 'utf8' }).trim();
  const lookupIn = (table: string, key: string) =>
    spawnSync('/usr/sbin/postmap', ['-q', key, table], { env, encoding: 'utf8' }).stdout.replace(
      /\n$/,
      '',
    );
  return {
    path,
    run(verb, stdin = '', variables = {}) {
      rmSync(path('calls'), { force: true });
      const ended = spawnSync(path('outreach-mail'), verb, {
        input: stdin,
        env: { ...env, ...variables },
        encoding: 'utf8',
      });
      const calls = existsSync(path('calls')) ? readFileSync(path('calls'), 'utf8') : '';
      const said = ended.stdout + ended.stderr;
      return { code: ended.status ?? -1, said, calls: calls.split('\n').filter(Boolean) };
    },
    queue,
    sockets: (text) => {
      const program = `#!/bin/sh\ncase "$*" in *:25) echo "${text}" ;; esac\n`;
      writeFileSync(path('bin/ss'), program, { mode: 0o755 });
    },
    stop: (service) => writeFileSync(path(`stopped-${service}`), ''),
    certbotSays: (text) => writeFileSync(path('certbot'), text),
    postconf,
    serviceParameter: (name) =>
      execFileSync('/usr/sbin/postconf', ['-Ph', name], { env, encoding: 'utf8' }).trim(),
    service: (name) =>
      execFileSync('/usr/sbin/postconf', ['-M', name], { env, encoding: 'utf8' })
        .replace(/\s+/g, ' ')
        .trim(),
    lookup: (parameter, key) => lookupIn(postconf(parameter), key),
    lookupIn,
    holders: (text) =>
      spawnSync('grep', ['-rlF', '--', text, '.'], { cwd: folder, encoding: 'utf8' })
        .stdout.split('\n')
        .filter(Boolean),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** With a blank after each colon, as Postfix writes it. */
const toJson = (message: object) => `${JSON.stringify(message).replaceAll('":', '": ')}\n`;
