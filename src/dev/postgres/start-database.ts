/** Postgres of a world: its server, and the databases in it. */
import { join } from 'node:path';
import * as table from '../processes/processes.ts';
import type { Supervisor } from '../processes/supervisor.ts';
import { createDatabase, preparePostgres, type PreparedPostgres } from './embedded-postgres.ts';

/** Creates the cluster, or finds one that still runs, and with it the port. */
export async function prepareDatabase(settings: table.WorldSettings): Promise<PreparedPostgres> {
  const { stateDir, ports, secrets } = settings;
  const prepared = await preparePostgres({
    folder: join(stateDir, 'postgres'),
    port: ports.postgres,
    password: secrets.ownerPassword,
    logFile: join(stateDir, 'logs', 'postgres.log'),
    durable: true,
  });
  ports.postgres = prepared.place.port;
  return prepared;
}

/** With its schema; and with the database of test mode, where there is one. */
export async function startDatabase(
  prepared: PreparedPostgres,
  settings: table.WorldSettings,
  supervisor: Supervisor,
) {
  const { ports } = settings;
  await supervisor.start(table.postgresProcess(prepared));
  await createDatabase(prepared.place, table.databaseName);
  // Loaded late, so that it does not delay the process that is started before it.
  const { migrate } = await import('../../db/migrate.ts');
  const applied = await migrate(table.migrationUrls(prepared, settings));
  if (settings.testMode) {
    await createDatabase(prepared.place, table.testDatabaseName);
    await migrate({ ...table.testMigrationUrls(prepared, settings), mode: 'test' });
  }
  const found = prepared.running ? 'still running from before' : 'started';
  const count = `${applied.length} migration${applied.length === 1 ? '' : 's'} applied`;
  return `Postgres ${found} on port ${ports.postgres}, ${count}`;
}
