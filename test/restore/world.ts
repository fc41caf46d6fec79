/** A world whose databases can be put back: two archived Postgres, Temporal Server on one of them. */
import { join } from 'node:path';
import { migrate } from '../../src/db/migrate.ts';
import { createDatabase } from '../../src/dev/postgres/embedded-postgres.ts';
import { choosePorts, freePort } from '../../src/dev/ports.ts';
import * as table from '../../src/dev/processes/processes.ts';
import type { ProcessSpec } from '../../src/dev/processes/supervisor.ts';
import { loadSecrets } from '../../src/dev/secrets.ts';
import { makeStateDir } from '../../src/dev/state-dir.ts';
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
  /** The product's Postgres, and the one of Temporal Server. */
  postgres: ArchivedPostgres;
  temporal: ArchivedPostgres;
  /** Ends API, worker and Temporal Server, in this order. */
  endUsers(): Promise<void>;
  startUsers(): Promise<void>;
}

export interface WorldOptions {
  stateDir: string;
  report: (line: string) => void;
  /** Called with a function that ends what has been started so far. */
  started: (stop: () => Promise<void>) => void;
}

/** Starts all of it on free ports; resolves when everything answers and a base backup of both is kept. */
export async function startRestorable(options: WorldOptions): Promise<RestorableWorld> {
  const { stateDir, report, started } = options;
  const build = await temporalBuild(report);
  await makeStateDir(stateDir);
  const fleet = createFleet(join(stateDir, 'logs'));
  const settings = await settingsOf(stateDir);
  const servers: ArchivedPostgres[] = [];
  started(async () => {
    await fleet.endAll();
    for (const server of servers) await server.stop();
  });
  const start = async (name: string, port: number) => {
    const server = await startArchivedPostgres({
      folder: join(stateDir, name),
      port,
      password: settings.secrets.ownerPassword,
      logFile: join(stateDir, 'logs', `${name}.log`),
      durable: true,
    });
    servers.push(server);
    return server;
  };
  const { ports } = settings;
  const postgres = await start('postgres', ports.postgres);
  const temporal = await start('temporal-postgres', await freePort(new Set(Object.values(ports))));
  await createDatabase(postgres.place, table.databaseName);
  await migrate(table.migrationUrls(postgres.prepared, settings));
  const place = { folder: join(stateDir, 'temporal'), port: ports.temporal };
  const server = await prepareTemporal(build, temporal.place, place);
  const users = [server, table.workerProcess(settings), table.apiProcess(settings)];
  await fleet.start(server);
  await openNamespace(settings.temporal.address, NAMESPACE);
  await fleet.start(table.sandboxProcess(settings));
  for (const user of users.slice(1)) await fleet.start(user);
  report('Temporal Server, worker and API are ready');
  for (const one of servers) await one.backUp();
  const world = await enter(settings);
  return { world, fleet, postgres, temporal, ...switches(fleet, users) };
}

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
    pids: {},
  };
  const stop = () => Promise.reject(new Error('this world is ended by its fleet'));
  return enterWorld({ stateDir, apiAfterMs: () => 0, read: async () => file, stop }, new Set());
}
