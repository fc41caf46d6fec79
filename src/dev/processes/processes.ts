/** The table of the world's processes: command, environment and readiness check of each. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { devEnvironment } from '../environment.ts';
import { ownerUrl, postgresAnswers, type PreparedPostgres } from '../postgres/embedded-postgres.ts';
import { ACME_DIRECTORY_URL } from '../../sandbox/real-servers/addresses.ts';
import type { Ports } from '../ports.ts';
import type { Secrets } from '../secrets.ts';
import type { ProcessSpec } from './supervisor.ts';
import { temporalAnswers, type TemporalAddress } from '../temporal/temporal-probe.ts';
import { fairQueues, promptTimers, searchAttributes } from '../temporal/temporal-server.ts';
import { worldSettings } from './world-settings.ts';

/** The checkout that this file is part of. */
export const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The database inside the embedded Postgres, and the application's role in it. */
export const databaseName = 'outreach';
const appRole = 'outreach';

/** The processes of the product itself. */
export type WorldUser = 'api' | 'worker';

/** All settings that rows of the table depend on. */
export interface WorldSettings {
  stateDir: string;
  ports: Ports;
  /** The ports at which API and worker reach the rest, if not `ports`. */
  via?: Record<WorldUser, Ports> | undefined;
  secrets: Secrets;
  daySeconds: number;
  /** How many times faster the vendors' waits pass; 1 unless a test sets it. */
  sandboxPace?: number | undefined;
  /** Where API and worker send their traces; nowhere when left out. */
  collector?: string | undefined;
  /** Debugger ports of API and worker; none when left out. */
  inspect?: Record<WorldUser, number> | undefined;
  /** The tree that rented servers boot; simulated ones when left out. */
  vpsImage?: string | undefined;
  /** `started`: the server is ours and in the table. */
  temporal: TemporalAddress & { started: boolean };
}

/** Groups that are stopped together; users stop before what they use. */
export const stopOrder = [['api', 'worker'], ['sandbox', 'temporal'], ['postgres']];

export const urls = {
  api: ({ ports }: WorldSettings) => `http://127.0.0.1:${ports.api}`,
  sandbox: ({ ports }: WorldSettings) => `http://127.0.0.1:${ports.sandbox}`,
  dns: ({ ports }: WorldSettings) => `127.0.0.1:${ports.dns}`,
  socks: ({ ports }: WorldSettings) => `socks5://127.0.0.1:${ports.socks}`,
  metrics: ({ ports }: WorldSettings) => ({
    api: `http://127.0.0.1:${ports.apiMetrics}/metrics`,
    worker: `http://127.0.0.1:${ports.workerMetrics}/metrics`,
    temporal: `http://127.0.0.1:${ports.temporalMetrics}/metrics`,
  }),
  codec: ({ ports }: WorldSettings) => `http://127.0.0.1:${ports.codec}/codec`,
  database: ({ ports, secrets }: WorldSettings) =>
    `postgres://${appRole}:${secrets.appPassword}@127.0.0.1:${ports.postgres}/${databaseName}`,
};

export const sandboxDir = (stateDir: string) => join(stateDir, 'sandbox');
export const caFile = (stateDir: string) => join(sandboxDir(stateDir), 'ca.pem');

export function postgresProcess(prepared: PreparedPostgres): ProcessSpec {
  const { command, args, runAs, running, place, dataDir } = prepared;
  return {
    name: 'postgres',
    command,
    args,
    env: { LC_ALL: 'C', TZ: 'UTC' },
    ...runAs,
    answers: () => postgresAnswers(place, dataDir),
    // "Fast" shutdown: SIGTERM would wait for every client to disconnect.
    stopSignal: 'SIGINT',
    ...(running ? { running: running.pid } : {}),
  };
}

export function temporalProcess(command: string, settings: WorldSettings): ProcessSpec {
  const { ports, stateDir, temporal, secrets } = settings;
  const args = ['server', 'start-dev', '--ip', '127.0.0.1', '--log-level', 'warn'];
  args.push('--port', String(ports.temporal), '--ui-port', String(ports.temporalUi));
  args.push('--metrics-port', String(ports.temporalMetrics));
  args.push('--db-filename', join(stateDir, 'temporal.db'), '--namespace', temporal.namespace);
  args.push(...promptTimers, ...fairQueues);
  // The UI can send a token of ours only in the path.
  args.push('--ui-codec-endpoint', `${urls.codec(settings)}/${secrets.codecToken}`);
  for (const name of searchAttributes) args.push('--search-attribute', `${name}=Keyword`);
  return {
    name: 'temporal',
    command,
    args,
    env: devEnvironment().inherited,
    cwd: root,
    answers: () => temporalAnswers(temporal),
    stopSignal: 'SIGTERM',
  };
}

export function sandboxProcess(settings: WorldSettings): ProcessSpec {
  const { ports, stateDir, secrets } = settings;
  const args = ['--state-dir', sandboxDir(stateDir), '--port', String(ports.sandbox)];
  args.push('--dns-port', String(ports.dns), '--socks-port', String(ports.socks));
  args.push('--webhook-url', `${urls.api(settings)}/wallet/webhook`);
  args.push('--webhook-secret', secrets.stripeWebhookSecret);
  args.push('--pace', String(settings.sandboxPace ?? 1));
  if (settings.vpsImage !== undefined) args.push('--vps-image', settings.vpsImage);
  return {
    ...typescript('sandbox', 'src/sandbox/main.ts', args),
    env: { ...devEnvironment().inherited, TZ: 'UTC' },
    answers: () => answersOk(`${urls.sandbox(settings)}/_sandbox/books`),
  };
}

export function apiProcess(settings: WorldSettings): ProcessSpec {
  return {
    ...typescript('api', 'src/api.ts', [], settings.inspect?.api),
    env: environmentOf('api', settings),
    answers: () => answersOk(`${urls.api(settings)}/health`),
  };
}

export function workerProcess(settings: WorldSettings): ProcessSpec {
  return {
    ...typescript('worker', 'src/worker.ts', [], settings.inspect?.worker),
    env: environmentOf('worker', settings),
    // Its metrics are up while it still bundles; it is ready when it polls.
    answers: () => answersOk(`http://127.0.0.1:${settings.ports.workerMetrics}/ready`),
  };
}

/**
 * Node flags as in production: V8 collects garbage with as many threads as the cores allow. With Node's
 * default of four, a machine of two cores has none left for requests.
 */
export const NODE_FLAGS = ['--v8-pool-size=0'];

/** Node itself, not a wrapper: its pid is the one to kill. */
function typescript(name: string, file: string, args: string[], inspectPort?: number) {
  const command = process.execPath;
  const stopSignal = 'SIGTERM' as const;
  const inspect = inspectPort === undefined ? [] : [`--inspect=127.0.0.1:${inspectPort}`];
  const flags = [...NODE_FLAGS, ...inspect, '--import', 'tsx'];
  return { name, command, args: [...flags, file, ...args], cwd: root, stopSignal };
}

/** The settings from the view of this process. */
function settingsSeenBy(user: WorldUser, settings: WorldSettings): WorldSettings {
  const ports = settings.via?.[user];
  if (ports === undefined) return settings;
  const address = settings.temporal.started
    ? `127.0.0.1:${ports.temporal}`
    : settings.temporal.address;
  return { ...settings, ports, temporal: { ...settings.temporal, address } };
}

/** What a process of the product is given: its settings, and what every child process needs. */
const environmentOf = (user: WorldUser, settings: WorldSettings) => ({
  ...devEnvironment().inherited,
  ...productSettings(settingsSeenBy(user, settings)),
});

/** The product's settings. Two ordinary ones, resolver and proxy, replace the whole outside world. */
export function productSettings(settings: WorldSettings): Record<string, string> {
  const { ports, secrets, stateDir, temporal } = settings;
  const sandbox = urls.sandbox(settings);
  const { temporalVariables, smarthostUrl } = devEnvironment();
  return {
    ...temporalVariables,
    TZ: 'UTC',
    API_HOST: '127.0.0.1',
    API_PORT: String(ports.api),
    API_METRICS_PORT: String(ports.apiMetrics),
    WORKER_METRICS_PORT: String(ports.workerMetrics),
    PUBLIC_URL: urls.api(settings),
    DATABASE_URL: urls.database(settings),
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
    JWT_SECRET: secrets.jwtSecret,
    ENCRYPTION_KEYS: secrets.encryptionKeys,
    CODEC_TOKEN: secrets.codecToken,
    CODEC_PORT: String(ports.codec),
    CODEC_CORS_ORIGINS: ['127.0.0.1', 'localhost']
      .map((host) => `http://${host}:${ports.temporalUi}`)
      .join(','),
    ...worldSettings({
      sandbox,
      dns: urls.dns(settings),
      socks: urls.socks(settings),
      daySeconds: settings.daySeconds,
    }),
    ...(settings.vpsImage === undefined ? {} : realServerSettings(smarthostUrl)),
    HOST_BACKUP_DIR: join(stateDir, 'host-backups'),
    NODE_EXTRA_CA_CERTS: caFile(stateDir),
    STRIPE_WEBHOOK_SECRET: secrets.stripeWebhookSecret,
    ...(settings.collector === undefined
      ? {}
      : { OTEL_EXPORTER_OTLP_ENDPOINT: settings.collector }),
  };
}

/** Servers that really boot: on two cores they may greet slowly, and they order real certificates. */
const realServerSettings = (smarthostUrl = '') => ({
  PROVIDER_TIMEOUT_SECONDS: '15',
  ACME_DIRECTORY_URL,
  SMARTHOST_URL: smarthostUrl,
});

/** The URLs with which `migrate` works as the owner. */
export function migrationUrls(prepared: PreparedPostgres, settings: WorldSettings) {
  return {
    ownerUrl: ownerUrl(prepared.place, databaseName),
    appUrl: urls.database(settings),
  };
}

async function answersOk(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}
