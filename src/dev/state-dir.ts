/** The folder of one world: which files in it are ours, and how they are removed. */
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { removeCluster } from './postgres/embedded-postgres.ts';

/** What Temporal keeps: with queues in one part each, and of worlds that were begun when they had several. */
const TEMPORAL_FILE = 'temporal-whole.db';
const FORMER_TEMPORAL_FILE = 'temporal.db';

/** Only these are removed: a person may point `--state-dir` at a folder with other things in it. */
const ourFiles = [
  'world.json',
  'supervisor.json',
  'secrets.json',
  'sandbox',
  'logs',
  ...[TEMPORAL_FILE, FORMER_TEMPORAL_FILE].flatMap((file) => [file, `${file}-shm`, `${file}-wal`]),
];

export async function makeStateDir(stateDir: string): Promise<void> {
  await mkdir(stateDir, { recursive: true });
}

/** Removes everything of earlier runs; none of their processes may still be running. */
export async function forgetState(stateDir: string): Promise<void> {
  await removeCluster(join(stateDir, 'postgres'));
  for (const name of ourFiles) await rm(join(stateDir, name), { recursive: true, force: true });
}

/**
 * What waits in the other parts of a queue of before would never be found in one: such a world keeps them. Where both
 * files are there, the former is of an older checkout, which knew no other.
 */
export function temporalFile(stateDir: string): { path: string; isFormer: boolean } {
  const path = join(stateDir, TEMPORAL_FILE);
  const former = join(stateDir, FORMER_TEMPORAL_FILE);
  const isFormer = !existsSync(path) && existsSync(former);
  return { path: isFormer ? former : path, isFormer };
}
