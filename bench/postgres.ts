/** A Postgres of a bench's own with the newest schema, fsync on. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { migrate } from '../src/db/migrate.ts';
import {
  createDatabase,
  removeCluster,
  startEmbeddedPostgres,
} from '../src/dev/postgres/embedded-postgres.ts';
import { freePort } from '../src/dev/ports.ts';

export interface BenchPostgres {
  /** For files of the bench; removed with it. */
  folder: string;
  appUrl: string;
  ownerUrl: string;
  /** The postmaster's. */
  pid: number;
}

/**
 * Runs `work` with it, and removes it, unless it is kept in the folder `kept` for the next run. `isLarge`: with the memory
 * that docs/deployment.md tells for a large database.
 */
export async function withPostgres(
  work: (postgres: BenchPostgres) => Promise<void>,
  { kept, isLarge = false }: { kept?: string | undefined; isLarge?: boolean } = {},
): Promise<void> {
  const folder = kept ? resolve(kept) : await mkdtemp(join(tmpdir(), 'outreach-bench-'));
  await mkdir(folder, { recursive: true });
  const place = {
    folder: join(folder, 'postgres'),
    port: await freePort(),
    password: 'bench',
    logFile: join(folder, 'postgres.log'),
    durable: true,
    ...(isLarge && { sharedBuffers: `${Math.floor(totalmem() / 4 / 2 ** 20)}MB` }),
  };
  const postgres = await startEmbeddedPostgres(place);
  try {
    await createDatabase(place, 'bench');
    const appUrl = `postgres://bench_app:bench@127.0.0.1:${place.port}/bench`;
    const ownerUrl = postgres.ownerUrl('bench');
    await migrate({ ownerUrl, appUrl });
    await work({ folder, appUrl, ownerUrl, pid: postgres.pid });
  } finally {
    await postgres.stop();
    if (kept === undefined) {
      await removeCluster(place.folder);
      await rm(folder, { recursive: true, force: true });
    }
  }
}
