/** The table of the world's processes: command, environment and readiness check of each. */
import { join } from 'node:path';
import { TEST_PATH } from '../../domain/accounts/modes.ts';
import { devEnvironment } from '../environment.ts';
import { ownerUrl, postgresAnswers, type PreparedPostgres } from '../postgres/embedded-postgres.ts';
import { LINKS_HOST } from '../../sandbox/links-host.ts';
import { ACME_DIRECTORY_URL } from '../../sandbox/real-servers/addresses.ts';
import { compiledProgram, compileSources, root } from './compiled-sources.ts';
import { temporalFile } from '../state-dir.ts';
import { MEMORY_VARIABLES, NODE_FLAGS } from './node-settings.ts';
import type { ProcessSpec } from './supervisor.ts';
import { temporalAnswers } from '../temporal/temporal-probe.ts';
import { searchAttributes, worldFlags } from '../temporal/temporal-server.ts';
import {
  caFile,
  databaseName,
  sandboxDir,
  testCaFile,
  testDatabaseName,
  testSandboxDir,
  testUrls,
  urls,
  type WorldSettings,
  type WorldUser,
} from './addresses.ts';
import { worldSettings } from './world-settings.ts';

export * from './addresses.ts';
export * from './node-settings.ts';
export { root };

/** Groups that are stopped together; users stop before what they use. */
export const stopOrder = [
  ['api', 'worker', 'test-worker'],
  ['sandbox', 'test-sandbox', 'temporal'],
  ['postgres'],
];

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
  const { path, isFormer } = temporalFile(stateDir);
  args.push('--db-filename', path, '--namespace', temporal.namespace, ...worldFlags(isFormer));
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
  const { ports, stateDir } = settings;
  const args = ['--state-dir', sandboxDir(stateDir), '--port', String(ports.sandbox)];
  args.push('--dns-port', String(ports.dns), '--socks-port', String(ports.socks));
  args.push('--webhook-url', `${urls.api(settings)}/wallet/webhook`);
  if (settings.vpsImage !== undefined) args.push('--vps-image', settings.vpsImage);
  return sandbox('sandbox', urls.sandbox(settings), { args, settings });
}

/** That of test mode: nothing gets out of it. */
export function testSandboxProcess(settings: WorldSettings): ProcessSpec {
  const { ports, stateDir } = settings;
  const args = ['--state-dir', testSandboxDir(stateDir), '--port', String(ports.testSandbox)];
  args.push('--dns-port', String(ports.testDns), '--socks-port', String(ports.testSocks));
  args.push('--webhook-url', `${urls.api(settings)}${TEST_PATH}/wallet/webhook`, '--closed');
  return sandbox('test-sandbox', testUrls.sandbox(settings), { args, settings });
}

function sandbox(
  name: string,
  url: string,
  { args, settings }: { args: string[]; settings: WorldSettings },
): ProcessSpec {
  const secret = ['--webhook-secret', settings.secrets.stripeWebhookSecret];
  const pace = ['--pace', String(settings.sandboxPace ?? 1)];
  const { links, linksTls } = settings.ports;
  const own = ['--links-http-port', String(links), '--links-tls-port', String(linksTls)];
  return {
    ...typescript(name, 'src/sandbox/main.ts', [...args, ...secret, ...pace, ...own]),
    env: { ...devEnvironment().inherited, TZ: 'UTC' },
    answers: () => answersOk(`${url}/_sandbox/books`),
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

/** Serves test mode; it gets all settings, as in production, and uses none of a vendor. */
export function testWorkerProcess(settings: WorldSettings): ProcessSpec {
  const port = String(settings.ports.testWorkerMetrics);
  const own = { OUTREACH_MODE: 'test', WORKER_METRICS_PORT: port };
  return {
    ...typescript('test-worker', 'src/worker.ts', []),
    env: { ...environmentOf('worker', settings), ...own },
    answers: () => answersOk(`http://127.0.0.1:${port}/ready`),
  };
}

/** Node itself, not a wrapper: its pid is the one to kill. */
function typescript(name: string, file: string, args: string[], inspectPort?: number) {
  const command = process.execPath;
  const stopSignal = 'SIGTERM' as const;
  const inspect = inspectPort === undefined ? [] : [`--inspect=127.0.0.1:${inspectPort}`];
  const all = [...NODE_FLAGS, ...inspect, ...compiledProgram(file), ...args];
  return { name, command, args: all, cwd: root, stopSignal, prepare: compileSources };
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
  ...MEMORY_VARIABLES,
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
    LINKS_HOST,
    LINKS_HTTP_PORT: String(ports.links),
    LINKS_TLS_PORT: String(ports.linksTls),
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
    ...(settings.vpsImage === undefined ? {} : realServerSettings(sandbox, smarthostUrl)),
    HOST_BACKUP_DIR: join(stateDir, 'host-backups'),
    NODE_EXTRA_CA_CERTS: caFile(stateDir),
    STRIPE_WEBHOOK_SECRET: secrets.stripeWebhookSecret,
    ...(settings.collector === undefined
      ? {}
      : { OTEL_EXPORTER_OTLP_ENDPOINT: settings.collector }),
    ...(settings.testMode && testModeVariables(settings)),
    ...settings.instead?.(settings),
  };
}

/** Servers that really boot may greet slowly, and order from an authority whose name only they resolve. */
const realServerSettings = (sandbox: string, smarthostUrl = '') => ({
  PROVIDER_TIMEOUT_SECONDS: '15',
  ACME_DIRECTORY_URL,
  LINKS_ACME_DIRECTORY_URL: `${sandbox}/acme/directory`,
  SMARTHOST_URL: smarthostUrl,
});

const testModeVariables = (settings: WorldSettings) => ({
  SANDBOX_URL: testUrls.sandbox(settings),
  SANDBOX_DNS_SERVER: `127.0.0.1:${settings.ports.testDns}`,
  SANDBOX_PROXY: `socks5://127.0.0.1:${settings.ports.testSocks}`,
  SANDBOX_CA_FILE: testCaFile(settings.stateDir),
  SANDBOX_WEBHOOK_SECRET: settings.secrets.stripeWebhookSecret,
  SANDBOX_DAY_SECONDS: String(settings.daySeconds),
  TEST_DATABASE_URL: testUrls.database(settings),
});

/** The URLs with which `migrate` works as the owner. */
export const migrationUrls = (
  prepared: PreparedPostgres,
  settings: WorldSettings,
  name = databaseName,
) => ({
  ownerUrl: ownerUrl(prepared.place, name),
  appUrl: urls.database(settings, name),
});

export const testMigrationUrls = (prepared: PreparedPostgres, settings: WorldSettings) =>
  migrationUrls(prepared, settings, testDatabaseName);

async function answersOk(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}
