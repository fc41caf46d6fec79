/** Starts the whole world: processes in their order, world.json, and the way down again. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { forgetRun, recordRun, runningSupervisor, stopOrphans } from './processes/earlier-run.ts';
import { prepareDatabase, startDatabase } from './postgres/start-database.ts';
import { describeWorld } from './describe-world.ts';
import { devEnvironment } from './environment.ts';
import { choosePorts, type Ports } from './ports.ts';
import * as table from './processes/processes.ts';
import { loadSecrets } from './secrets.ts';
import { restartOrder, type ProcessName } from './processes/source-processes.ts';
import { forgetState, makeStateDir } from './state-dir.ts';
import { createSupervisor, type Supervisor } from './processes/supervisor.ts';
import { ensureSearchAttributes } from './temporal/temporal-probe.ts';
import { temporalCliPath } from './temporal/temporal-server.ts';
import { startCollector } from './trace/collector.ts';
import { prepareVpsImage, vpsImageFolder } from './vps-image.ts';
import { worldFile, type WorldFile } from './world-file.ts';

export interface WorldOptions {
  /** Absolute. */
  stateDir: string;
  ports: 'default' | 'auto';
  fresh: boolean;
  daySeconds: number;
  /** How rented servers run; simulated when left out. */
  vps?: 'simulated' | 'real';
  /** How many times faster the vendors' waits pass; 1 when left out. */
  sandboxPace?: number;
  /** The ports that API or worker get instead of the world's own, where a proxy is in between. */
  through?: (user: table.WorldUser, ports: Ports) => Promise<Ports>;
  /** Whether traces of API and worker are collected, and shown by this process. */
  trace?: boolean;
  /** Whether there is a test mode; `alone`: without a worker of live mode. */
  testMode?: boolean | 'alone';
  /** Settings that API and worker are told instead. */
  instead?: (settings: table.WorldSettings) => Record<string, string>;
  /** Debugger ports of API and worker. */
  inspect?: Record<table.WorldUser, number> | undefined;
  /** Called with lines that a person should read while the world is up. */
  report: (line: string) => void;
}

/** A world that is starting: each part resolves with one line about itself. */
export interface StartingWorld {
  parts: { title: string; done: Promise<string> }[];
  ready: Promise<WorldFile>;
  /** Ends these processes and starts them from the current sources; resolves when all answer. */
  restart: (names: readonly ProcessName[]) => Promise<void>;
  /** Stops everything in reverse order; may be called while starting and more than once. */
  stop(): Promise<void>;
}

/** Another supervisor holds the state dir. */
export class WorldIsUp extends Error {}

/** Rejects when the state dir is in use; later failures reject the parts and `ready`. */
export async function startWorld(options: WorldOptions): Promise<StartingWorld> {
  const { stateDir, report } = options;
  await makeStateDir(stateDir);
  const supervisorPid = await runningSupervisor(stateDir);
  if (supervisorPid !== undefined) {
    throw new WorldIsUp(`A world is already up on ${stateDir} (process ${supervisorPid}).`);
  }
  const orphans = await stopOrphans(stateDir, options.fresh ? [] : ['postgres']);
  if (orphans.length > 0) report(`Stopped what a killed run had left: ${orphans.join(', ')}`);
  if (options.fresh) await forgetState(stateDir);
  const file = worldFile(stateDir);
  await file.remove();
  await recordRun(stateDir, {});

  const settings = await readSettings(options);
  const collector = options.trace ? await startCollector(options.ports) : undefined;
  if (collector) settings.collector = collector.url;
  let world: WorldFile | undefined;
  const supervisor = createSupervisor({
    logsDir: join(stateDir, 'logs'),
    report,
    changed: () => void sync(),
  });
  // World file and run file follow every new pid, one write after the other.
  let writing = Promise.resolve();
  const sync = () => {
    writing = writing.then(async () => {
      const pids = supervisor.pids();
      await recordRun(stateDir, pids);
      if (world)
        await file.write((world = { ...world, pids: { supervisor: process.pid, ...pids } }));
    });
    return writing;
  };

  const { parts, allUp } = startParts(settings, supervisor, report);
  const ready = allUp.then(async () => {
    world = await describeWorld(settings);
    await sync();
    return world;
  });
  ready.catch(() => undefined);
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    world = undefined;
    await file.remove();
    await supervisor.stop(table.stopOrder);
    await collector?.close();
    await writing;
    await file.remove();
    await forgetRun(stateDir);
  };
  const restart = async (names: readonly ProcessName[]) => {
    // One after the other: the worker's bundling would take the CPU that the API needs.
    for (const name of restartOrder) if (names.includes(name)) await supervisor.restart(name);
  };
  return { parts, ready, restart, stop: () => (stopped ??= stop()) };
}

async function readSettings(options: WorldOptions): Promise<table.WorldSettings> {
  const { stateDir, report, daySeconds, sandboxPace, through, inspect, instead } = options;
  const moved = (name: string, wanted: number, got: number) =>
    report(`Port ${wanted} (${name}) is taken, using ${got}`);
  const [ports, secrets] = await Promise.all([
    choosePorts(options.ports, moved),
    loadSecrets(stateDir),
  ]);
  const { temporalAddress, temporalNamespace, temporalVariables } = devEnvironment();
  const apiKey = temporalVariables['TEMPORAL_API_KEY'];
  const temporal = {
    address: temporalAddress ?? `127.0.0.1:${ports.temporal}`,
    namespace: temporalNamespace ?? 'default',
    started: temporalAddress === undefined,
    tls: temporalVariables['TEMPORAL_TLS'] === 'true',
    ...(apiKey ? { apiKey } : {}),
  };
  const vpsImage = options.vps === 'real' ? vpsImageFolder() : undefined;
  const via = through && {
    api: await through('api', ports),
    worker: await through('worker', ports),
  };
  const { testMode } = options;
  const paces = { daySeconds, sandboxPace };
  return {
    stateDir,
    ports,
    via,
    secrets,
    ...paces,
    inspect,
    temporal,
    vpsImage,
    testMode,
    instead,
  };
}

/** Each part starts as soon as what it needs is ready. */
function startParts(
  settings: table.WorldSettings,
  supervisor: Supervisor,
  report: (line: string) => void,
) {
  const prepared = prepareDatabase(settings);
  const postgres = prepared.then((found) => startDatabase(found, settings, supervisor));
  const temporal = startTemporal(settings, supervisor, report);
  const image = settings.vpsImage === undefined ? undefined : prepareVpsImage(report);
  const startSandbox = async () => {
    await image;
    await supervisor.start(table.sandboxProcess(settings));
    return `Sandbox: vendors, DNS, proxy and mail at ${table.urls.sandbox(settings)}`;
  };
  // The API reads the authority of test mode at its start.
  const testSandbox = settings.testMode && supervisor.start(table.testSandboxProcess(settings));
  const startApi = async () => {
    await testSandbox;
    await supervisor.start(table.apiProcess(settings));
    return `API at ${table.urls.api(settings)}`;
  };
  // Node reads the authority's file once, at start: the very first start has to wait for it. Later the
  // API starts first: to load, it needs no more of Postgres than its port. Real servers have a new
  // authority at each start.
  const isFirst = image !== undefined || !existsSync(table.caFile(settings.stateDir));
  const authority = isFirst ? startSandbox() : undefined;
  const api = Promise.all([prepared, authority]).then(startApi);
  const sandbox = authority ?? api.then(startSandbox);
  // The worker's bundling would take the CPU that the API needs.
  const worker = Promise.all([postgres, authority, temporal])
    .then(() => startWorkers(settings, supervisor))
    .then(() => 'Worker polls its task queues');
  const parts = [
    { title: 'Postgres', done: postgres },
    { title: 'Temporal', done: temporal },
    ...(image === undefined ? [] : [{ title: 'Image of real servers', done: image }]),
    { title: 'Sandbox', done: sandbox },
    { title: 'API', done: api },
    { title: 'Worker', done: worker },
  ];
  const allUp = Promise.all(parts.map((part) => part.done));
  for (const part of parts) part.done.catch(() => undefined);
  return { parts, allUp };
}

async function startWorkers(settings: table.WorldSettings, supervisor: Supervisor): Promise<void> {
  if (settings.testMode !== 'alone') await supervisor.start(table.workerProcess(settings));
  if (settings.testMode) await supervisor.start(table.testWorkerProcess(settings));
}

async function startTemporal(
  settings: table.WorldSettings,
  supervisor: Supervisor,
  report: (line: string) => void,
) {
  const { temporal, ports } = settings;
  if (temporal.started) {
    const command = await temporalCliPath(report);
    await supervisor.start(table.temporalProcess(command, settings));
  }
  await ensureSearchAttributes(temporal);
  return temporal.started
    ? `Temporal on port ${ports.temporal}, its UI at http://127.0.0.1:${ports.temporalUi}`
    : `Temporal at ${temporal.address} (TEMPORAL_ADDRESS), nothing started`;
}
