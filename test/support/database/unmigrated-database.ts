/** An empty database of a test's own, to be migrated to an earlier schema. */
import { randomBytes } from 'node:crypto';
import { Kysely, Migrator, PostgresDialect } from 'kysely';
import { Client, Pool } from 'pg';
import { inject } from 'vitest';
import { migrations } from '../../../migrations/index.ts';
import { ownerRole } from '../../../src/dev/postgres/embedded-postgres.ts';

/** Call `drop()` at the end. */
export async function newDatabase() {
  const { port, password } = inject('postgres');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const url = (user: string, database: string) =>
    `postgres://${user}:${password}@127.0.0.1:${port}/${database}`;
  const admin = async (statement: string) => {
    const client = new Client({ connectionString: url(ownerRole, 'postgres') });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };
  await admin(`create database ${name}`);
  return {
    ownerUrl: url(ownerRole, name),
    appUrl: url('outreach_test', name),
    drop: () => admin(`drop database if exists ${name} with (force)`),
  };
}

/** Migrates to the schema of an earlier version. */
export async function migrateTo(ownerUrl: string, last: string): Promise<void> {
  const pool = new Pool({ connectionString: ownerUrl, max: 2 });
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  const getMigrations = async () => migrations;
  const { error } = await new Migrator({ db, provider: { getMigrations } }).migrateTo(last);
  await db.destroy();
  if (error) throw new Error('the migrations of before failed', { cause: error });
}
