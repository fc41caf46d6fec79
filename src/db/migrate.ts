/** Updates the schema, under Kysely's advisory lock, and grants access to the application's role. */
import {
  DEFAULT_MIGRATION_LOCK_TABLE,
  DEFAULT_MIGRATION_TABLE,
  Kysely,
  Migrator,
  PostgresDialect,
  PostgresIntrospector,
  sql,
} from 'kysely';
import pg from 'pg';
import { migrations } from '../../migrations/index.ts';
import { FIRST_TEST_ID, type Mode } from '../domain/accounts/modes.ts';

/** The group that owns the application's rights; migrations grant to it, logins are members. */
const applicationGroup = 'outreach_app';

export interface MigrateOptions {
  ownerUrl: string;
  /** When given, its login role is created (or its password changed) and added to the group. */
  appUrl?: string;
  /** `test` makes an empty database one of test mode. Default live. */
  mode?: Mode;
}

/** Returns the names of the migrations applied by this call; rethrows the error of the first failure. */
export async function migrate({
  ownerUrl,
  appUrl,
  mode = 'live',
}: MigrateOptions): Promise<string[]> {
  const pool = new pg.Pool({ connectionString: ownerUrl, max: 2, connectionTimeoutMillis: 5_000 });
  pool.on('error', () => undefined);
  const db = new Kysely<unknown>({ dialect: new MigratorDialect({ pool }) });
  try {
    await createGroup(db);
    const applied = await applyAll(db);
    if (mode === 'test') await makeTest(db);
    await checkMode(db, mode);
    if (appUrl) await letIn(db, new URL(appUrl));
    return applied;
  } catch (error) {
    throw lackedRight(error) ?? error;
  } finally {
    await db.destroy();
  }
}

/** Owners that are no superusers may lack the right to make roles; Postgres says in the detail what it takes. */
function lackedRight(error: unknown): Error | undefined {
  const refused = [error, (error as Error).cause].find(
    (one): one is pg.DatabaseError =>
      one instanceof pg.DatabaseError && one.code === '42501' && / role\b/.test(one.message),
  );
  if (!refused) return undefined;
  const words = `${refused.message}. ${refused.detail ?? ''}`.trim();
  return new Error(`The role of DATABASE_OWNER_URL lacks a right: ${words}`, { cause: error });
}

/**
 * Kysely looks for its own two tables before each migration, by reading all tables with their columns: most of
 * the time of a new database. Their names are all that it wants to know.
 */
class MigratorDialect extends PostgresDialect {
  override createIntrospector(db: Kysely<unknown>): PostgresIntrospector {
    return new MigratorIntrospector(db);
  }
}

class MigratorIntrospector extends PostgresIntrospector {
  readonly #db: Kysely<unknown>;

  constructor(db: Kysely<unknown>) {
    super(db);
    this.#db = db;
  }

  override async getTables(): ReturnType<PostgresIntrospector['getTables']> {
    const { rows } = await sql<{ name: string; schema: string }>`
      select relname as name, nspname as schema
      from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where relkind = 'r' and relname in (${DEFAULT_MIGRATION_TABLE}, ${DEFAULT_MIGRATION_LOCK_TABLE})`.execute(
      this.#db,
    );
    return rows.map((row) => ({ ...row, isView: false, columns: [] }));
  }
}

/**
 * Each in a transaction of its own: a single one would hold all locks while it waits for programs that wait
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

/**
 * Marks a database without users as one of test mode, and lets ids begin where those of live mode never get.
 * Choices 111, 112.
 */
async function makeTest(db: Kysely<unknown>): Promise<void> {
  await sql`update installation set mode = 'test' where not exists (select from users)`.execute(db);
  await sql`select setval(format('%I.%I', schemaname, sequencename)::regclass, ${FIRST_TEST_ID}, false)
    from pg_sequences cross join installation
    where mode = 'test' and schemaname = 'public' and last_value is null`.execute(db);
}

/** Rows of the other mode must not be taken for ours. */
async function checkMode(db: Kysely<unknown>, mode: Mode): Promise<void> {
  const { rows } = await sql<{ mode: Mode }>`select mode from installation`.execute(db);
  if (rows[0]?.mode === mode) return;
  throw new Error(`This database is of ${rows[0]?.mode} mode, not of ${mode} mode`);
}

/** Roles belong to the server, not to a database: a dump may be restored where the group does not exist. */
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
