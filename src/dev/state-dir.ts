/** The folder of one world: which files in it are ours, and how it is forgotten. */
import { mkdir, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Only these are removed: somebody may point `--state-dir` at a folder with other things in it. */
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

/** Removes everything of earlier runs; nothing of them may still be running. */
export async function forgetState(stateDir: string): Promise<void> {
  const postgres = join(stateDir, 'postgres');
  // As root it may be a link to a folder that Postgres' own user can reach.
  const cluster = await realpath(postgres).catch(() => postgres);
  for (const path of [cluster, postgres, ...ourFiles.map((name) => join(stateDir, name))]) {
    await rm(path, { recursive: true, force: true });
  }
}
