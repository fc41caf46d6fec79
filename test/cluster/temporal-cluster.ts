/** Temporal Server on Postgres: tables, settings, the process, the namespace. */
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Connection } from '@temporalio/client';
import { stringify } from 'yaml';
import {
  createDatabase,
  ownerRole,
  type PostgresPlace,
} from '../../src/dev/postgres/embedded-postgres.ts';
import { devEnvironment } from '../../src/dev/environment.ts';
import type { ProcessSpec } from '../../src/dev/processes/supervisor.ts';
import { ensureSearchAttributes } from '../../src/dev/temporal/temporal-probe.ts';
import type { TemporalBuild } from './temporal-build.ts';
import {
  DATABASES,
  DYNAMIC_CONFIG,
  temporalConfig,
  type TemporalOptions,
} from './temporal-config.ts';

const run = promisify(execFile);

const RETENTION_SECONDS = 86_400;
/** All parts of the server know a namespace a few seconds after it is registered. */
const NAMESPACE_MS = 60_000;
const POLL_MS = 500;

/** Makes databases and tables on `place` and the server's files in `folder`; returns what to start. */
export async function prepareTemporal(
  build: TemporalBuild,
  place: PostgresPlace,
  { folder, ...options }: { folder: string } & TemporalOptions,
): Promise<ProcessSpec> {
  for (const [schema, database] of Object.entries(DATABASES)) {
    await createDatabase(place, database);
    const login = ['--ep', '127.0.0.1', '-p', String(place.port), '-u', ownerRole];
    // Its password is not in the arguments, which every user of the machine can read.
    const tool = (...words: string[]) =>
      run(build.sql, [...login, '--pl', 'postgres12', '--db', database, ...words], {
        env: { ...devEnvironment().inherited, SQL_PASSWORD: place.password },
      });
    await tool('setup-schema', '-v', '0.0');
    await tool('update-schema', '-d', join(build.schemas, schema, 'versioned'));
  }
  const config = join(folder, 'config');
  await mkdir(config, { recursive: true, mode: 0o700 });
  const dynamic = join(config, 'dynamic.yaml');
  await writeFile(dynamic, stringify(options.dynamic ?? DYNAMIC_CONFIG));
  const login = { port: place.port, user: ownerRole, password: place.password };
  const settings = stringify(await temporalConfig(login, options, dynamic));
  await writeFile(join(config, 'development.yaml'), settings, { mode: 0o600 });
  return {
    name: 'temporal',
    command: build.server,
    args: ['--root', folder, '--config', 'config', '--env', 'development', 'start'],
    env: devEnvironment().inherited,
    cwd: folder,
    answers: () => isServing(`127.0.0.1:${options.port}`),
    stopSignal: 'SIGTERM',
  };
}

async function isServing(address: string): Promise<boolean> {
  const connection = await connect(address).catch(() => undefined);
  if (!connection) return false;
  try {
    const { status } = await connection.healthService.check({
      service: 'temporal.api.workflowservice.v1.WorkflowService',
    });
    return Number(status) === 1;
  } catch {
    return false;
  } finally {
    await connection.close();
  }
}

/** Registers the namespace with the product's search attributes; resolves when both are known. */
export async function openNamespace(address: string, namespace: string): Promise<void> {
  const connection = await connect(address);
  const deadline = Date.now() + NAMESPACE_MS;
  try {
    await connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: { seconds: RETENTION_SECONDS as never },
    });
    for (;;) {
      const missing = await ensureSearchAttributes({ address, namespace }).catch(() => undefined);
      if (missing?.length === 0) return;
      if (Date.now() > deadline) throw new Error(`${namespace} is not served in time`);
      await sleep(POLL_MS);
    }
  } finally {
    await connection.close();
  }
}

const connect = (address: string) => Connection.connect({ address, connectTimeout: '2s' });
