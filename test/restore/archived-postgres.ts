/** A Postgres server that archives its WAL, and is put back by the commands of docs/runbook.md. */
import { execFile } from 'node:child_process';
import { appendFile, chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import {
  preparePostgres,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type PostgresPlace,
  type PreparedPostgres,
} from '../../src/dev/postgres/embedded-postgres.ts';
import { shellBlocks } from '../support/sources/runbook.ts';

const RUNBOOK = new URL('../../docs/runbook.md', import.meta.url);
/** Replaying the WAL of a few minutes. */
const RECOVERY_MS = 120_000;

export interface ArchivedPostgres {
  place: PostgresPlace;
  prepared: PreparedPostgres;
  /** Keeps a base backup, to which the archived WAL is added when it is put back. */
  backUp(): Promise<void>;
  /** Its clock, now; a commit follows, at which a recovery can see that this moment is over. */
  moment(): Promise<string>;
  /** "Restore" of the runbook: all that came after the moment is gone. Its users are to be ended before. */
  putBack(moment: string): Promise<void>;
  /** "Fail-over": the server dies with what is not archived yet, and a standby takes over at its address. */
  failOver(): Promise<void>;
  stop(): Promise<void>;
}

export async function startArchivedPostgres(place: PostgresPlace): Promise<ArchivedPostgres> {
  const prepared = await preparePostgres(place);
  const { dataDir, runAs } = prepared;
  const folder = dirname(dataDir);
  const [archive, backup] = [join(folder, 'archive'), join(folder, 'backup')];
  await mkdir(archive, { mode: 0o700 });
  if (runAs.uid !== undefined) await chown(archive, runAs.uid, runAs.gid!);
  await appendFile(join(dataDir, 'postgresql.conf'), settings(place, archive));
  let server = await startEmbeddedPostgres(place);
  const variables = { PGDATA: dataDir, BACKUP: backup, ARCHIVE: archive };
  const bash = (command: string, more: Record<string, string> = {}) =>
    asPostgres(prepared, command, { ...variables, ...more });
  const begin = async (section: string, more: Record<string, string>) => {
    for (const command of await commandsOf(section)) await bash(command, more);
    server = await promoted(place);
  };
  return {
    place,
    prepared,
    backUp: () => backUp(server, variables, bash),
    moment: () =>
      withClient(server, async (client) => {
        const { rows } = await client.query<{ now: string }>(
          `select clock_timestamp()::text as now`,
        );
        await sleep(10);
        await client.query('select pg_current_xact_id()');
        return rows[0]!.now;
      }),
    async putBack(moment) {
      // It still runs: the commands end it, and a clean end archives the rest.
      await begin('Restore', { MOMENT: moment });
    },
    async failOver() {
      process.kill(server.pid, 'SIGQUIT');
      while (isAlive(server.pid)) await sleep(50);
      await bash(
        `mv $PGDATA $PGDATA.before; cp -a $BACKUP $PGDATA; touch $PGDATA/standby.signal
        echo "restore_command = 'cp $ARCHIVE/%f %p'" >> $PGDATA/postgresql.auto.conf
        pg_ctl start -w -t 600 -D $PGDATA -l $PGDATA.log`,
      );
      await begin('Fail-over', { STANDBY: dataDir });
    },
    stop: async () => server.stop(),
  };
}

const settings = ({ port, maxConnections }: PostgresPlace, archive: string) => `
port = ${port}
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = ${maxConnections ?? 200}
archive_mode = on
archive_timeout = 5
archive_command = 'cp %p ${archive}/%f.part && mv ${archive}/%f.part ${archive}/%f'
`;

/** Those blocks of a section that are about the server itself. */
async function commandsOf(section: string): Promise<string[]> {
  const blocks = shellBlocks(await readFile(RUNBOOK, 'utf8'));
  const found = blocks.filter((one) => one.section === section && one.command.includes('pg_ctl'));
  if (found.length === 0) throw new Error(`docs/runbook.md has no commands of "${section}"`);
  return found.map(({ command }) => command);
}

async function backUp(
  server: EmbeddedPostgres,
  { PGDATA, BACKUP }: { PGDATA: string; BACKUP: string },
  bash: (command: string) => Promise<void>,
): Promise<void> {
  await withClient(server, async (client) => {
    await client.query(`select pg_backup_start('drill', true)`);
    // Files that vanish meanwhile are made again by the WAL.
    await bash(`cp -a ${PGDATA} ${BACKUP} 2>/dev/null || true
      rm -rf ${BACKUP}/pg_wal/* ${BACKUP}/postmaster.pid`);
    const { rows } = await client.query<{ labelfile: string }>(
      'select labelfile from pg_backup_stop()',
    );
    await writeFile(join(BACKUP, 'backup_label'), rows[0]!.labelfile, { mode: 0o644 });
  });
}

async function asPostgres(
  { command, runAs }: PreparedPostgres,
  script: string,
  variables: Record<string, string>,
): Promise<void> {
  const PATH = `${dirname(command)}:/usr/local/bin:/usr/bin:/bin`;
  const env = { PATH, LC_ALL: 'C', TZ: 'UTC', ...variables };
  await promisify(execFile)('bash', ['-ec', script], { ...runAs, env });
}

/** Takes the server over that the commands have started, once it is no standby any more. */
async function promoted(place: PostgresPlace): Promise<EmbeddedPostgres> {
  const deadline = Date.now() + RECOVERY_MS;
  for (;;) {
    const server = await startEmbeddedPostgres(place);
    const isStandby = await withClient(server, async (client) => {
      const { rows } = await client.query<{ is: boolean }>('select pg_is_in_recovery() as is');
      return rows[0]!.is;
    });
    if (!isStandby) return server;
    if (Date.now() > deadline) throw new Error('Postgres is still recovering');
    await sleep(200);
  }
}

async function withClient<T>(
  server: EmbeddedPostgres,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({ connectionString: server.ownerUrl('postgres') });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
