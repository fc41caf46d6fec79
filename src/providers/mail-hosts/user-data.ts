/** cloud-init user-data of a mail host: its SSH identity, its packages and its program. */
import { gzipSync } from 'node:zlib';
import { stringify } from 'yaml';
import { hostProgram, PROGRAM_PATH } from './host-program.ts';

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
}

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
      write_files: [
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
