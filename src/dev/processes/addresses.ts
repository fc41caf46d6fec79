/** The settings of a world, and the addresses and names that follow from them. */
import { join } from 'node:path';
import type { Ports } from '../ports.ts';
import type { Secrets } from '../secrets.ts';
import type { TemporalAddress } from '../temporal/temporal-probe.ts';

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
  /** Whether there is a test mode, with a sandbox of its own; `alone`: without a worker of live mode. */
  testMode?: boolean | 'alone' | undefined;
  /** Settings that API and worker are told instead. */
  instead?: ((settings: WorldSettings) => Record<string, string>) | undefined;
  /** `started`: the server is ours and in the table. */
  temporal: TemporalAddress & { started: boolean };
}

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
  database: ({ ports, secrets }: WorldSettings, name = databaseName) =>
    `postgres://${appRole}:${secrets.appPassword}@127.0.0.1:${ports.postgres}/${name}`,
};

export const sandboxDir = (stateDir: string) => join(stateDir, 'sandbox');
export const caFile = (stateDir: string) => join(sandboxDir(stateDir), 'ca.pem');

/** The same of test mode: a database and a sandbox of its own. */
export const testDatabaseName = 'outreach_test';
export const testSandboxDir = (stateDir: string) => join(stateDir, 'test-sandbox');
export const testCaFile = (stateDir: string) => join(testSandboxDir(stateDir), 'ca.pem');
export const testUrls = {
  sandbox: ({ ports }: WorldSettings) => `http://127.0.0.1:${ports.testSandbox}`,
  database: (settings: WorldSettings) => urls.database(settings, testDatabaseName),
};
