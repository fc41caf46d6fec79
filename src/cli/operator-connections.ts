/** Connections of a command: Postgres and Temporal, from the environment or of a running world. */
import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { Client, Connection, type DataConverter } from '@temporalio/client';
import type { Command } from 'commander';
import { hasDatabase, readOperatorSettings } from '../config.ts';
import { databaseAddress, openDatabase } from '../db/database.ts';
import { connectionOptions } from '../temporal/connection.ts';
import { createDataConverter } from '../temporal/payload-codec.ts';
import { carryTrace } from '../temporal/trace-calls.ts';
import type { Context } from '../context.ts';
import { causesOf, isDatabaseDown } from '../domain/database-down.ts';
import { OutreachError } from '../domain/errors.ts';
import { ACTOR } from '../services/accounts/actors.ts';
import { notEmpty } from './arguments.ts';
import { CommandEnd, EXIT, WORLD_FILE, type Io } from './io.ts';

export { positive } from './arguments.ts';

export type OperatorConnections = Pick<Context, 'db' | 'temporal'> & {
  /** How payloads are read and written; undefined without ENCRYPTION_KEYS: as they are. */
  dataConverter: DataConverter | undefined;
};

/** Options of every command that connects to a running installation. */
export interface ConnectionOptions {
  json?: boolean;
  world: string;
}

/** Adds `--json` and `--world`. */
export const withConnectionOptions = (command: Command): Command =>
  command
    .option('--json', 'one JSON document on stdout, for programs')
    .option('--world <file>', "a running world's file", WORLD_FILE);

/** Adds `--actor`: the operation's log records who did it. */
export const withActor = (command: Command): Command =>
  command.option('--actor <name>', 'who; kept in the log', notEmpty, loginName());

/** Adds `--reason` and `--actor`: the operation's log records both. */
export const withWords = (command: Command): Command =>
  withActor(command).requiredOption('--reason <text>', 'why; kept in the log', notEmpty);

export const wordsOf = ({ actor, reason }: { actor: string; reason: string }) => ({
  actor: ACTOR.operator(actor),
  reason,
});

/**
 * Runs `work` with connections that are closed afterwards. Reads DATABASE_URL and TEMPORAL_* from the
 * environment, or what test mode has instead (OUTREACH_MODE=test); where DATABASE_URL is not set, from the world's file. Needs no vendor's secret.
 */
export async function withOperatorConnections<T>(
  io: Io,
  { world }: ConnectionOptions,
  work: (connections: OperatorConnections) => Promise<T>,
): Promise<T> {
  const settings = readOperatorSettings(io.environment, () => settingsOfWorld(world));
  const { DATABASE_URL, OUTREACH_MODE: mode } = settings;
  const db = openDatabase(DATABASE_URL, { poolSize: 4, mode });
  const connection = Connection.lazy(connectionOptions(settings));
  const { ENCRYPTION_KEYS, TEMPORAL_NAMESPACE } = settings;
  // Without keys payloads are sent in plain form, which the workers accept, too.
  const dataConverter = ENCRYPTION_KEYS
    ? createDataConverter({ ENCRYPTION_KEYS, TEMPORAL_NAMESPACE })
    : undefined;
  const temporal = new Client({
    connection,
    namespace: TEMPORAL_NAMESPACE,
    ...(dataConverter && { dataConverter }),
    interceptors: { workflow: [carryTrace] },
  });
  try {
    return await work({ db, temporal, dataConverter });
  } catch (error) {
    if (error instanceof OutreachError) throw ended(error);
    throw unanswered(error, DATABASE_URL) ?? error;
  } finally {
    await Promise.allSettled([db.destroy(), connection.close()]);
  }
}

function ended(error: OutreachError): CommandEnd {
  const codes: Partial<Record<OutreachError['kind'], number>> = {
    not_found: EXIT.notFound,
    invalid: EXIT.refused,
  };
  return new CommandEnd(codes[error.kind] ?? EXIT.failed, error.message);
}

/** An error that names Postgres and its address, where it did not answer; undefined for any other error. */
export function unanswered(error: unknown, databaseUrl: string): CommandEnd | undefined {
  if (!isDatabaseDown(error)) return undefined;
  // For a name with several addresses the error itself has no message.
  const words = causesOf(error).findLast(({ message }) => message !== '')?.message;
  const message = `Postgres at ${databaseAddress(databaseUrl)} does not answer: ${words}`;
  return new CommandEnd(EXIT.failed, message);
}

/**
 * All settings of the product: the environment's, and where DATABASE_URL is not set, those of the running
 * world whose file `world` is.
 */
export function productSettings(
  { environment }: Io,
  { world }: Pick<ConnectionOptions, 'world'>,
): NodeJS.ProcessEnv {
  if (hasDatabase(environment)) return environment;
  return { ...environment, ...readWorld(world).environment };
}

function settingsOfWorld(file: string): NodeJS.ProcessEnv {
  const { databaseUrl, temporalAddress, temporalNamespace, environment } = readWorld(file);
  return {
    ...environment,
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporalAddress,
    TEMPORAL_NAMESPACE: temporalNamespace,
  };
}

interface World {
  databaseUrl: string;
  temporalAddress: string;
  temporalNamespace: string;
  environment: Record<string, string>;
}

function readWorld(file: string): World {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as World;
  } catch {
    throw new CommandEnd(
      EXIT.failed,
      `DATABASE_URL is not set and ${file} cannot be read: set DATABASE_URL and TEMPORAL_ADDRESS, ` +
        'or start a world with `npm run quickstart`.',
    );
  }
}

/** A container may run under a user id without a name. */
function loginName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}
