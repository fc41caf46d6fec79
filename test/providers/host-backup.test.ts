/** What is saved from a mail host and put on a new one: the shell lines themselves, in folders. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hostBackups } from '../../src/providers/mail-hosts/host-backup.ts';

const MESSAGE = 'mail/acme.com/ann/Maildir/cur/1.M2P3.mail:2,S';
const NAME = 'mail.acme.com-7-20261126T220000Z.sealed';
const WHOLE = { name: NAME, hasQueue: true };
const KEY = `ssh-ed25519 ${'A'.repeat(68)} outreach`;

describe('a mail host', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'outreach-move-'));
    // Services and firewalls are only recorded.
    for (const name of ['service', 'postsuper', 'chown', 'nft']) {
      put(`bin/${name}`, `#!/bin/sh\necho "${name} $*" >>"${root}/calls"\n`);
      chmodSync(join(root, 'bin', name), 0o755);
    }
    put(`old/${MESSAGE}`, 'a message');
    put('old/mail/acme.com/ann/Maildir/dovecot-uidlist', '3 V1 N5');
    put('old/mail/acme.com/ann/Maildir/dovecot.index.cache', 'made anew');
    put('old/mail/acme.com/gone/Maildir/new/2.M2P3.mail', 'of a mailbox that was deleted');
    put('old/letsencrypt/live/mail.acme.com/privkey.pem', 'the key');
    put('old/spool/deferred/A/A1B2', 'on its way');
    put('new/users', 'ann@acme.com:{BLF-CRYPT}x::::::\nbob@acme.com:{BLF-CRYPT}x::::::\n');
    put('new/lock', '');
  });
  afterEach(() => rmSync(root, { recursive: true }));

  function put(name: string, content: string): void {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  const read = (name: string) => readFileSync(join(root, name), 'utf8');
  const has = (name: string) => existsSync(join(root, name));
  const calls = () => (has('calls') ? read('calls') : '');

  const lines = (host: 'old' | 'new') => {
    const at = (name: string) => join(root, host, name);
    return hostBackups({
      mail: at('mail'),
      letsencrypt: at('letsencrypt'),
      spool: at('spool'),
      users: at('users'),
      state: at('state'),
      lock: at('lock'),
      loginKeys: at('ssh/authorized_keys'),
      homes: at('home'),
      policy: at('policy-rc.d'),
    });
  };
  /** As sshd runs it: by root's shell. */
  const run = (line: string, input: string | Buffer = '') => {
    const env = { ...process.env, PATH: `${root}/bin:${process.env['PATH']}` };
    const { status, stdout, stderr } = spawnSync('bash', ['-c', line], { input, env });
    return { status, stdout, stderr: stderr.toString() };
  };
  const fine = (line: string, input: string | Buffer = '') => {
    const result = run(line, input);
    expect([result.status, result.stderr]).toEqual([0, '']);
    return result.stdout;
  };
  const saved = (mode: 'running' | 'resting') => fine(lines('old').save(mode));

  it('is moved: mail of its mailboxes, certificates, and the queue where it rests', () => {
    put('new/spool/pid/master.pid', '1');
    const tar = saved('resting');
    expect(has('old/mail/.outreach-backup')).toBe(false);
    for (let time = 0; time < 2; time += 1) fine(lines('new').take(NAME), tar);
    expect(read('new/letsencrypt/live/mail.acme.com/privkey.pem')).toBe('the key');
    expect(has(`new/${MESSAGE}`)).toBe(false);
    for (let time = 0; time < 2; time += 1) fine(lines('new').merge(WHOLE));
    expect(read(`new/${MESSAGE}`)).toBe('a message');
    expect(read('new/mail/acme.com/ann/Maildir/dovecot-uidlist')).toBe('3 V1 N5');
    expect(has('new/mail/acme.com/ann/Maildir/dovecot.index.cache')).toBe(false);
    expect(has('new/mail/acme.com/gone')).toBe(false);
    expect(read('new/spool/deferred/A/A1B2')).toBe('on its way');
    expect(has('new/mail/.outreach-restore')).toBe(false);
    expect(calls().match(/^postsuper -s$/gm)).toHaveLength(1);
  });

  it('leaves the queue out while it goes on', () => {
    fine(lines('new').take(NAME), saved('running'));
    fine(lines('new').merge(WHOLE));
    expect(read(`new/${MESSAGE}`)).toBe('a message');
    expect(has('new/spool')).toBe(false);
  });

  it('is not given a queue that may have been delivered since', () => {
    fine(lines('new').take(NAME), saved('resting'));
    fine(lines('new').merge({ name: NAME, hasQueue: false }));
    expect(read(`new/${MESSAGE}`)).toBe('a message');
    expect([has('new/spool'), has('new/mail/.outreach-restore')]).toEqual([false, false]);
    expect(calls()).not.toMatch(/^(service|postsuper)/m);
  });

  it('keeps the certificates that it has', () => {
    put('new/letsencrypt/live/mail.acme.com/privkey.pem', 'a newer key');
    fine(lines('new').take(NAME), saved('resting'));
    expect(read('new/letsencrypt/live/mail.acme.com/privkey.pem')).toBe('a newer key');
  });

  it('takes nothing of a backup that was cut', () => {
    const tar = saved('resting');
    // In the middle of a file, and between two of them: the end of an archive may be missing, too.
    for (let length = 512; length < tar.lastIndexOf('outreach-backup-ends'); length += 512) {
      const cut = run(lines('new').take(NAME), tar.subarray(0, length));
      expect(cut.status).not.toBe(0);
      expect([has('new/letsencrypt'), has('new/mail/.outreach-restore')]).toEqual([false, false]);
    }
    fine(lines('new').merge(WHOLE));
    expect(has(`new/${MESSAGE}`)).toBe(false);
  });

  it('is not given its mail again by attempts that come late', () => {
    const tar = saved('resting');
    fine(lines('new').take(NAME), tar);
    fine(lines('new').merge(WHOLE));
    rmSync(join(root, `new/${MESSAGE}`));
    put('new/mail/acme.com/ann/Maildir/new/9.M2P3.mail', 'came in since');
    fine(lines('new').take(NAME), tar);
    fine(lines('new').merge(WHOLE));
    expect(has(`new/${MESSAGE}`)).toBe(false);
    expect(read('new/mail/acme.com/ann/Maildir/new/9.M2P3.mail')).toBe('came in since');
  });

  it('keeps what came in before it was given its mail', () => {
    fine(lines('new').take(NAME), saved('resting'));
    put('new/mail/acme.com/ann/Maildir/new/9.M2P3.mail', 'came in early');
    fine(lines('new').merge(WHOLE));
    expect(read('new/mail/acme.com/ann/Maildir/new/9.M2P3.mail')).toBe('came in early');
    expect(read(`new/${MESSAGE}`)).toBe('a message');
  });

  it('takes no other backup than the one that it was given', () => {
    const tar = saved('resting');
    fine(lines('new').merge(null));
    for (const line of [lines('new').take(NAME), lines('new').merge(WHOLE)]) {
      expect(run(line, tar)).toMatchObject({
        status: 1,
        stderr: expect.stringMatching(/^outreach-mail: .*another backup/),
      });
    }
    expect(has('new/letsencrypt')).toBe(false);
  });

  it('tells which system it is', () => {
    expect(fine(lines('new').mark).toString()).toBe('');
    put('new/state/id', 'rebuild-7-2\n');
    expect(fine(lines('new').mark).toString()).toBe('rebuild-7-2\n');
  });

  it('keeps mail out until it is opened, and then for good', () => {
    put('new/ssh/authorized_keys', 'ssh-ed25519 BBBB of the vendor\n');
    put('new/home/debian/.ssh/authorized_keys', 'ssh-ed25519 BBBB of the vendor\n');
    put('new/policy-rc.d', '#!/bin/sh\nexit 101\n');
    for (let time = 0; time < 2; time += 1) fine(lines('new').close, `${KEY}\n`);
    expect(read('new/ssh/authorized_keys')).toBe(`${KEY}\n`);
    expect(has('new/home/debian/.ssh/authorized_keys')).toBe(false);
    expect(calls()).toMatch(/^nft add rule .* dport \{ 25, 465, 993 \} reject/m);
    for (let time = 0; time < 2; time += 1) fine(lines('new').open);
    expect(has('new/policy-rc.d')).toBe(false);
    rmSync(join(root, 'calls'));
    fine(lines('new').close, `${KEY}\n`);
    expect(calls()).toBe('');
    expect(run(lines('new').close, 'no key\n').status).toBe(1);
    expect(read('new/ssh/authorized_keys')).toBe(`${KEY}\n`);
  });
});
