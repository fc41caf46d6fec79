/** Where backups of mail hosts are kept: whole files or none, each for its own server. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createStreamCipher } from '../../src/encryption/stream-cipher.ts';
import { createHostBackups } from '../../src/providers/host-backups/folder.ts';
import type { HostBackups } from '../../src/providers/host-backups/port.ts';
import { providerError } from '../support/vendors/provider-error.ts';

const cipher = createStreamCipher(`k1:${randomBytes(32).toString('base64')}`);
const backup = { name: 'mail.acme.com-7-20261126T220000Z.sealed', boundTo: 'server:a:backup' };

async function* content(text: string, failure?: Error) {
  yield Buffer.from(text);
  if (failure) throw failure;
}

async function all(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts).toString();
}

describe('the folder of backups', () => {
  let folder: string;
  let backups: HostBackups;
  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'outreach-backups-')), 'new');
    backups = createHostBackups({ folder, cipher });
  });
  afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

  it('keeps what it is given, sealed', async () => {
    await backups.keep(backup, content('mail of ann'));
    expect(await all(backups.open(backup))).toBe('mail of ann');
    expect(readFileSync(join(folder, backup.name)).includes('mail of ann')).toBe(false);
  });

  it('keeps nothing of what broke off', async () => {
    const error = await providerError(
      backups.keep(backup, content('half of it', new Error('it broke off'))),
    );
    expect(error).toMatchObject({ kind: 'unavailable', message: expect.stringMatching(/broke/) });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('refuses one of another server, one that was cut, one that is missing, and ways out', async () => {
    await backups.keep(backup, content('mail'));
    const names = [
      '../secret.sealed',
      '/etc/passwd',
      'a/b.sealed',
      '.hidden.sealed',
      'missing.sealed',
    ];
    const wrong = [
      { ...backup, boundTo: 'server:b:backup' },
      ...names.map((name) => ({ ...backup, name })),
    ];
    for (const one of wrong) {
      expect((await providerError(all(backups.open(one)))).kind).toBe('rejected');
    }
    truncateSync(join(folder, backup.name), 50);
    expect((await providerError(all(backups.open(backup)))).kind).toBe('rejected');
  });

  it('is named by a setting', async () => {
    const none = createHostBackups({ folder: undefined, cipher });
    expect(await providerError(none.keep(backup, content('mail')))).toMatchObject({
      kind: 'auth',
      facts: { operatorHint: expect.stringMatching(/HOST_BACKUP_DIR/) },
    });
  });
});
