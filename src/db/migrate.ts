/** Brings the schema up to date, under Kysely's advisory lock, and lets the application's role in. */
import { Kysely, Migrator, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { migrations } from '../../migrations/index.ts';

/** The group that owns the application's rights; migrations grant to it, logins are members. */
const applicationGroup = 'outreach_app';

export interface MigrateOptions {
  ownerUrl: string;
  /** When given, its login role is made (or its password changed) and put into the group. */
  appUrl?: string;
}

/** Returns the names of the migrations that were applied now; throws the first one's own error. */
export async function migrate({ ownerUrl, appUrl }: MigrateOptions): Promise<string[]> {
  const pool = new pg.Pool({ connectionString: ownerUrl, max: 2, connectionTimeoutMillis: 5_000 });
  pool.on('error', () => undefined);
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    await createGroup(db);
    const applied = await applyAll(db);
    if (appUrl) await letIn(db, new URL(appUrl));
    return applied;
  } finally {
    await db.destroy();
  }
}

/**
 * Each in a transaction of its own: one that holds the locks of all would wait for programs that wait
 * for it.
 */
async function applyAll(db: Kysely<unknown>): Promise<string[]> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
  });
  const applied: string[] = [];
  for (;;) {
    const { error, results = [] } = await migrator.migrateUp();
    if (error) {
      const words = error instanceof Error ? error.message : JSON.stringify(error);
      const failed = results.find((result) => result.status === 'Error')?.migrationName;
      throw new Error(`Migration ${failed ?? 'lock'} failed: ${words}`, { cause: error });
    }
    if (results.length === 0) return applied;
    applied.push(...results.map((result) => result.migrationName));
  }
}

/** Roles belong to the server, not to a database: a restored dump may arrive before its group. */
async function createGroup(db: Kysely<unknown>): Promise<void> {
  await sql`do $$ begin
    if not exists (select from pg_roles where rolname = '${sql.raw(applicationGroup)}') then
      create role ${sql.raw(applicationGroup)} nologin;
    end if;
  exception when duplicate_object or unique_violation then null;
  end $$`.execute(db);
}

async function letIn(db: Kysely<unknown>, appUrl: URL): Promise<void> {
  const role = sql.id(decodeURIComponent(appUrl.username));
  const password = sql.lit(decodeURIComponent(appUrl.password));
  const name = decodeURIComponent(appUrl.username);
  const found = await sql`select from pg_roles where rolname = ${name}`.execute(db);
  const verb = sql.raw(found.rows.length === 0 ? 'create' : 'alter');
  await sql`${verb} role ${role} login password ${password}`.execute(db);
  await sql`grant ${sql.id(applicationGroup)} to ${role}`.execute(db);
}
