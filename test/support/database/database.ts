/** A migrated database of a test's own, copied from the run's template in about 50 ms. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import { Client } from 'pg';
import { inject } from 'vitest';
import { openDatabase } from '../../../src/db/database.ts';
import type { Database } from '../../../src/db/tables.ts';
import { ownerRole } from '../../../src/dev/postgres/embedded-postgres.ts';
import type { TestPostgres } from '../run/global-setup.ts';

/** Must equal the name in global-setup.ts, which runs in another process. */
const template = 'outreach_template';

/** Also for a free one: tests do many things at once, and more slowly on a busy machine. */
export const CONNECTION_MS = 20_000;

export interface TestDatabase {
  /** As the application's role, so that tests have no more rights than the product. */
  db: Kysely<Database>;
  url: string;
  ownerUrl: string;
  /** Postgres passes over it, with a warning, where a role asks that does not own the table. */
  analyze(...tables: string[]): Promise<void>;
  /** The same, and what a vacuum does; without tables of all. */
  vacuum(...tables: string[]): Promise<void>;
  close(): Promise<void>;
}

/** Call `close()` in `afterAll`: it drops the database, open connections included. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const postgres = inject('postgres') as TestPostgres | undefined;
  if (!postgres) {
    throw new Error(
      'Unit tests have no Postgres: name the file in test/support/run/test-projects.ts',
    );
  }
  const { port, password } = postgres;
  const name = `test_${randomBytes(6).toString('hex')}`;
  const address = `127.0.0.1:${port}/${name}`;
  const ownerUrl = `postgres://${ownerRole}:${password}@${address}`;
  const url = `postgres://outreach_test:${password}@${address}`;
  const admin = `postgres://${ownerRole}:${password}@127.0.0.1:${port}/postgres`;
  await execute(admin, `create database ${name} template ${template} strategy file_copy`);
  const db = openDatabase(url, { poolSize: 5, connectionTimeoutMs: CONNECTION_MS });
  const close = async () => {
    await db.destroy();
    await execute(admin, `drop database if exists ${name} with (force)`);
  };
  const analyze = (...tables: string[]) => execute(ownerUrl, `analyze ${tables.join(', ')}`);
  const vacuum = async (...tables: string[]) => {
    for (let looks = 0; looks < VACUUMS; looks += 1) {
      await execute(ownerUrl, `vacuum analyze ${tables.join(', ')}`);
      if (await isAllVisible(db, tables)) return;
      await sleep(200);
    }
  };
  return { db, url, ownerUrl, analyze, vacuum, close };
}

/** Whoever looks at a table, as Postgres does for its statistics, keeps its newest rows from being known as visible to all. */
const VACUUMS = 15;

async function isAllVisible(db: Kysely<Database>, tables: readonly string[]): Promise<boolean> {
  const { rows } = await sql`
    select from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
      and (${tables.length === 0} or relname = any (${[...tables]}::text[])) and relallvisible < relpages
    limit 1`.execute(db);
  return rows.length === 0;
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
