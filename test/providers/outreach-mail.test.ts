/** The mail host's program as far as it can be tried anywhere: its syntax, its size, its packages. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import ssh2 from 'ssh2';
import { parse } from 'yaml';
import { createMailHost } from '../../src/providers/mail-hosts/debian.ts';
import { hostProgram } from '../../src/providers/mail-hosts/host-program.ts';
import { sshKeyPair } from '../../src/providers/mail-hosts/keys.ts';

const program = hostProgram();
const smarthost = { host: 'relay.test', port: 587, user: 'relay-user', password: 'relay-pass' };
const mailHost = createMailHost({
  acmeDirectoryUrl: 'https://acme.example/directory',
  smarthost,
  tools: { timeoutMs: 15_000, outboundProxy: undefined },
});
const keys = mailHost.makeKeys();
const userData = mailHost.userData({ hostName: 'mail.acme.com', hostKey: keys.host });

describe('the program', () => {
  it('is read by bash without an error', () => {
    expect(execFileSync('bash', ['-n'], { input: program, encoding: 'utf8' })).toBe('');
  });

  it('is one file, which begins with its shell and ends with its call', () => {
    expect(program.split('#!/bin/bash')).toHaveLength(2);
    expect(program.startsWith('#!/bin/bash\n')).toBe(true);
    expect(program.trimEnd().endsWith('\nmain "$@"')).toBe(true);
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
      'mta-sts',
      'allow-key',
      'remove-key',
      'status',
    ]) {
      expect(program).toMatch(new RegExp(`^    '${verb} \\d'\\) `, 'm'));
    }
  });
});

describe('a firewall that the image came with', () => {
  const opened = (status: string): string[] => {
    const folder = mkdtempSync(join(tmpdir(), 'outreach-ufw-'));
    const ufw = `#!/bin/sh\necho "$*" >>${folder}/calls\n[ "$1" != status ] || printf '${status}'\n`;
    writeFileSync(join(folder, 'ufw'), ufw, { mode: 0o755 });
    writeFileSync(join(folder, 'calls'), '');
    const only = program
      .replace('PATH=', `PATH=${folder}:`)
      .replace(/^readonly LOG=.*$/m, `readonly LOG=${folder}/log`)
      .replace(/\nmain "\$@"\n$/, '\nopen_firewall\n');
    execFileSync('bash', { input: only });
    const calls = readFileSync(join(folder, 'calls'), 'utf8').split('\n').filter(Boolean);
    rmSync(folder, { recursive: true });
    return calls;
  };

  it('is opened for mail where it is active', () => {
    expect(opened('Status: active\\n\\n22/tcp ALLOW Anywhere\\n')).toEqual([
      'status',
      ...[22, 25, 80, 443, 465, 993].map((port) => `allow ${port}/tcp`),
    ]);
  });

  it('stays as it is where it is off', () => {
    expect(opened('Status: inactive\\n')).toEqual(['status']);
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

  it('brings the host key, the program and where certificates come from', () => {
    expect(config.ssh_keys.ed25519_private).toBe(keys.host.privateKey);
    expect(config.ssh_keys.ed25519_public).toBe(keys.host.publicKey);
    const files = Object.fromEntries(config.write_files.map((file) => [file.path, file]));
    expect(files['/usr/local/sbin/outreach-mail']).toMatchObject({
      permissions: '0755',
      encoding: 'gz+b64',
    });
    const packed = files['/usr/local/sbin/outreach-mail']!.content;
    expect(gunzipSync(Buffer.from(packed, 'base64')).toString()).toBe(program);
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

  it('installs the packages that the program would install', () => {
    const [, list = ''] = /^readonly PACKAGES=\((.*)\)$/m.exec(program) ?? [];
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
