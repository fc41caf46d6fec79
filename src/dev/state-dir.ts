/** The folder of one world: which files in it are ours, and how they are removed. */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { removeCluster } from './postgres/embedded-postgres.ts';

/** Only these are removed: a person may point `--state-dir` at a folder with other things in it. */
const ourFiles = [
  'world.json',
  'supervisor.json',
  'secrets.json',
  'sandbox',
  'logs',
  'temporal.db',
  'temporal.db-shm',
  'temporal.db-wal',
];

export async function makeStateDir(stateDir: string): Promise<void> {
  await mkdir(stateDir, { recursive: true });
}

/** Removes everything of earlier runs; none of their processes may still be running. */
export async function forgetState(stateDir: string): Promise<void> {
  await removeCluster(join(stateDir, 'postgres'));
  for (const name of ourFiles) await rm(join(stateDir, name), { recursive: true, force: true });
}
