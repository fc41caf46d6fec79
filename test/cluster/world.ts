/**
 * The world scaled like production: Temporal on Postgres, two APIs, three workers, and the vendors'
 * stand-ins.
 */
import { join } from 'node:path';
import { migrate } from '../../src/db/migrate.ts';
import {
  createDatabase,
  preparePostgres,
  startEmbeddedPostgres,
} from '../../src/dev/postgres/embedded-postgres.ts';
import { choosePorts, freePort, type Ports } from '../../src/dev/ports.ts';
import * as table from '../../src/dev/processes/processes.ts';
import { loadSecrets } from '../../src/dev/secrets.ts';
import { makeStateDir } from '../../src/dev/state-dir.ts';
import type { ProcessSpec } from '../../src/dev/processes/supervisor.ts';
import { mintJwt } from '../../src/dev/tokens.ts';
import type { WorldFile } from '../../src/dev/world-file.ts';
import { enterWorld, type SharedWorld } from '../e2e/shared-world.ts';
import { BALANCED, createBalancer, type Balancer } from './balancer.ts';
import { createFleet, type Fleet } from './fleet.ts';
import { temporalBuild } from './temporal-build.ts';
import { openNamespace, prepareTemporal } from './temporal-cluster.ts';

export const APIS = ['api-1', 'api-2'];
export const WORKERS = ['worker-1', 'worker-2', 'worker-3'];
/** Started beside the others, by the next build. */
export const NEXT_WORKER = 'worker-next';
/** Started beside the others, where there is more to do. */
export const MORE_WORKERS = [...WORKERS, 'worker-4'];
const MAX_CONNECTIONS = 400;
const NAMESPACE = 'default';

export interface Cluster {
  world: SharedWorld;
  fleet: Fleet;
  balancer: Balancer;
  logsDir: string;
  /** What to start for one of `APIS` or `MORE_WORKERS`, out of the sources in `folder`. */
  spec(name: string, folder?: string): ProcessSpec;
  /** Of the workers, where they are versioned. */
  builds: Builds | undefined;
}

/** Two builds of the workers beside each other. */
export interface Builds {
  first: string;
  next: string;
}

export interface ClusterOptions {
  builds: Builds | undefined;
  /** With which it begins; default: `WORKERS`. */
  workers?: readonly string[];
  stateDir: string;
  daySeconds: number;
  /** Settings of the first processes, which those that replace them do not have. */
  former?: Readonly<Record<string, string>>;
  report: (line: string) => void;
  /** Called with a function that ends what has been started so far. */
  started: (stop: () => Promise<void>) => void;
}

/** Starts all of it on free ports; resolves when everything answers. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { stateDir, report, started, builds, former, workers = WORKERS } = options;
  const build = await temporalBuild(report);
  await makeStateDir(stateDir);
  const logsDir = join(stateDir, 'logs');
  const fleet = createFleet(logsDir);
  started(() => fleet.endAll());
  const settings = await settingsOf(options);
  const { ports, secrets, temporal } = settings;

  const prepared = await preparePostgres({
    folder: join(stateDir, 'postgres'),
    port: ports.postgres,
    password: secrets.ownerPassword,
    logFile: join(logsDir, 'postgres.log'),
    durable: true,
    maxConnections: MAX_CONNECTIONS,
  });
  const postgres = await startEmbeddedPostgres(prepared.place);
  started(async () => {
    await fleet.endAll();
    await postgres.stop();
  });
  await createDatabase(prepared.place, table.databaseName);
  await migrate(table.migrationUrls(prepared, settings));
  report(`Postgres on port ${ports.postgres}`);
  const place = { folder: join(stateDir, 'temporal'), port: ports.temporal };
  await fleet.start(await prepareTemporal(build, prepared.place, place));
  await openNamespace(temporal.address, NAMESPACE);
  report(`Temporal Server on Postgres on port ${ports.temporal}`);
  await fleet.start(table.sandboxProcess(settings));
  const instances = await instancesOf(settings);
  const spec = (name: string, folder = table.root) => {
    const made = specOf(name, instances.get(name)!, folder);
    if (!builds) return made;
    const WORKER_BUILD_ID = name === NEXT_WORKER ? builds.next : builds.first;
    return { ...made, env: { ...made.env, WORKER_BUILD_ID } };
  };
  for (const name of [...APIS, ...workers]) {
    const first = spec(name);
    await fleet.start({ ...first, env: { ...first.env, ...former } });
    report(`${name} is ready`);
  }
  const balancer = createBalancer(APIS.map((name) => table.urls.api(instances.get(name)!)));
  const file = await fileOf(settings);
  const running = { stateDir, apiAfterMs: () => 0, read: async () => file, stop: unsupported };
  const world = { ...(await enterWorld(running, new Set())), fetch: balancer.fetch };
  return { world, fleet, balancer, logsDir, spec, builds };
}

const unsupported = () => Promise.reject(new Error('a cluster is ended by its fleet'));

async function settingsOf({ stateDir, daySeconds }: ClusterOptions): Promise<table.WorldSettings> {
  const ports = await choosePorts('auto', () => undefined);
  const address = `127.0.0.1:${ports.temporal}`;
  const secrets = await loadSecrets(stateDir);
  const temporal = { address, namespace: NAMESPACE, started: true };
  return { stateDir, ports, secrets, daySeconds, temporal };
}

const OWN_PORTS = ['api', 'apiMetrics', 'workerMetrics', 'codec', 'links', 'linksTls'] as const;

/** Each process has ports of its own; the first API has those that vendors know. */
async function instancesOf(settings: table.WorldSettings) {
  const taken = new Set(Object.values(settings.ports));
  const instances = new Map<string, table.WorldSettings>();
  for (const name of [...APIS, ...MORE_WORKERS, NEXT_WORKER]) {
    const own: Ports = { ...settings.ports };
    for (const port of OWN_PORTS) {
      if (name !== APIS[0]) own[port] = await freePort(taken);
      taken.add(own[port]);
    }
    instances.set(name, { ...settings, ports: own });
  }
  return instances;
}

function specOf(name: string, settings: table.WorldSettings, folder: string): ProcessSpec {
  const { ports } = settings;
  const isApi = APIS.includes(name);
  const spec = isApi ? table.apiProcess(settings) : table.workerProcess(settings);
  const ready = isApi
    ? `http://127.0.0.1:${ports.api}/health/ready`
    : `http://127.0.0.1:${ports.workerMetrics}/ready`;
  const program = [...table.NODE_FLAGS, '--import', 'tsx', isApi ? 'src/api.ts' : 'src/worker.ts'];
  // Compiled are the sources of this checkout; those of another version run as they are.
  const other = folder === table.root ? {} : { args: program, cwd: folder };
  return { ...spec, ...other, name, answers: () => isOk(ready) };
}

async function isOk(url: string): Promise<boolean> {
  const signal = AbortSignal.timeout(2_000);
  const answer = await fetch(url, { signal }).catch(() => undefined);
  await answer?.body?.cancel();
  return answer?.ok ?? false;
}

async function fileOf(settings: table.WorldSettings): Promise<WorldFile> {
  const { stateDir, secrets, temporal, daySeconds } = settings;
  return {
    api: BALANCED,
    docs: `${BALANCED}/docs`,
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
}
