/** Backups of mail hosts as sealed files of one folder, which all workers see. */
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { StreamCipher } from '../../domain/cipher.ts';
import { isBackupName } from '../../domain/clusters/host-backup.ts';
import { ProviderError } from '../../domain/errors.ts';
import type { HostBackups } from './port.ts';

const PROVIDER = 'host-backups';

/** Without a folder nothing can be kept, and a person is told to name one. */
export function createHostBackups(input: {
  folder: string | undefined;
  cipher: StreamCipher;
}): HostBackups {
  const { cipher } = input;
  const pathOf = (name: string): string => {
    if (input.folder === undefined) throw noFolder();
    if (!isBackupName(name)) throw refused(`${JSON.stringify(name)} is not the name of a backup`);
    return join(input.folder, name);
  };
  return {
    async keep({ name, boundTo }, content) {
      const path = pathOf(name);
      const part = `${path}.${randomUUID()}.part`;
      try {
        await mkdir(input.folder!, { recursive: true, mode: 0o700 });
        const file = await open(part, 'w', 0o600);
        try {
          for await (const chunk of cipher.seal(content, boundTo)) await file.writeFile(chunk);
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(part, path);
      } catch (error) {
        await rm(part, { force: true }).catch(() => {});
        throw error instanceof ProviderError ? error : notKept(name, error);
      }
    },
    async list() {
      if (input.folder === undefined) throw noFolder();
      try {
        return (await readdir(input.folder)).filter(isBackupName);
      } catch (error) {
        throw notRead(error);
      }
    },
    async *open({ name, boundTo }) {
      const path = pathOf(name);
      try {
        yield* cipher.open(createReadStream(path), boundTo);
      } catch (error) {
        throw refused(`${name}: ${messageOf(error)}`);
      }
    },
  };
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : 'unknown');

const noFolder = () =>
  new ProviderError('auth', `${PROVIDER}: no folder is configured`, {
    provider: PROVIDER,
    operatorHint: 'Set HOST_BACKUP_DIR to a folder that all workers see, and restart them.',
  });

const refused = (what: string) =>
  new ProviderError('rejected', `${PROVIDER}: ${what}`, { provider: PROVIDER });

const notRead = (error: unknown) =>
  new ProviderError('unavailable', `${PROVIDER}: the folder cannot be read: ${messageOf(error)}`, {
    provider: PROVIDER,
    operatorHint: 'Look at the folder HOST_BACKUP_DIR: is it there, and may the workers read it?',
  });

const notKept = (name: string, error: unknown) =>
  new ProviderError('unavailable', `${PROVIDER}: ${name} was not written: ${messageOf(error)}`, {
    provider: PROVIDER,
    operatorHint: 'Look at the folder HOST_BACKUP_DIR: is there room, and may the workers write?',
  });
