/** A world whose databases can be put back: an archived Postgres, and a second one for Temporal Server. */
import { join } from 'node:path';
import { migrate } from '../../src/db/migrate.ts';
import { createDatabase } from '../../src/dev/postgres/embedded-postgres.ts';
import { choosePorts, freePort } from '../../src/dev/ports.ts';
import * as table from '../../src/dev/processes/processes.ts';
import type { ProcessSpec } from '../../src/dev/processes/supervisor.ts';
import { loadSecrets } from '../../src/dev/secrets.ts';
import { makeStateDir } from '../../src/dev/state-dir.ts';
import { temporalCliPath } from '../../src/dev/temporal/temporal-server.ts';
import { mintJwt } from '../../src/dev/tokens.ts';
import { createFleet, type Fleet } from '../cluster/fleet.ts';
import { temporalBuild } from '../cluster/temporal-build.ts';
import { openNamespace, prepareTemporal } from '../cluster/temporal-cluster.ts';
import { enterWorld, type SharedWorld } from '../e2e/shared-world.ts';
import { startArchivedPostgres, type ArchivedPostgres } from './archived-postgres.ts';

const NAMESPACE = 'default';

export interface RestorableWorld {
  world: SharedWorld;
  fleet: Fleet;
  /** The product's Postgres, and the one of Temporal Server; a development server has none. */
  postgres: ArchivedPostgres;
  temporal: ArchivedPostgres | undefined;
  /** Ends API, worker and Temporal Server, in this order. */
  endUsers(): Promise<void>;
  startUsers(): Promise<void>;
}

export interface WorldOptions {
  stateDir: string;
  /** Temporal Server as in production, which Go builds once, or the development server, which all tests use. */
  temporal: 'server' | 'development';
  report: (line: string) => void;
  /** Called with a function that ends what has been started so far. */
  started: (stop: () => Promise<void>) => void;
}

/** Starts all of it on free ports; resolves when everything answers and base backups are kept. */
export async function startRestorable(options: WorldOptions): Promise<RestorableWorld> {
  const { stateDir, report, started } = options;
  await makeStateDir(stateDir);
  const fleet = createFleet(join(stateDir, 'logs'));
  const settings = await settingsOf(stateDir);
  const { ports } = settings;
  const servers: ArchivedPostgres[] = [];
  started(async () => {
    await fleet.endAll();
    for (const server of servers) await server.stop();
  });
  const start = async (name: string, port: number) => {
    const folder = join(stateDir, name);
    const server = await startArchivedPostgres(placeOf(settings, { name, folder, port }));
    servers.push(server);
    return server;
  };
  const postgres = await start('postgres', ports.postgres);
  await createDatabase(postgres.place, table.databaseName);
  await migrate(table.migrationUrls(postgres.prepared, settings));
  const { temporal, server } =
    options.temporal === 'server'
      ? await productionServer(settings, { start, report })
      : { server: table.temporalProcess(await temporalCliPath(report), settings) };
  const users = [server, table.workerProcess(settings), table.apiProcess(settings)];
  await fleet.start(server);
  if (temporal) await openNamespace(settings.temporal.address, NAMESPACE);
  await fleet.start(table.sandboxProcess(settings));
  for (const user of users.slice(1)) await fleet.start(user);
  report('Temporal, worker and API are ready');
  for (const one of servers) await one.backUp();
  const world = await enter(settings);
  return { world, fleet, postgres, temporal, ...switches(fleet, users) };
}

/** Temporal Server on a Postgres of its own. */
async function productionServer(
  { stateDir, ports }: table.WorldSettings,
  {
    start,
    report,
  }: {
    start: (name: string, port: number) => Promise<ArchivedPostgres>;
    report: (line: string) => void;
  },
): Promise<{ temporal: ArchivedPostgres; server: ProcessSpec }> {
  const build = await temporalBuild(report);
  const temporal = await start('temporal-postgres', await freePort(new Set(Object.values(ports))));
  const place = { folder: join(stateDir, 'temporal'), port: ports.temporal };
  return { temporal, server: await prepareTemporal(build, temporal.place, place) };
}

const placeOf = (
  { stateDir, secrets }: table.WorldSettings,
  { name, ...place }: { name: string; folder: string; port: number },
) => ({
  ...place,
  password: secrets.ownerPassword,
  logFile: join(stateDir, 'logs', `${name}.log`),
  durable: true,
});

const switches = (fleet: Fleet, users: readonly ProcessSpec[]) => ({
  async endUsers() {
    for (const { name } of users.toReversed()) await fleet.end(name);
  },
  async startUsers() {
    for (const user of users) await fleet.start(user);
  },
});

async function settingsOf(stateDir: string): Promise<table.WorldSettings> {
  const ports = await choosePorts('auto', () => undefined);
  const address = `127.0.0.1:${ports.temporal}`;
  const temporal = { address, namespace: NAMESPACE, started: true };
  return { stateDir, ports, secrets: await loadSecrets(stateDir), daySeconds: 20, temporal };
}

async function enter(settings: table.WorldSettings): Promise<SharedWorld> {
  const { stateDir, secrets, temporal, daySeconds } = settings;
  const api = table.urls.api(settings);
  const file = {
    api,
    docs: `${api}/docs`,
    temporalAddress: temporal.address,
    temporalNamespace: temporal.namespace,
    codecEndpoint: { url: table.urls.codec(settings), token: secrets.codecToken },
    databaseUrl: table.urls.database(settings),
    sandbox: table.urls.sandbox(settings),
    jwtSecret: secrets.jwtSecret,
    stripeWebhookSecret: secrets.stripeWebhookSecret,
    jwt: await mintJwt(secrets.jwtSecret),
    apiKey: '',
    caFile: table.caFile(stateDir),
    dns: table.urls.dns(settings),
    socks: table.urls.socks(settings),
    metrics: table.urls.metrics(settings),
    daySeconds,
    environment: table.productSettings(settings),
    pids: {},
  };
  const stop = () => Promise.reject(new Error('this world is ended by its fleet'));
  return enterWorld({ stateDir, apiAfterMs: () => 0, read: async () => file, stop }, new Set());
}
