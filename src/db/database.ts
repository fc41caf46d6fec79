/** Opens the pool to Postgres, with the conversions that the product's row types rely on. */
import { Socket } from 'node:net';
import { callbackify } from 'node:util';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { isTracing } from '../tracing/spans.ts';
import type { Mode } from '../domain/accounts/modes.ts';
import { saveRoundTrips } from './round-trips.ts';
import type { Database } from './tables.ts';
import { traceStatements } from './trace-statements.ts';

/** A database that is down must answer as an error while the client still waits. */
const connectionTimeoutMs = 3_000;

/** Longer than any query of ours; keeps a forgotten lock from holding a request forever. */
const statementTimeoutMs = 20_000;

/** Longer than the server's own limit, so that its error comes first, but for several statements in one round trip: 25 s. */
const SILENCE_PER_STATEMENT = 1.25;

/** TCP keep-alive of idle connections, so that network devices between do not drop them. */
const KEEP_ALIVE_MS = 10_000;

/**
 * Of connections. A new one takes 6 ms of CPU (4 in Postgres) and plans each statement six times before it keeps a plan: what a
 * quiet minute does not use is there for the next busy one. Choice 207.
 */
const IDLE_MS = 300_000;

export interface DatabaseOptions {
  poolSize: number;
  /** No connection is used whose database is of the other mode. Choice 111. */
  mode?: Mode;
  /** Also for a free connection of the pool. Default 3 s. Where no client waits a busy machine is allowed more. */
  connectionTimeoutMs?: number;
  /** The server ends a statement or an idle transaction after this. Default 20 s. */
  statementTimeoutMs?: number;
  /** Called when an idle connection breaks; the pool replaces it by itself. */
  onConnectionLost?: (error: Error) => void;
}

/** `bigint` columns arrive as numbers, `timestamptz` as Date. `destroy()` closes the pool. */
export function openDatabase(url: string, options: DatabaseOptions): Kysely<Database> {
  const limitMs = options.statementTimeoutMs ?? statementTimeoutMs;
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'outreach',
    // Statements are short: where one is taken for a long one, it would be compiled at each run, for longer than it takes.
    options: '-c jit=off',
    max: options.poolSize,
    idleTimeoutMillis: IDLE_MS,
    connectionTimeoutMillis: options.connectionTimeoutMs ?? connectionTimeoutMs,
    statement_timeout: limitMs,
    idle_in_transaction_session_timeout: limitMs,
    stream: () => impatientSocket(limitMs * SILENCE_PER_STATEMENT),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    types: { getTypeParser },
    ...(options.mode && { verify: modeCheck(options.mode) }),
  });
  // Without a listener a lost idle connection would end the process.
  pool.on('error', (error) => options.onConnectionLost?.(error));
  // The pool listens to idle connections only: an error on one in use would end the process, too.
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    saveRoundTrips(client, { getTypeParser });
  });
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({
      pool,
      ...(isTracing() && {
        onCreateConnection: async (connection) => traceStatements(connection),
      }),
    }),
  });
  pools.set(db, pool);
  return db;
}

/** The address in `url`, for display: `host:port`, never a user or a password. */
export function databaseAddress(url: string): string {
  const { host, port } = new pg.Client({ connectionString: url });
  return `${host}:${port}`;
}

/**
 * A connection that died silently ends like a broken one: its statement fails, and the pool drops it.
 * `query_timeout` of `pg` would give up the statement and reuse the connection for the next one.
 */
function impatientSocket(silenceMs: number): Socket {
  const socket = new Socket();
  const giveUp = () => {
    const error = new Error(`Postgres has been silent for ${silenceMs} ms`);
    socket.destroy(Object.assign(error, { code: 'ETIMEDOUT' }));
  };
  return socket.setTimeout(silenceMs, giveUp);
}

/** Refuses a new connection to a database of the other mode; one from before modes is live. */
const modeCheck = (expected: Mode) =>
  callbackify(async (client: pg.PoolClient): Promise<void> => {
    const mode = await modeOf(client);
    if (mode === expected) return;
    throw new Error(`This database is of ${mode} mode, and ${expected} mode was asked for`);
  });

async function modeOf(client: pg.PoolClient): Promise<Mode | undefined> {
  try {
    const { rows } = await client.query<{ mode: Mode }>('select mode from installation');
    return rows[0]?.mode;
  } catch (error) {
    if ((error as { code?: string }).code === UNDEFINED_TABLE) return 'live';
    throw error;
  }
}

const UNDEFINED_TABLE = '42P01';

const pools = new WeakMap<Kysely<Database>, pg.Pool>();

/** Connections of the pool behind `db`, and queries that wait for one. */
export function poolSizes(db: Kysely<Database>): { total: number; idle: number; waiting: number } {
  const pool = pools.get(db);
  return {
    total: pool?.totalCount ?? 0,
    idle: pool?.idleCount ?? 0,
    waiting: pool?.waitingCount ?? 0,
  };
}

/** Connections that the pool behind `db` opens at most. */
export const poolLimit = (db: Kysely<Database>): number => pools.get(db)?.options.max ?? Infinity;

const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === pg.types.builtins.INT8 && format !== 'binary'
    ? parseInt8
    : pg.types.getTypeParser(oid, format as 'text');

/** Cents, ids and counts fit a number; anything larger must not be rounded silently. */
function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint out of the safe range: ${text}`);
  return value;
}
