/** The mail host's script as far as it can be tried anywhere: its syntax, its size, its packages. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import ssh2 from 'ssh2';
import { parse } from 'yaml';
import { createMailHost } from '../../src/providers/mail-hosts/debian.ts';
import { sshKeyPair } from '../../src/providers/mail-hosts/keys.ts';

const FILE = new URL('../../src/providers/mail-hosts/outreach-mail.sh', import.meta.url);
const script = readFileSync(FILE, 'utf8');
const smarthost = { host: 'relay.test', port: 587, user: 'relay-user', password: 'relay-pass' };
const mailHost = createMailHost({
  acmeDirectoryUrl: 'https://acme.example/directory',
  smarthost,
  tools: { timeoutMs: 15_000, outboundProxy: undefined },
});
const keys = mailHost.makeKeys();
const userData = mailHost.userData({ hostName: 'mail.acme.com', hostKey: keys.host });

describe('the script', () => {
  it('is read by bash without an error', () => {
    expect(execFileSync('bash', ['-n', fileURLToPath(FILE)], { encoding: 'utf8' })).toBe('');
  });

  it('knows every verb that the adapter uses', () => {
    for (const verb of [
      'install',
      'certificate',
      'add-domain',
      'del-domain',
      'set-mailbox',
      'del-mailbox',
      'set-smarthost',
      'del-smarthost',
      'status',
    ]) {
      expect(script).toMatch(new RegExp(`^    '${verb} \\d'\\) `, 'm'));
    }
  });
});

describe('the user-data', () => {
  const config = parse(userData) as {
    ssh_keys: { ed25519_private: string; ed25519_public: string };
    write_files: { path: string; permissions: string; content: string }[];
    packages: string[];
  };

  it('is a cloud-config of less than 32 KiB', () => {
    expect(userData.startsWith('#cloud-config\n')).toBe(true);
    expect(Buffer.byteLength(userData)).toBeLessThan(32 * 1024);
  });

  it('brings the host key, the script and where certificates come from', () => {
    expect(config.ssh_keys.ed25519_private).toBe(keys.host.privateKey);
    expect(config.ssh_keys.ed25519_public).toBe(keys.host.publicKey);
    const files = Object.fromEntries(config.write_files.map((file) => [file.path, file]));
    expect(files['/usr/local/sbin/outreach-mail']).toMatchObject({
      permissions: '0755',
      content: script,
    });
    expect(files['/etc/outreach-mail.conf']?.content).toBe(
      "ACME_DIRECTORY='https://acme.example/directory'\n",
    );
  });

  it('holds no key that lets anybody in', () => {
    expect(userData).not.toContain(keys.client.privateKey.split('\n')[2]);
  });

  it('holds no login of the smarthost, but what Postfix logs in with', () => {
    expect(userData).not.toContain(smarthost.user);
    expect(userData).not.toContain(smarthost.password);
    expect(config.packages).toContain('libsasl2-modules');
  });

  it('installs the packages that the script would install', () => {
    const [, list = ''] = /^readonly PACKAGES=\((.*)\)$/m.exec(script) ?? [];
    expect(config.packages).toEqual(expect.arrayContaining(list.split(' ')));
  });
});

describe('keys', () => {
  it('are fresh, of ed25519, in OpenSSH form', () => {
    expect(keys.client.publicKey).toMatch(/^ssh-ed25519 [\w+/]+=* outreach$/);
    expect(keys.host.privateKey).toMatch(/^-----BEGIN OPENSSH PRIVATE KEY-----/);
    expect(mailHost.makeKeys().client.publicKey).not.toBe(keys.client.publicKey);
  });

  it('are never malformed, as one in 256 of the library is', () => {
    for (let made = 0; made < 300; made += 1) {
      const { privateKey, publicKey } = sshKeyPair('test');
      expect(ssh2.utils.parseKey(publicKey)).not.toBeInstanceOf(Error);
      expect(ssh2.utils.parseKey(privateKey)).not.toBeInstanceOf(Error);
    }
  });
});
