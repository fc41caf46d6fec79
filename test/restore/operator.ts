/** An operator after a restore: answers what waits by the commands of docs/runbook.md. */
import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import type { SharedWorld } from '../e2e/shared-world.ts';
import { serversAlive } from './books.ts';
import { openShell, shellBlocks, type CommandShell } from '../support/sources/runbook.ts';

const RUNBOOK = new URL('../../docs/runbook.md', import.meta.url);

export interface OperatorControls {
  shell: CommandShell;
  /** The blocks of "Restore" that are for whoever has everything running again. */
  commands: { look: string[]; adopt: string; giveUp: string; heal: string; healNamed: string };
  close(): Promise<void>;
}

export async function openOperatorControls({ file }: SharedWorld): Promise<OperatorControls> {
  const blocks = shellBlocks(await readFile(RUNBOOK, 'utf8')).filter(
    ({ section, command }) => section === 'Restore' && !command.includes('pg_ctl'),
  );
  const one = (words: string) => {
    const found = blocks.find(({ command }) => command.includes(words));
    if (!found) throw new Error(`"Restore" of docs/runbook.md has no command with ${words}`);
    return found.command;
  };
  const shell = await openShell(
    {
      DATABASE_URL: file.databaseUrl,
      TEMPORAL_ADDRESS: file.temporalAddress,
      TEMPORAL_NAMESPACE: file.temporalNamespace,
    },
    [],
  );
  const look = [one('ops list --blocked'), one('wallet audit')];
  const [heal, healNamed] = [one('--heal --reason'), one('--subject $SUBJECT')];
  const [adopt, giveUp] = [one('--action adopt'), one('--action compensate')];
  const commands = { look, adopt, giveUp, heal, healNamed };
  for (const command of look) await shell.run(command);
  return { shell, commands, close: () => shell.close() };
}

/**
 * Answers each block once: what was bought before the restore is adopted, an order whose server the vendor's console
 * does not show is given up, everything else is tried again.
 */
export async function answerOnce(
  world: SharedWorld,
  { shell, commands }: OperatorControls,
): Promise<void> {
  const { rows } = await sql<{ id: string; why: string; server: string | null }>`
    select operations.id::text, coalesce(operations.error_message, '') as why,
      servers.intent_name as server
    from operations
    left join clusters on clusters.operation_id = operations.id
      and operations.kind = 'provisionCluster'
    left join servers on servers.id = clusters.server_id and servers.external_id is not null
    where operations.blocked_at is not null and operations.finished_at is null`.execute(world.db);
  const alive = await serversAlive(world);
  for (const { id: OPERATION, why, server } of rows) {
    const { adopt, giveUp } = commands;
    const isUndecided = /no row says who bought|keys to it are lost/.test(why);
    const retry = adopt.replace('--action adopt', '--action retry');
    const isGone = server !== null && !alive.has(server);
    const command = isUndecided ? adopt : isGone ? giveUp : retry;
    // It may have gone on meanwhile.
    await shell.run(`${command} || true`, { OPERATION });
  }
}

/** Credits what was paid meanwhile, and deletes the servers that no row knows, as their operator has seen in the books. */
export async function healAll(
  { db }: SharedWorld,
  { shell, commands }: OperatorControls,
): Promise<void> {
  await shell.run(commands.heal);
  const rows = await db
    .selectFrom('findings')
    .select('subject')
    .where('kind', 'in', ['unknown_server', 'lost_row'])
    .where('state', '=', 'open')
    .execute();
  for (const { subject } of rows) await shell.run(commands.healNamed, { SUBJECT: subject });
}
