/**
 * The product as it is run at size: Temporal Server on a Postgres that syncs to the disk, with the settings of the
 * compose file, and the product's own processes beside it, started one by one. All of it ends with `work`.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { parse } from 'yaml';
import { readConfig } from '../src/config.ts';
import { createContext, type Context } from '../src/context.ts';
import { migrate } from '../src/db/migrate.ts';
import {
  createDatabase,
  ownerUrl,
  preparePostgres,
  startEmbeddedPostgres,
} from '../src/dev/postgres/embedded-postgres.ts';
import { choosePorts, freePort } from '../src/dev/ports.ts';
import * as table from '../src/dev/processes/processes.ts';
import { loadSecrets } from '../src/dev/secrets.ts';
import { makeStateDir as openStateDir } from '../src/dev/state-dir.ts';
import { createFleet, type Fleet } from '../test/cluster/fleet.ts';
import { temporalBuild } from '../test/cluster/temporal-build.ts';
import { openNamespace, prepareTemporal } from '../test/cluster/temporal-cluster.ts';
import { makeStateDir, removeStateDir } from '../test/support/drills/world.ts';

export interface ScaledWorld {
  settings: table.WorldSettings;
  fleet: Fleet;
  /** The processes' logs. */
  logsDir: string;
  /** Of the database named; the product's by default. */
  ownerUrl(database?: string): string;
  /** Of the server, for Prometheus. */
  temporalMetrics: string;
  /** The postmaster's. */
  postgresPid: number;
  /** Of this process: Postgres and Temporal, as the API has them. */
  context: Context;
  startApi(): Promise<void>;
  startWorker(name: string): Promise<void>;
  startSandbox(): Promise<void>;
}

export interface ScaledOptions {
  daySeconds: number;
  sandboxPace?: number;
  /** Settings of API and workers in place of the world's. */
  instead: (settings: table.WorldSettings) => Record<string, string>;
  /** What the bench itself has beside it; called last. */
  atEnd?: () => Promise<void>;
}

const NAMESPACE = 'default';
const MAX_CONNECTIONS = 400;
/** Nobody waits for what the bench asks. */
const PATIENCE_MS = 60_000;
/** As in docker-compose.yml. */
const HISTORY_SHARDS = 128;
const DYNAMIC_CONFIG = new URL('../deploy/compose/dynamic-config.yaml', import.meta.url);

/** Runs `work` with it; SIGINT and SIGTERM end all of it as well. */
export async function withScaledWorld(
  options: ScaledOptions,
  work: (world: ScaledWorld) => Promise<void>,
): Promise<void> {
  const stateDir = await makeStateDir();
  const { atEnd = () => Promise.resolve() } = options;
  const ends: (() => Promise<unknown>)[] = [atEnd, () => removeStateDir(stateDir)];
  let ending: Promise<void> | undefined;
  const end = () =>
    (ending ??= (async () => {
      for (const one of ends.toReversed()) await one();
    })());
  // More than one may come: of the terminal, and of npm.
  const onSignal = () => void end().finally(() => process.exit(1));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal);
  try {
    await work(await start(stateDir, options, (one) => ends.push(one)));
  } finally {
    await end();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, onSignal);
  }
}

async function start(
  stateDir: string,
  options: ScaledOptions,
  atEnd: (end: () => Promise<unknown>) => void,
): Promise<ScaledWorld> {
  const build = await temporalBuild((line) => console.log(line));
  await openStateDir(stateDir);
  const logsDir = join(stateDir, 'logs');
  const fleet = createFleet(logsDir);
  const settings = await settingsOf(stateDir, options);
  const { ports, secrets } = settings;
  const { place } = await preparePostgres({
    folder: join(stateDir, 'postgres'),
    port: ports.postgres,
    password: secrets.ownerPassword,
    logFile: join(logsDir, 'postgres.log'),
    durable: true,
    maxConnections: MAX_CONNECTIONS,
  });
  const postgres = await startEmbeddedPostgres(place);
  atEnd(() => postgres.stop());
  await createDatabase(place, table.databaseName);
  const url = (database: string = table.databaseName) => ownerUrl(place, database);
  await migrate({ ownerUrl: url(), appUrl: table.urls.database(settings) });
  atEnd(() => fleet.endAll());
  await fleet.start(
    await prepareTemporal(build, place, {
      folder: join(stateDir, 'temporal'),
      port: ports.temporal,
      metricsPort: ports.temporalMetrics,
      shards: HISTORY_SHARDS,
      dynamic: parse(await readFile(DYNAMIC_CONFIG, 'utf8')) as object,
    }),
  );
  await openNamespace(settings.temporal.address, NAMESPACE);
  const context = createContext(readConfig(table.productSettings(settings)), silent, {
    connectionTimeoutMs: PATIENCE_MS,
  });
  atEnd(() => context.close());
  return {
    settings,
    fleet,
    logsDir,
    ownerUrl: url,
    temporalMetrics: table.urls.metrics(settings).temporal,
    postgresPid: postgres.pid,
    context,
    startApi: () => fleet.start(table.apiProcess(settings)),
    startSandbox: () => fleet.start(table.sandboxProcess(settings)),
    startWorker: async (name) => {
      const taken = new Set(Object.values(ports));
      const workerMetrics = await freePort(taken);
      const codec = await freePort(new Set([...taken, workerMetrics]));
      const own = { ...settings, ports: { ...ports, workerMetrics, codec } };
      await fleet.start({ ...table.workerProcess(own), name });
    },
  };
}

const silent = pino({ level: 'silent' });

async function settingsOf(
  stateDir: string,
  { daySeconds, sandboxPace, instead }: ScaledOptions,
): Promise<table.WorldSettings> {
  const ports = await choosePorts('auto', () => undefined);
  const address = `127.0.0.1:${ports.temporal}`;
  return {
    stateDir,
    ports,
    secrets: await loadSecrets(stateDir),
    daySeconds,
    sandboxPace,
    instead,
    temporal: { address, namespace: NAMESPACE, started: true },
  };
}
