/** cloud-init user-data of a mail host: its SSH identity, its packages and its program. */
import { gzipSync } from 'node:zlib';
import { stringify } from 'yaml';
import { STATE_DIR } from './host-backup.ts';
import { hostProgram, PROGRAM_PATH } from './host-program.ts';
import type { NewSystem } from './port.ts';

/** Debian 12's own packages; the program installs the same ones if first boot could not. */
const PACKAGES = [
  'postfix',
  // Lets Postfix log in at a smarthost.
  'libsasl2-modules',
  'dovecot-core',
  'dovecot-imapd',
  'dovecot-lmtpd',
  'opendkim',
  'certbot',
  'openssl',
  // Serves the policies of MTA-STS.
  'nginx-light',
  'ca-certificates',
  // Bans who guesses passwords; it reads the journal and writes rules of nftables.
  'fail2ban',
  'python3-systemd',
  'nftables',
  'unattended-upgrades',
];

/** The limit of Hetzner, the strictest provider. */
const MAX_BYTES = 32 * 1024;

export interface UserDataInput {
  hostName: string;
  hostKey: { privateKey: string; publicKey: string };
  acmeDirectoryUrl: string;
  /** Of a host that is made anew: what may log in, whatever key its vendor knows, and how it is known. */
  anew?: NewSystem | undefined;
}

/**
 * Asked before a package starts its service (Debian Policy, 9.3.3): the MX records lead here already, and a mail
 * server without mailboxes would send mail back.
 */
const NO_MAIL_YET = {
  path: '/usr/sbin/policy-rc.d',
  permissions: '0755',
  content: '#!/bin/sh\ncase "$1" in postfix*|dovecot*) exit 101 ;; esac\nexit 0\n',
};

const markOf = ({ mark }: NewSystem) => ({ path: `${STATE_DIR}/id`, content: `${mark}\n` });

/**
 * The user-data as text. The host's private key is the one secret in it: whoever can read the
 * metadata service from inside the host is root there already.
 */
export function mailHostUserData(input: UserDataInput): string {
  const document = stringify(
    {
      fqdn: input.hostName,
      // Debian's image disables root and keeps cloud-init's own keys; we need both reversed.
      disable_root: false,
      ssh_pwauth: false,
      ssh_deletekeys: true,
      ssh_keys: {
        ed25519_private: input.hostKey.privateKey,
        ed25519_public: input.hostKey.publicKey,
      },
      ...(input.anew && { ssh_authorized_keys: [input.anew.loginKey] }),
      write_files: [
        ...(input.anew ? [NO_MAIL_YET, markOf(input.anew)] : []),
        {
          path: '/etc/outreach-mail.conf',
          permissions: '0644',
          content: `ACME_DIRECTORY='${input.acmeDirectoryUrl}'\n`,
        },
        {
          path: PROGRAM_PATH,
          permissions: '0755',
          // A third of its length: all of it has to fit.
          encoding: 'gz+b64',
          content: gzipSync(hostProgram(), { level: 9 }).toString('base64'),
        },
      ],
      apt: {
        debconf_selections: {
          postfix: 'postfix postfix/main_mailer_type select Internet Site\n',
        },
      },
      package_update: true,
      packages: PACKAGES,
    },
    { lineWidth: 0 },
  );
  const text = `#cloud-config\n${document}`;
  if (Buffer.byteLength(text) > MAX_BYTES) throw new RangeError('user-data is over 32 KiB');
  return text;
}
