/** cloud-init user-data of a mail host: its SSH identity, its packages and its script. */
import { readFileSync } from 'node:fs';
import { stringify } from 'yaml';

/** Beside this file in the sources and, copied by the build, in `dist`. */
const SCRIPT_FILE = new URL('./outreach-mail.sh', import.meta.url);

/** The script's path on the host. */
export const SCRIPT_PATH = '/usr/local/sbin/outreach-mail';

/** Debian 12's own packages; the script installs the same ones if first boot could not. */
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
  'ca-certificates',
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
        { path: SCRIPT_PATH, permissions: '0755', content: readFileSync(SCRIPT_FILE, 'utf8') },
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
