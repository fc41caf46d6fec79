/** A real Postgres without an installation: created, started, adopted after a crash, stopped. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, openSync, closeSync } from 'node:fs';
import { chown, lstat, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { fileTail } from '../processes/file-tail.ts';
import { commandLine, endProcess, isAlive } from '../processes/process-identity.ts';
import { ownFolder, postgresBinaries, reachableFolder, type RunAs } from './postgres-binaries.ts';

const run = promisify(execFile);

/** The cluster's superuser; it owns the product's tables. */
export const ownerRole = 'outreach_owner';

export interface PostgresPlace {
  /** `<folder>/data` is the cluster, unless the user `postgres` has no access to it. */
  folder: string;
  port: number;
  /** The owner role's password; set when the cluster is created, needed on every later start. */
  password: string;
  logFile: string;
  /** Throw-away clusters of tests skip every fsync. */
  durable: boolean;
  maxConnections?: number;
  /** As `shared_buffers`; Postgres' own otherwise, which is 128 MB. */
  sharedBuffers?: string;
}

/** A cluster that is ready to be started by `command args`. */
export interface PreparedPostgres {
  place: PostgresPlace;
  dataDir: string;
  command: string;
  args: string[];
  runAs: RunAs;
  /** Set when a server of an earlier run is alive on this cluster (then with its real port). */
  running: { pid: number; port: number } | undefined;
}

export interface EmbeddedPostgres {
  pid: number;
  port: number;
  adopted: boolean;
  dataDir: string;
  ownerUrl(database: string): string;
  stop(): Promise<void>;
}

/** Creates the cluster when there is none and checks whether a server still runs on it. */
export async function preparePostgres(place: PostgresPlace): Promise<PreparedPostgres> {
  const { initdb, postgres, runAs } = await postgresBinaries();
  const folder = await reachableFolder(place.folder, runAs);
  await ownFolder(folder, runAs);
  if (folder !== place.folder) await leaveLink(place.folder, folder);
  if (runAs.uid !== undefined) await chown(folder, runAs.uid, runAs.gid!);
  const dataDir = join(folder, 'data');
  if (!existsSync(join(dataDir, 'PG_VERSION')))
    await createCluster({ initdb, runAs }, folder, place);
  const running = await runningServer(dataDir, place.password);
  const port = running?.port ?? place.port;
  const args = ['-D', dataDir, '-p', String(port), ...serverFlags(place)];
  return { place: { ...place, port }, dataDir, command: postgres, args, runAs, running };
}

/** Starts (or adopts) a server and returns when it answers. Rejects with Postgres' own message. */
export async function startEmbeddedPostgres(place: PostgresPlace): Promise<EmbeddedPostgres> {
  const prepared = await preparePostgres(place);
  if (prepared.running) return handle(prepared, prepared.running.pid, true);
  try {
    return await startOnce(prepared);
  } catch {
    // After kill -9 of the postmaster its children may hold the lock for another moment.
    await sleep(1_000);
    return startOnce(prepared);
  }
}

/** The URL at which the owner's role connects to `database`. */
export function ownerUrl(place: PostgresPlace, database: string): string {
  return `postgres://${ownerRole}:${place.password}@127.0.0.1:${place.port}/${database}`;
}

/** True when the server answers queries on `place.port` and serves `dataDir`. */
export async function postgresAnswers(place: PostgresPlace, dataDir: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString: ownerUrl(place, 'postgres'),
    connectionTimeoutMillis: 1_000,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ data_directory: string }>('show data_directory');
    return rows[0]?.data_directory === dataDir;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Creates `database` when it is missing. */
export async function createDatabase(place: PostgresPlace, database: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl(place, 'postgres') });
  await client.connect();
  try {
    const found = await client.query('select 1 from pg_database where datname = $1', [database]);
    if (found.rowCount === 0)
      await client.query(`create database ${client.escapeIdentifier(database)}`);
  } finally {
    await client.end();
  }
}

async function createCluster(
  binaries: { initdb: string; runAs: RunAs },
  folder: string,
  place: PostgresPlace,
): Promise<void> {
  const dataDir = join(folder, 'data');
  // An initdb that was killed leaves a folder without PG_VERSION, which the next one refuses.
  await rm(dataDir, { recursive: true, force: true });
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, `${place.password}\n`, { mode: 0o600 });
  const { uid, gid } = binaries.runAs;
  if (uid !== undefined) await chown(passwordFile, uid, gid!);
  const flags = ['--auth=scram-sha-256', '--encoding=UTF8', '--locale-provider=builtin'];
  flags.push('--locale=C', '--builtin-locale=C.UTF-8', `--username=${ownerRole}`);
  if (!place.durable) flags.push('--no-sync');
  try {
    const env = { LC_ALL: 'C', TZ: 'UTC' };
    const args = [`--pgdata=${dataDir}`, `--pwfile=${passwordFile}`, ...flags];
    await run(binaries.initdb, args, { ...binaries.runAs, env });
  } catch (cause) {
    const words = (cause as { stderr?: string }).stderr?.trim() || String(cause);
    throw new Error(`initdb could not make ${dataDir}: ${words}`, { cause });
  } finally {
    await rm(passwordFile, { force: true });
  }
}

function serverFlags(place: PostgresPlace): string[] {
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    `max_connections=${place.maxConnections ?? 200}`,
    'timezone=UTC',
    'log_timezone=UTC',
  ];
  if (place.sharedBuffers) settings.push(`shared_buffers=${place.sharedBuffers}`);
  if (!place.durable) settings.push('fsync=off', 'synchronous_commit=off', 'full_page_writes=off');
  return settings.flatMap((setting) => ['-c', setting]);
}

/**
 * Reads `postmaster.pid` (pid, data directory, start time, port) and trusts it only if the server
 * answers.
 */
async function runningServer(dataDir: string, password: string) {
  const file = join(dataDir, 'postmaster.pid');
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n');
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  if (!pid || !isAlive(pid)) return undefined;
  const place = { folder: '', logFile: '', durable: true, port, password };
  for (let attempt = 0; attempt < 20; attempt++) {
    if (port && (await postgresAnswers(place, dataDir))) return { pid, port };
    if (!isAlive(pid)) return undefined;
    // Neither ours nor a server on this cluster: another process got the old pid.
    if (attempt >= 4 && !(await commandLine(pid)).includes('postgres')) return undefined;
    await sleep(250);
  }
  throw new Error(
    `A Postgres (process ${pid}) holds ${dataDir} but does not answer on port ${port}; stop it first.`,
  );
}

async function startOnce(prepared: PreparedPostgres): Promise<EmbeddedPostgres> {
  const child = spawnServer(prepared);
  let ended: string | undefined;
  child.once('error', (error) => (ended = error.message));
  child.once('exit', (code, signal) => (ended = `ended with ${signal ?? `code ${code}`}`));
  const deadline = Date.now() + 30_000;
  while (!(await postgresAnswers(prepared.place, prepared.dataDir))) {
    if (ended !== undefined || Date.now() > deadline) {
      child.kill('SIGQUIT');
      const words = await fileTail(prepared.place.logFile, 10);
      throw new Error(`Postgres did not start (${ended ?? 'no answer in 30 s'}):\n${words}`);
    }
    await sleep(25);
  }
  return handle(prepared, child.pid!, false);
}

function spawnServer(prepared: PreparedPostgres): ChildProcess {
  const log = openSync(prepared.place.logFile, 'a', 0o600);
  try {
    return spawn(prepared.command, prepared.args, {
      ...prepared.runAs,
      env: { LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', log, log],
      // Ctrl-C in the terminal must not reach it before its users are done.
      detached: true,
    });
  } finally {
    closeSync(log);
  }
}

function handle(prepared: PreparedPostgres, pid: number, adopted: boolean): EmbeddedPostgres {
  const { place, dataDir } = prepared;
  return {
    pid,
    port: place.port,
    adopted,
    dataDir,
    ownerUrl: (database) => ownerUrl(place, database),
    // "Fast" shutdown: transactions are rolled back, files are clean.
    stop: () => endProcess(pid, 'SIGINT', 15_000),
  };
}

/** A link in the state dir that shows where its cluster really is. */
async function leaveLink(from: string, to: string): Promise<void> {
  if ((await lstat(from).catch(() => undefined)) === undefined) await symlink(to, from);
}

/** Removes the cluster of a stopped server, also where its folder is such a link. */
export async function removeCluster(folder: string): Promise<void> {
  const cluster = await realpath(folder).catch(() => folder);
  for (const path of [cluster, folder]) await rm(path, { recursive: true, force: true });
}
