/** Starts the run's Postgres, and migrates the template from which every test's database is copied. */
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import {
  createDatabase,
  ownerUrl,
  startEmbeddedPostgres,
} from '../../../src/dev/postgres/embedded-postgres.ts';
import { compileSources } from '../../../src/dev/processes/compiled-sources.ts';
import { isAlive } from '../../../src/dev/processes/process-identity.ts';
import { freePort } from '../../../src/dev/ports.ts';
import { developmentBundle } from '../../../src/temporal/workflow-bundle.ts';
import { migrate } from '../../../src/db/migrate.ts';

/** Followed by the run's process id, so that the next run can clear up after a killed one. */
const folderPrefix = 'outreach-test-';

export const template = 'outreach_template';

export interface TestPostgres {
  port: number;
  password: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    postgres: TestPostgres;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await removeLeftovers();
  // Once for all files and for the processes that they start.
  await Promise.all([compileSources(), developmentBundle()]);
  const folder = await mkdtemp(join(tmpdir(), `${folderPrefix}${process.pid}-`));
  // As root, Postgres runs as another user, who needs access to the folder.
  await chmod(folder, 0o755);
  const password = 'test';
  const server = await startEmbeddedPostgres({
    folder: join(folder, 'postgres'),
    port: await freePort(),
    password,
    logFile: join(folder, 'postgres.log'),
    durable: false,
    maxConnections: 300,
  });
  const stop = async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await makeTemplate(server.port, password);
  } catch (error) {
    await stop();
    throw error;
  }
  project.provide('postgres', { port: server.port, password });
  return stop;
}

async function makeTemplate(port: number, password: string): Promise<void> {
  const place = { folder: '', logFile: '', durable: false, port, password };
  await createDatabase(place, template);
  const appUrl = `postgres://outreach_test:${password}@127.0.0.1:${port}/${template}`;
  await migrate({ ownerUrl: ownerUrl(place, template), appUrl });
  const client = new Client({ connectionString: ownerUrl(place, 'postgres') });
  await client.connect();
  await client.query(`alter database ${template} is_template true allow_connections false`);
  await client.end();
}

/** A run that was killed leaves its Postgres alive and its folder behind. */
async function removeLeftovers(): Promise<void> {
  const folders = (await readdir(tmpdir())).filter((name) => name.startsWith(folderPrefix));
  for (const name of folders) {
    const owner = Number(name.slice(folderPrefix.length).split('-')[0]);
    if (!owner || isAlive(owner)) continue;
    const cluster = join(tmpdir(), name, 'postgres', 'data');
    const pidFile = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
    const [pid, dataDir] = pidFile.split('\n');
    if (Number(pid) && dataDir && isAlive(Number(pid))) process.kill(Number(pid), 'SIGQUIT');
    await rm(join(tmpdir(), name), { recursive: true, force: true });
  }
}
