import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createDatabase,
  startEmbeddedPostgres,
  type PostgresPlace,
} from '../../src/dev/postgres/embedded-postgres.ts';
import { isAlive } from '../../src/dev/processes/process-identity.ts';
import { freePort } from '../../src/dev/ports.ts';
import { createTestDatabase } from '../support/database/database.ts';

describe('startEmbeddedPostgres', () => {
  let folder: string;
  let place: PostgresPlace;
  const opened: { stop(): Promise<void>; dataDir: string }[] = [];

  // mkdtemp makes folders of mode 0700: as root this is the case that needs the copy.
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'outreach-pg-'));
    const files = { folder: join(folder, 'postgres'), logFile: join(folder, 'postgres.log') };
    place = { ...files, port: await freePort(), password: 'p', durable: false };
  });

  afterAll(async () => {
    for (const server of opened) await server.stop();
    for (const name of ['postgres', 'second']) {
      const cluster = await realpath(join(folder, name)).catch(() => undefined);
      if (cluster) await rm(cluster, { recursive: true, force: true });
    }
    await rm(folder, { recursive: true, force: true });
  });

  const start = async (wanted: PostgresPlace = place) => {
    const server = await startEmbeddedPostgres(wanted);
    opened.push(server);
    return server;
  };

  it('adopts a server that lives on, restarts one that was killed, survives a stale pid file', async () => {
    const first = await start();
    expect(first.adopted).toBe(false);
    await createDatabase(place, 'kept');

    const adopted = await start({ ...place, port: await freePort() });
    expect(adopted).toMatchObject({ adopted: true, pid: first.pid, port: first.port });

    process.kill(first.pid, 'SIGKILL');
    while (isAlive(first.pid)) await sleep(10);
    const second = await start();
    expect(second).toMatchObject({ adopted: false, port: place.port });
    await createDatabase(place, 'kept');

    await second.stop();
    expect(isAlive(second.pid)).toBe(false);
    // The number in the file may belong to another program by now: here it is this test.
    const pidFile = [process.pid, second.dataDir, 1, place.port, '', '127.0.0.1', ''].join('\n');
    await writeFile(join(second.dataDir, 'postmaster.pid'), pidFile);
    expect((await start()).adopted).toBe(false);
  }, 120_000);

  it('says why Postgres did not start', async () => {
    const other = { ...place, folder: join(folder, 'second'), maxConnections: -1 };
    const failing = startEmbeddedPostgres(other);
    await expect(failing).rejects.toThrow(/max_connections/);
  }, 120_000);
});

describe('createTestDatabase', () => {
  it('gives databases that do not see each other', async () => {
    const [one, two] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    const names = await Promise.all(
      [one, two].map(({ db }) =>
        sql<{ name: string }>`select current_database() as name`.execute(db),
      ),
    );
    expect(new Set(names.map((name) => name.rows[0]?.name)).size).toBe(2);
    await Promise.all([one.close(), two.close()]);
  });
});
