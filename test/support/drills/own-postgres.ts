/** A Postgres of a drill's own, which is removed with the drill, also when that is interrupted. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import closeWithGrace from 'close-with-grace';
import { migrate } from '../../../src/db/migrate.ts';
import {
  createDatabase,
  removeCluster,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../../src/dev/postgres/embedded-postgres.ts';
import { freePort } from '../../../src/dev/ports.ts';

export interface OwnDatabase {
  ownerUrl: string;
  appUrl: string;
  /** Aborted when a person interrupts: the drill stops its work, checks the result, and reports it. */
  over: AbortSignal;
}

export interface OwnPostgresOptions {
  /** The name of its database and of the folder. */
  name: string;
  /** Default: nothing is kept, and every fsync is skipped. */
  durable?: boolean;
}

/** A check of many rows takes long. */
const FINISH_MS = 10 * 60_000;

/** Runs a drill on an empty, migrated database. `drill` says whether all was well: the exit code. */
export async function withOwnPostgres(
  options: OwnPostgresOptions,
  drill: (database: OwnDatabase) => Promise<boolean>,
): Promise<void> {
  const over = new AbortController();
  let postgres: EmbeddedPostgres | undefined;
  const run = async () => {
    const folder = await mkdtemp(join(tmpdir(), `outreach-${options.name}-`));
    try {
      const started = await start(folder, options);
      postgres = started.postgres;
      const isWell = await drill({ ...started.urls, over: over.signal });
      process.exitCode = isWell ? 0 : 1;
    } finally {
      await postgres?.stop();
      await removeCluster(join(folder, 'postgres'));
      await rm(folder, { recursive: true, force: true });
    }
  };
  let running: Promise<void> | undefined;
  const grace = closeWithGrace({ delay: FINISH_MS, logger: console }, async ({ signal, err }) => {
    over.abort();
    // An uncaught error may keep the drill from ever ending.
    if (err) return postgres?.stop();
    process.stdout.write(`${signal}: stops, and checks what was done; once more: at once\n`);
    await running;
    process.exit();
  });
  running = run();
  // A drill that is interrupted is ended by the caller above.
  await running.finally(() => over.signal.aborted || grace.uninstall());
}

async function start(folder: string, { name, durable = false }: OwnPostgresOptions) {
  const place = {
    folder: join(folder, 'postgres'),
    port: await freePort(),
    password: name,
    logFile: join(folder, 'postgres.log'),
    durable,
  };
  const postgres = await startEmbeddedPostgres(place);
  try {
    await createDatabase(place, name);
    const appUrl = `postgres://${name}_app:${name}@127.0.0.1:${place.port}/${name}`;
    const urls = { ownerUrl: postgres.ownerUrl(name), appUrl };
    await migrate(urls);
    return { postgres, urls };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}
